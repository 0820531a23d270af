#include "holdfast/domains/volatile/admission.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>

namespace holdfast::volatile_workers {
namespace {

constexpr double kWeightOfAll = 1.5;  // departures

// A set of machines with one rate of departures.
struct MachineSet {
  double speed = 1;  // machines
  double rate = 0;   // departures per second

  // Mean intervals completed before a departure, from a checkpoint on.
  double intervals(double interval) const { return 1 / elementary::expm1(rate * interval); }
  double long_run(const Joining& joining) const {
    return speed * joining.interval * intervals(joining.interval) / (1 / rate + joining.restart);
  }
};

}  // namespace

Departures departures_of(const WorkerHistory& history) {
  Departures out;
  for (std::size_t i = 0; i < history.intervals.size(); ++i) {
    const StateInterval& one = history.intervals[i];
    if (one.state != WorkerState::up) continue;
    out.up += one.end - one.start;
    const bool is_last = i + 1 == history.intervals.size();
    if (!is_last && history.intervals[i + 1].state != WorkerState::up) ++out.count;
  }
  return out;
}

double departure_rate(const Departures& own, const Departures& all) {
  const double of_all = static_cast<double>(all.count) / all.up;
  return (static_cast<double>(own.count) + kWeightOfAll) / (own.up + kWeightOfAll / of_all);
}

Admission value_admission(const Joining& joining) {
  const MachineSet few{static_cast<double>(joining.running), joining.running_rate};
  const MachineSet more{few.speed + joining.added, few.rate + joining.candidate_rate};
  const double interval = joining.interval;
  Admission out;
  // The running interval has begun already: it is the more likely to be completed.
  out.keep = {.work = few.speed * interval * few.intervals(interval) *
                      elementary::exp(few.rate * joining.since_checkpoint),
              .time = 1 / few.rate + joining.restart};
  out.admit = {.work = more.speed * interval * more.intervals(interval),
               .time = joining.join.value_or(joining.restart) + 1 / more.rate + joining.restart};
  out.rate = std::max(few.long_run(joining), more.long_run(joining));
  return out;
}

std::optional<double> when_to_admit(const Joining& joining) {
  Joining later = joining;
  later.since_checkpoint = 0;
  const double wait = joining.interval - joining.since_checkpoint;
  const double stays = elementary::exp(-(joining.running_rate + joining.candidate_rate) * wait);
  const double now = value_admission(joining).gain();
  const double then = stays * value_admission(later).gain();
  if (now <= 0 && then <= 0) return std::nullopt;
  return now >= then ? 0 : wait;
}

}  // namespace holdfast::volatile_workers
