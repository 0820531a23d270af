#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/contract/result_field.hpp"
#include "holdfast/field/history.hpp"
#include "holdfast/field/replay.hpp"

#include <array>
#include <string>
#include <vector>

namespace holdfast::field {

/// Returns the history of a guarded job, as a document and as lines for people.
/// @param replay  results of other strategies for the same failures
[[nodiscard]] Value report_document(const History& history, const Replay& replay);
[[nodiscard]] std::vector<std::string> report_lines(const History& history, const Replay& replay);

/// Returns the progress of a job, the time of its next checkpoint, and what its guard has learned.
/// @param is_guarded  true: a guard is running
/// @param time        the current time, seconds since 1970
[[nodiscard]] std::vector<std::string> status_lines(const History& history, bool is_guarded,
                                                    double time);

/// The members of the document of a report.
inline constexpr auto kGuardReport = std::to_array<ResultField>(
    {{"outcome?", "how the program ended, or running", Holds::text},
     {"reason?", "why", Holds::text},
     {"launches?", "number of starts", Holds::integer},
     {"checkpoints?", "number of checkpoints", Holds::integer},
     {"failed_checkpoints?", "requests that no checkpoint answered", Holds::integer},
     {"seconds?.*",
      "where the time went: total, saved_work, lost_work, checkpoints, copies, recoveries, "
      "downtime",
      Unit::seconds},
     {"mean_checkpoint?", "mean time of a checkpoint", Unit::seconds},
     {"longest_answer?", "longest time from a request to the checkpoint", Unit::seconds},
     {"restarts?", "starts after a failure", Holds::integer},
     {"killed_guards?", "guards that ended without a last word", Holds::integer},
     {"dropped_output?", "bytes of output that could not be kept", Holds::integer},
     {"failures?[].clock", "when a failure struck, on the guard's clock", Unit::seconds},
     {"failures?[].cause", "how it showed", Holds::text},
     {"failures?[].lost", "work that it undid", Unit::seconds},
     {"failures?[].downtime", "time until the next start", Unit::seconds},
     {"failures?[].quick", "whether it came soon after a start", Holds::flag},
     {"failures?[].by_request", "whether a request ended the program", Holds::flag},
     {"failures?[].saving", "whether a checkpoint was being written", Holds::flag},
     {"done?", "part of the work that is done, as the program says"},
     {"estimate?.*",
      "what is estimated now: checkpoint, recovery, rate, theta, interval, efficiency, young_daly"},
     {"over_time?[].clock", "when an estimate was made", Unit::seconds},
     {"over_time?[].checkpoint?", "time of a checkpoint", Unit::seconds},
     {"over_time?[].recovery?", "time of a recovery", Unit::seconds},
     {"over_time?[].theta?", "factor by which the law was corrected"},
     {"as_it_was?.makespan", "time that was measured", Unit::seconds},
     {"as_it_was?.failures", "failures that were replayed", Holds::integer},
     {"same_failures?[].strategy", "a strategy, simulated with the same failures", Holds::text},
     {"same_failures?[].makespan", "its time", Unit::seconds},
     {"same_failures?[].failures", "failures that struck it", Holds::number},
     {"same_failures?[].outlives_record", "whether it ends after the record", Holds::flag},
     {"same_failures?[].continued?", "its time with the failures to be expected then",
      Unit::seconds},
     {"same_failures?[].draws?", "draws of these", Holds::integer}});

}  // namespace holdfast::field
