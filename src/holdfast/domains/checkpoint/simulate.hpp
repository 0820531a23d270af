#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/domains/checkpoint/metrics.hpp"
#include "holdfast/domains/checkpoint/realisation.hpp"
#include "holdfast/domains/checkpoint/schedule.hpp"
#include "holdfast/domains/checkpoint/strategy.hpp"

#include <vector>

namespace holdfast::checkpoint {

/// Runs one job under one strategy against one draw of failures. The rules (Perotin's thesis, sections 5.3.1 and 5.6.1) are:
///  - A failure at t with start <= t < end of work + checkpoint loses the whole segment. At the very end of a
///    checkpoint it loses nothing; it strikes whatever comes next.
///  - Then the downtime D follows, in which failures renew their processor and do nothing else, and then the recovery R. A
///    failure during the recovery starts both again. R is also paid if nothing was saved yet (unless instance.ends excludes
///    it).
///  - A job with local checkpoints (instance.local) falls back to its last global checkpoint at a failure that the local
///    ones do not survive, also during a downtime. The recovery takes R1 if the newest remaining checkpoint is local, and R
///    if it is global or nothing is saved.
///  - If the job can save only at certain points (instance.iteration), each checkpoint comes at the point nearest to the
///    one that was decided. Checkpoints and recoveries with a spread take the times drawn for them, one after the other.
///  - A checkpoint that is not safe at its end (instance.late) is lost if a failure comes before it is; the job goes on meanwhile.
///    The next one begins when it is safe at the earliest: the job works on until then, or waits if no work is left. The job ends
///    when its last checkpoint is safe. One that is not whole is found out then, and at the end of a job written again.
///  - With a limit to the time of a submission (instance.time_limit), a segment that cannot be saved before its end is made
///    as long as can be. Where nothing more can be saved, the next submission begins, with a recovery.
///  - With spares or repairs (instance.platform) a node must be in each place, and ready, before a recovery begins. The downtime
///    runs while the job waits; failures until then interrupt nothing. All failures of one instant are one interruption.
///  - A run that passes the horizon has failed, and its makespan is the time to the horizon.
///  - A run that would not end is given up and yields no result. This happens after kMostInterruptions failures, or after a
///    tenth as many without a checkpoint. A check after every thousand failures gives it up earlier if it would certainly reach
///    one of these limits (progress.hpp).
/// @param replans   true if the strategy plans again after each recovery and pays instance.planning for it
/// @param schedule  receives the rows; may be null
[[nodiscard]] Metrics simulate(const Instance& instance, Strategy& strategy,
                               Realisation& realisation, bool replans,
                               std::vector<ScheduleRow>* schedule = nullptr);

}  // namespace holdfast::checkpoint
