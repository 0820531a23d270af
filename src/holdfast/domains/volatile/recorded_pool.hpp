#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/domains/volatile/instance.hpp"
#include "holdfast/kernel/availability.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/models/availability/fit_chain.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::volatile_workers {

/// The possible states of a worker that a record with two states does not report as up.
inline constexpr auto kUnavailable = std::to_array<std::string_view>({"down", "reclaimed"});
/// The largest number of slots in a record, and thus in the data of a fit.
inline constexpr double kMostRecorded = 1e8;
inline constexpr Range kRecordedHistory = between(1, kMostRecorded);

/// Recorded availability in slots, from which platforms are drawn.
struct RecordedPool {
  std::vector<WorkerHistory> workers;
  double from = 0;         ///< start of the first slot, seconds
  double slot = 1;         ///< seconds
  std::int64_t slots = 0;  ///< whole slots of the record
  /// Slots before a run to which chains are fitted and that rules have observed.
  std::int64_t history = 0;
  WorkerState unavailable = WorkerState::down;
  std::string digest;                 ///< digest of the records, which identifies them in results
  std::vector<std::string> warnings;  ///< states whose holding times are not geometric
};

/// Reads the member `availability` of a document: file, format, unavailable, history. Returns nothing if it is absent.
/// @param slot  length of a slot in seconds
[[nodiscard]] Result<std::shared_ptr<const RecordedPool>> read_recorded_pool(
    ObjectReader& read, std::optional<double> slot, const std::filesystem::path& directory);

/// Reads a file as a pool.
/// @param history  number of slots; absent: half of the record
[[nodiscard]] Result<RecordedPool> load_pool(const std::filesystem::path& file,
                                             std::string_view format, WorkerState unavailable,
                                             double slot, std::optional<std::int64_t> history);

/// Returns the letters of the first workers of a pool over the whole record.
[[nodiscard]] std::vector<std::string> letters_of(const RecordedPool& pool, std::size_t most);

/// Returns one sentence per state whose holding times are not geometric.
[[nodiscard]] std::vector<std::string> doubts(const FittedChains& fit);

/// Draws workers that were up at least once in a window of the record, at a random time. Their chains come from the history,
/// and their states from the slots that follow, at most as many as the instance's slot limit. It fills in workers (whose speeds
/// are set already), states and observations.
/// @returns infeasible if there are fewer such workers
[[nodiscard]] Status draw_recorded(const RecordedPool& pool, Stream& stream, Instance& instance);

}  // namespace holdfast::volatile_workers
