#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/domains/checkpoint/metrics.hpp"
#include "holdfast/domains/checkpoint/realisation.hpp"
#include "holdfast/domains/checkpoint/schedule.hpp"
#include "holdfast/domains/checkpoint/strategy.hpp"

#include <vector>

namespace holdfast::checkpoint {

/// Runs one job under one strategy against one draw of failures. Rules (spec 3.7; Perotin's thesis, 5.3.1 and 5.6.1):
///  - a failure at t with start <= t < end of work + checkpoint loses the whole segment. At the very end of a
///    checkpoint it loses nothing: it strikes what comes next;
///  - then downtime D, during which failures renew their processor and do nothing else; then recovery R, which a
///    failure restarts with another D. R is also paid when nothing was saved yet (unless instance.ends says no);
///  - a job with local checkpoints (instance.local) falls back behind them, to the last global one, at a failure that
///    they do not survive, in a downtime too; the recovery takes R1 where the newest checkpoint that is left is a local one,
///    and R where it is a global one or nothing is saved;
///  - where the job can save only every so much work (instance.iteration), each checkpoint comes at the point next to the
///    one that was decided; checkpoints and recoveries of some spread take what is drawn for them, one after the other;
///  - a run that passes the horizon has failed, and its makespan is the time to the horizon;
///  - a run that would not end is given up and is no result: after kMostInterruptions failures, a tenth of them without a
///    checkpoint, or as soon as a look after every thousand failures shows that it will come to that (progress.hpp).
/// @param replans   true if the strategy plans again after each recovery, and pays instance.planning for it
/// @param schedule  gets the rows, if it is not null
[[nodiscard]] Metrics simulate(const Instance& instance, Strategy& strategy,
                               Realisation& realisation, bool replans,
                               std::vector<ScheduleRow>* schedule = nullptr);

}  // namespace holdfast::checkpoint
