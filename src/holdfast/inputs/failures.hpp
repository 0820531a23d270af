#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/failure_trace.hpp"
#include "holdfast/models/failures/law.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// The kind of unit that fails, which decides its name and the fields of documents.
enum class FailingUnit : std::uint8_t {
  processor,  ///< a processor of one job
  node,       ///< a node of a machine: ages are given beside the law, and a log may be replayed
};

/// The contents of the object "failures" of a document: the law by which units fail, or the failures themselves.
struct GivenFailures {
  /// The law of the time between two failures of one unit; there is one if there are no events.
  std::optional<Law> law;
  /// Observed MTBF of one unit, seconds; in the log that gave the law.
  std::optional<double> observed_mtbf;
  std::optional<std::vector<FailureEvent>> events;
  std::vector<AgeGroup> ages;      ///< at the start: of the document, or of the log's units
  bool are_logged_ages = false;    ///< there may be more or fewer than units
  bool is_machine = false;         ///< all units of the log are one, which fails as a whole
  std::vector<std::string> notes;  ///< what was odd about a log, and what was done about it
};

/// Reads that object: a law ({"distribution", ...}), a mean alone ({"mtbf"} or {"platform_mtbf"}: exponential), a log
/// ({"log", ...}: read_logged_platform()), `events` ([[time, unit], ...]) with one of these or without.
/// @param where  pointer to the object, for errors
/// @param directory  where relative paths start
/// @param units  that fail independently
[[nodiscard]] Result<GivenFailures> read_failures(const Value& object, const std::string& where,
                                                  const std::filesystem::path& directory,
                                                  FailingUnit unit, std::int64_t units);

/// Returns the same as a document, without its log: law, observed mean, ages, events.
[[nodiscard]] Value failures_value(const std::optional<Law>& law,
                                   const std::optional<double>& observed_mtbf,
                                   const std::optional<std::vector<FailureEvent>>& events,
                                   std::span<const AgeGroup> ages = {});

/// Options for what a document says there.
[[nodiscard]] std::span<const Parameter> failure_options(FailingUnit unit);

}  // namespace holdfast
