#include "holdfast/domains/machine/metrics.hpp"

#include <algorithm>
#include <array>

namespace holdfast::machine {
namespace {

constexpr auto kRows = std::to_array<MetricRow<Metrics>>({
    {{"useful_share", Unit::none, Better::higher,
      "share of all node-seconds in work that was not lost"},
     member<&Metrics::useful_share>},
    {{"waste", Unit::none, Better::lower,
      "share of the running jobs' node-seconds that are neither useful work nor input and output"},
     member<&Metrics::waste>},
    {{"lost_share", Unit::none, Better::lower,
      "share of all node-seconds in work that failures destroyed"},
     member<&Metrics::lost_share>},
    {{"checkpoint_share", Unit::none, Better::lower,
      "share of all node-seconds in checkpoints, each counted as if it were alone"},
     member<&Metrics::checkpoint_share>},
    {{"recovery_share", Unit::none, Better::lower,
      "share of all node-seconds in recoveries, each counted as if it were alone"},
     member<&Metrics::recovery_share>},
    {{"wait_share", Unit::none, Better::lower,
      "share of all node-seconds in which jobs stalled, beyond the time that their transfers take "
      "alone"},
     member<&Metrics::wait_share>},
    {{"idle_share", Unit::none, Better::lower, "share of all node-seconds without a job"},
     member<&Metrics::idle_share>},
    {{"minimum_yield", Unit::none, Better::higher,
      "least yield of the jobs that ran for a tenth of the window or more"},
     member<&Metrics::minimum_yield>},
    {{"throughput", Unit::none, Better::higher,
      "share of all node-seconds in work and dedicated transfers of completed jobs"},
     member<&Metrics::throughput>},
    {{"bounded_slowdown", Unit::none, Better::lower,
      "time from submission to end divided by time on nodes (at least 10 s); mean over completed "
      "jobs"},
     member<&Metrics::bounded_slowdown>},
    {{"wait_time", Unit::seconds, Better::lower,
      "time from submission to the first start; mean over completed jobs"},
     member<&Metrics::wait_time>},
    {{"bound", Unit::none, Better::neither,
      "useful share that no strategy can exceed; only for exponential failures and endless jobs"},
     member<&Metrics::bound>},
    {{"checkpoint_length", Unit::none, Better::neither,
      "mean time of a checkpoint divided by its time when alone; 1 without contention"},
     member<&Metrics::checkpoint_length>},
    {{"failures", Unit::none, Better::neither, "failures that struck a job"},
     member<&Metrics::failures>},
    {{"checkpoints", Unit::none, Better::neither, "checkpoints that were completed"},
     member<&Metrics::checkpoints>},
    {{"completed_jobs", Unit::none, Better::neither, "jobs that were completed"},
     member<&Metrics::completed>},
    {{"events", Unit::none, Better::neither, "dates at which something happened"},
     member<&Metrics::events>},
    {{"pressure", Unit::none, Better::neither,
      "share of the bandwidth that jobs would ask for if none waited"},
     member<&Metrics::pressure>},
    {{"makespan", Unit::seconds, Better::neither, "when the run ended"},
     member<&Metrics::makespan>},
});

}  // namespace

Tally& Tally::operator+=(const Tally& other) {
  account += other.account;
  failures += other.failures;
  checkpoints += other.checkpoints;
  completed += other.completed;
  stall += other.stall;
  dedicated += other.dedicated;
  slowdown += other.slowdown;
  waiting += other.waiting;
  if (other.least_yield) {
    least_yield = std::min(least_yield.value_or(*other.least_yield), *other.least_yield);
  }
  return *this;
}

Metrics metrics_of(const Tally& tally, double capacity) {
  const Account& account = tally.account;
  const double work = account[Use::kept] + account[Use::open];
  const double running = account.running();
  // Rounded differences of dates may make a wait slightly negative.
  const auto share = [&](Use use) {
    return capacity > 0 ? std::max(0.0, account[use] / capacity) : 0;
  };
  Metrics out;
  out.useful_share = capacity > 0 ? work / capacity : 0;
  out.waste = running > 0 ? 1 - (work + account[Use::regular]) / running : 0;
  out.lost_share = share(Use::lost);
  out.checkpoint_share = share(Use::checkpoint);
  out.recovery_share = share(Use::recovery);
  out.wait_share = share(Use::wait);
  out.idle_share = share(Use::idle);
  out.minimum_yield = tally.least_yield;
  out.throughput = capacity > 0 ? tally.dedicated / capacity : 0;
  if (tally.completed > 0) {
    out.bounded_slowdown = tally.slowdown / static_cast<double>(tally.completed);
    out.wait_time = tally.waiting / static_cast<double>(tally.completed);
  }
  if (tally.checkpoints > 0)
    out.checkpoint_length = tally.stall / static_cast<double>(tally.checkpoints);
  out.failures = tally.failures;
  out.checkpoints = tally.checkpoints;
  out.completed = tally.completed;
  return out;
}

std::span<const MetricRow<Metrics>> metric_rows() {
  return kRows;
}

std::vector<Metric> metrics() {
  return metrics_of(metric_rows());
}

}  // namespace holdfast::machine
