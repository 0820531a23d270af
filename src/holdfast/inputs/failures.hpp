#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/failure_trace.hpp"
#include "holdfast/models/failures/law.hpp"
#include "holdfast/models/resilience/recorded_outages.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

struct NamedNodes;

/// The kind of unit that fails. It decides the unit's name and the fields of documents.
enum class FailingUnit : std::uint8_t {
  processor,  ///< a processor of one job
  node,       ///< a node of a machine: ages are given next to the law, and a log may be replayed
};

/// The contents of the object "failures" of a document: the law by which units fail, or the failures themselves.
struct GivenFailures {
  /// The law of the time between two failures of one unit; there is one if there are no events.
  std::optional<Law> law;
  /// MTBF of one unit as observed in the log that gave the law, seconds.
  std::optional<double> observed_mtbf;
  std::optional<std::vector<FailureEvent>> events;  ///< the failures, if the document fixes them
  /// The outages of a log, if it is replayed for a job that draws its nodes from it.
  std::optional<RecordedOutages> recorded;
  /// Share of the failures of a log that local checkpoints survive, if the causes of these were given.
  std::optional<double> local_share;
  /// Ages at the start, from the document or from the units of the log.
  std::vector<AgeGroup> ages;
  /// True: the ages come from a log, whose number of units may differ.
  bool are_logged_ages = false;
  /// True: all units of the log are one unit that fails as a whole.
  bool is_machine = false;
  std::vector<std::string> notes;  ///< oddities of a log, and how they were treated
};

/// Reads the object "failures": a law ({"distribution", ...}), a mean alone ({"mtbf"} or {"platform_mtbf"}: exponential), a log
/// ({"log", ...}: read_logged_platform()), or `events` ([[time, unit], ...]), alone or in addition to one of these.
/// @param where  pointer to the object, for errors
/// @param directory  the folder to which relative paths refer
/// @param units  number of units that fail independently
/// @param named  the nodes of a job whose ages are wanted; null: the ages of all nodes of the log
[[nodiscard]] Result<GivenFailures> read_failures(const Value& object, const std::string& where,
                                                  const std::filesystem::path& directory,
                                                  FailingUnit unit, std::int64_t units,
                                                  const NamedNodes* named = nullptr);

/// Returns the same as a document, with the results of the log instead of its name: law, observed mean, ages, events.
[[nodiscard]] Value failures_value(const std::optional<Law>& law,
                                   const std::optional<double>& observed_mtbf,
                                   const std::optional<std::vector<FailureEvent>>& events,
                                   std::span<const AgeGroup> ages = {});

/// Returns the options for the fields of that object.
[[nodiscard]] std::span<const Parameter> failure_options(FailingUnit unit);

}  // namespace holdfast
