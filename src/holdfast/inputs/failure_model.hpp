#pragma once

#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/failure_trace.hpp"
#include "holdfast/models/failures/law.hpp"
#include "holdfast/models/resilience/recorded_outages.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// How the units of a platform fail: by a law, or on given dates.
struct FailureModel {
  /// The law of the time between two failures of one unit; absent if `events` are enough.
  std::optional<Law> law;
  /// The observed MTBF of one unit in seconds: exposure divided by failures in the log that gave the law. Rules that use only a
  /// mean use it, because the law's own mean may be an extrapolation.
  std::optional<double> observed_mtbf;
  /// The failures, if they are fixed; dates count from the start.
  std::optional<std::vector<FailureEvent>> events;
  /// Ages at the start, units being numbered in this order; if empty, all are as old as the platform.
  std::vector<AgeGroup> ages;
  std::vector<std::string>
      notes;  ///< decisions of the reader: oddities of a log, and how they were treated
};

/// What the object "failures" of a document, or the log that it names, says of a platform.
struct GivenFailures : FailureModel {
  /// The outages of a log, if it is replayed for a job that draws its nodes from it.
  std::optional<RecordedOutages> recorded;
  /// Share of the failures of a log that local checkpoints survive, if the causes of these were given.
  std::optional<double> local_share;
  /// True: the ages come from a log, whose number of units may differ. Then there is one group for each named node, in their order,
  /// or else they are those at the end of the log, youngest first.
  bool are_logged_ages = false;
  bool is_machine = false;  ///< true: all units of the log are one unit that fails as a whole
  /// The number of nodes of a log that names only those that failed; 0: it says how many there are.
  std::int64_t failed_nodes = 0;
};

}  // namespace holdfast
