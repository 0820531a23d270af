#include "holdfast/domains/io/window.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast::io {

double few_ulps(double date) {
  return 4 * std::numeric_limits<double>::epsilon() * std::abs(date);
}

Window::Window(const Instance& instance, Timeline* timeline)
    : instance_{instance}, timeline_{timeline}, now_{instance.begin} {
  states_.reserve(instance.applications.size());
  for (const Application& application : instance.applications) states_.emplace_back(application);
}

bool Window::begin_phase(std::uint32_t i) {
  State& state = states_[i];
  state.phase = state.cursor.next();
  state.shown_from = now_;
  state.shown_rate = 0;
  if (state.phase == nullptr) return false;
  if (state.phase->kind == Phase::Kind::io) return true;
  state.phase_end = now_ + state.phase->amount;
  works_.emplace(state.phase_end, i);
  return false;
}

void Window::end_work(std::uint32_t i) {
  State& state = states_[i];
  show(i, "work");
  state.progress += state.phase->amount;
  state.work += state.phase->amount;
}

void Window::end_operation(std::uint32_t i) {
  State& state = states_[i];
  show_transfer(i, 0);
  state.progress += state.phase->amount / state.bandwidth;
  state.moved += state.phase->amount;
}

void Window::cut_operation(std::uint32_t i, double remaining, double progress) {
  State& state = states_[i];
  show_transfer(i, 0);
  state.progress = progress;
  state.moved += state.phase->amount - remaining;
}

void Window::take_ended_work(std::vector<Ended>& out) {
  const double limit = now_ + few_ulps(now_);
  while (!works_.empty() && works_.top().first <= limit) {
    out.push_back({works_.top().second, false});
    works_.pop();
  }
}

void Window::show(std::uint32_t i, std::string_view kind) {
  if (timeline_ == nullptr) return;
  State& state = states_[i];
  if (now_ > state.shown_from) {
    timeline_->add({timeline_->intern(instance_.applications[i].id), kind, state.shown_from, now_,
                    state.shown_rate});
  }
  state.shown_from = now_;
}

void Window::show_transfer(std::uint32_t i, double next_rate) {
  if (timeline_ == nullptr) return;
  show(i, states_[i].shown_rate > 0 ? "io" : "wait");
  states_[i].shown_rate = next_rate;
}

Run Window::finish(const Load& load) {
  for (; !works_.empty(); works_.pop()) {
    const std::uint32_t i = works_.top().second;
    State& state = states_[i];
    const double done = std::max(0.0, state.phase->amount - (state.phase_end - now_));
    state.progress += done;
    state.work += done;
    show(i, "work");
  }
  Run run;
  Metrics& metrics = run.metrics;
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
  metrics.idle_bandwidth = std::max(0.0, 1 - moved / (instance_.bandwidth * length));
  if (timeline_ != nullptr) timeline_->sort_by_start();
  return run;
}

}  // namespace holdfast::io
