#include "holdfast/domains/io/window.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holdfast::io {

double few_ulps(double date) {
  return 4 * std::numeric_limits<double>::epsilon() * std::abs(date);
}

Window::Window(const Instance& instance, Timeline* timeline, Stop stop)
    : instance_{instance}, timeline_{timeline}, stop_{stop}, now_{instance.begin} {
  states_.reserve(instance.applications.size());
  for (const Application& application : instance.applications) states_.emplace_back(application);
  if (timeline != nullptr) shown_.resize(states_.size());
  works_.reserve(states_.size());
}

bool Window::begin_phase(std::uint32_t i) {
  State& state = states_[i];
  state.phase = state.cursor.next(instance_.applications[i]);
  if (is_shown()) shown_[i] = {now_, 0};
  if (state.phase == nullptr) return false;
  state.amount = state.phase->amount;
  if (state.phase->kind == Phase::Kind::io) return true;
  works_.push(now_ + state.amount, i);
  return false;
}

void Window::end_work(std::uint32_t i) {
  State& state = states_[i];
  show(i, Doing::work);
  state.progress += state.amount;
  state.work += state.amount;
}

void Window::end_operation(std::uint32_t i) {
  State& state = states_[i];
  show_transfer(i, 0);
  state.progress += state.amount / state.bandwidth;
  state.moved += state.amount;
}

void Window::cut_operation(std::uint32_t i, double remaining, double progress) {
  State& state = states_[i];
  show_transfer(i, 0);
  state.progress = progress;
  state.moved += state.amount - remaining;
}

void Window::take_ended_work(std::vector<Ended>& out) {
  const double limit = now_ + few_ulps(now_);
  while (!works_.empty() && works_.top().date <= limit) {
    out.push_back({works_.pop().application, false});
  }
  // With thousands of applications, the data of the next event are not in a near cache, so they are prefetched during this
  // event (10 000 applications: 4.4 -> 7.0 million events per second).
  for (const DateHeap::Entry& entry : works_.soon())
    __builtin_prefetch(&states_[entry.application]);
  if (!works_.empty()) __builtin_prefetch(states_[works_.top().application].cursor.place());
}

void Window::show(std::uint32_t i, Doing kind) {
  if (!is_shown()) return;
  Shown& shown = shown_[i];
  if (now_ > shown.from) {
    add_row<ScheduleRow>(*timeline_, kSchedule,
                         {instance_.applications[i].id, kind, shown.from, now_, shown.rate});
  }
  shown.from = now_;
}

void Window::show_transfer(std::uint32_t i, double next_rate) {
  if (!is_shown()) return;
  show(i, shown_[i].rate > 0 ? Doing::io : Doing::wait);
  shown_[i].rate = next_rate;
}

void Window::stop_work(std::span<double> left) {
  while (!works_.empty()) {
    const auto work = works_.pop();
    left[work.application] = std::max(0.0, work.date - now_);
  }
}

std::vector<Phase> Window::phases_left(std::uint32_t i, double left, double seconds) const {
  const State& state = states_[i];
  std::vector<Phase> out;
  if (state.phase == nullptr) return out;
  PhaseCursor cursor = state.cursor;
  Phase phase{state.phase->kind, left};
  for (double planned = 0;;) {
    if (phase.amount > 0) out.push_back(phase);
    planned += phase.kind == Phase::Kind::io ? phase.amount / state.bandwidth : phase.amount;
    const Phase* next = planned < 2 * seconds ? cursor.next(instance_.applications[i]) : nullptr;
    if (next == nullptr) return out;
    phase = *next;
  }
}

Run Window::finish(const Load& load, const Decisions& decisions) {
  while (!works_.empty()) {
    const auto work = works_.pop();
    const std::uint32_t i = work.application;
    State& state = states_[i];
    const double done = std::max(0.0, state.amount - (work.date - now_));
    state.progress += done;
    state.work += done;
    show(i, Doing::work);
  }
  Run run;
  Metrics& metrics = run.metrics;
  metrics.decisions = decisions.count;
  metrics.preemptions = decisions.preemptions;
  if (decisions.period > 0) metrics.period = decisions.period;
  metrics.minimum_yield = kNever;
  double nodes = 0, bandwidths = 0, moved = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Application& application = instance_.applications[i];
    const State& state = states_[i];
    const double progress = state.progress - application.progress;
    const double yield = state.progress / (instance_.end - application.release);
    metrics.minimum_yield = std::min(metrics.minimum_yield, yield);
    metrics.efficiency += application.nodes * progress;
    metrics.utilization += application.nodes * state.work;
    metrics.bandwidth_efficiency += application.bandwidth * progress;
    nodes += application.nodes;
    bandwidths += application.bandwidth;
    moved += state.moved;
    run.yields.push_back(yield);
    run.progress.push_back(progress);
    run.work.push_back(state.work);
    run.moved.push_back(state.moved);
  }
  const double length = instance_.length();
  metrics.efficiency /= length * nodes;
  metrics.utilization /= length * nodes;
  metrics.bandwidth_efficiency /= length * bandwidths;
  metrics.pressure = load.pressure;
  metrics.yield_bound = load.yield_bound;
  metrics.optimal_yield = load.optimal_yield;
  metrics.applications = static_cast<double>(states_.size());
  metrics.length = length;
  if (instance_.nodes) metrics.occupancy = nodes / *instance_.nodes;
  metrics.idle_bandwidth = std::max(0.0, 1 - moved / (instance_.bandwidth * length));
  metrics.by_iteration = mean_of_sixths(run.yields, instance_.by_iteration);
  metrics.by_fraction = mean_of_sixths(run.yields, instance_.by_fraction);
  if (timeline_ != nullptr) timeline_->sort_by_start();
  return run;
}

}  // namespace holdfast::io
