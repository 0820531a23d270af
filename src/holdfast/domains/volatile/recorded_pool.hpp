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

/// What a worker may be that a record of two states does not say to be up.
inline constexpr auto kUnavailable = std::to_array<std::string_view>({"down", "reclaimed"});
/// Slots of a record, and so of what is fitted to.
inline constexpr double kMostRecorded = 1e8;
inline constexpr Range kRecordedHistory = between(1, kMostRecorded);

/// Recorded availability in slots: whom platforms are drawn from.
struct RecordedPool {
  std::vector<WorkerHistory> workers;
  double from = 0;           ///< start of the first slot, seconds
  double slot = 1;           ///< seconds
  std::int64_t slots = 0;    ///< whole slots of the record
  std::int64_t history = 0;  ///< slots before a run that chains are fitted to and rules have seen
  WorkerState unavailable = WorkerState::down;
  std::string digest;                 ///< digest of the records, for those who compare results
  std::vector<std::string> warnings;  ///< where holding times are not geometric
};

/// Reads the member `availability` of a document: file, format, unavailable, history; nothing if
/// it is absent. @param slot  seconds
[[nodiscard]] Result<std::shared_ptr<const RecordedPool>> read_recorded_pool(
    ObjectReader& read, std::optional<double> slot, const std::filesystem::path& directory);

/// Reads a file as a pool. @param history  slots; nothing: half of the record
[[nodiscard]] Result<RecordedPool> load_pool(const std::filesystem::path& file,
                                             std::string_view format, WorkerState unavailable,
                                             double slot, std::optional<std::int64_t> history);

/// Letters of some of the workers over the whole record, the first ones of a pool.
[[nodiscard]] std::vector<std::string> letters_of(const RecordedPool& pool, std::size_t most);

/// Returns one sentence per state whose holding times are not geometric.
[[nodiscard]] std::vector<std::string> doubts(const FittedChains& fit);

/// Draws workers that were up at least once in a window of the record, at a random time: chains
/// from the history, states from the slots that follow, as many as the instance's slot limit at
/// most. Fills workers (their speeds are there already), states and what was seen.
/// @returns infeasible if there are fewer such workers
[[nodiscard]] Status draw_recorded(const RecordedPool& pool, Stream& stream, Instance& instance);

}  // namespace holdfast::volatile_workers
