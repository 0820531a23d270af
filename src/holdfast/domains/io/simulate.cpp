#include "holdfast/domains/io/simulate.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace holdfast::io {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr auto kSchedule = std::to_array<TimelineColumn>({
    {"application", "", Role::lane},
    {"kind", "", Role::state},
    {"start", "s", Role::start},
    {"end", "s", Role::end},
    {"rate", "B/s"},
});

double few_ulps(double date) {
  return 4 * std::numeric_limits<double>::epsilon() * std::abs(date);
}

// What Set-10 learns of one application: the mean of its iterations (work before an operation, and the operation alone).
struct Learner {
  double sum = 0;
  double count = 0;
  int set = Pending::kUnknownSet;

  void add(double seconds) {
    sum += seconds;
    ++count;
    set = set_number(sum / count);
  }
};

struct State {
  PhaseCursor cursor;
  const Phase* phase = nullptr;  // null: it has none left
  double phase_end = kNever;     // of work
  double progress = 0;           // done before the present phase, window included
  double work = 0;               // of it, work inside the window
  double moved = 0;
  double work_before = -1;  // seconds since the last operation; -1: none, or not counted
  std::int64_t operations = 0;
  Learner learner = {};
  // The stretch that the timeline will show next.
  double shown_from = 0;
  double shown_rate = 0;
};

class Simulation {
 public:
  Simulation(const Instance& instance, Strategy& strategy, Timeline* timeline)
      : instance_{instance}, strategy_{strategy}, timeline_{timeline}, now_{instance.begin} {
    states_.reserve(instance.applications.size());
    for (const Application& application : instance.applications) {
      State state{.cursor = PhaseCursor(application)};
      state.progress = application.progress;
      if (!instance.reading.learn_at_completion) state.learner.set = kFirstSet;
      states_.push_back(state);
    }
    for (std::uint32_t i = 0; i < states_.size(); ++i) begin_phase(i);
  }

  Run run(const Load& load) {
    while (now_ < instance_.end) {
      decide();
      advance(next_event());
      complete();
    }
    return finish(load);
  }

 private:
  // Its first operation: an iteration of 0.01 s.
  static constexpr int kFirstSet = -2;

  void begin_phase(std::uint32_t i) {
    State& state = states_[i];
    state.phase = state.cursor.next();
    state.shown_from = now_;
    state.shown_rate = 0;
    if (state.phase == nullptr) return;
    if (state.phase->kind != Phase::Kind::io) {
      state.phase_end = now_ + state.phase->amount;
      works_.emplace(state.phase_end, i);
      return;
    }
    post(i);
  }

  void post(std::uint32_t i) {
    State& state = states_[i];
    const Application& application = instance_.applications[i];
    ++state.operations;
    if (strategy_.uses_sets() && !instance_.reading.learn_at_completion && state.operations > 1 &&
        state.work_before != kNotCounted) {
      state.learner.add(std::max(0.0, state.work_before) +
                        state.phase->amount / application.bandwidth);
    }
    requests_.push_back({.application = i,
                         .set = state.learner.set,
                         .bandwidth = application.bandwidth,
                         .remaining = state.phase->amount,
                         .progress = state.progress,
                         .age = now_ - application.release,
                         .posted = now_});
    rates_.push_back(0);
  }

  void end_work(std::uint32_t i) {
    State& state = states_[i];
    show(i, "work");
    state.progress += state.phase->amount;
    state.work += state.phase->amount;
    if (state.phase->kind == Phase::Kind::lead) {
      state.work_before = kNotCounted;
    } else if (state.work_before != kNotCounted) {
      state.work_before = std::max(0.0, state.work_before) + state.phase->amount;
    }
    begin_phase(i);
  }

  void end_operation(std::uint32_t i) {
    State& state = states_[i];
    const double alone = state.phase->amount / instance_.applications[i].bandwidth;
    state.progress += alone;
    state.moved += state.phase->amount;
    if (strategy_.uses_sets() && instance_.reading.learn_at_completion && state.work_before >= 0) {
      state.learner.add(state.work_before + alone);
    }
    state.work_before = kNoWork;
    begin_phase(i);
  }

  void decide() {
    ++decisions_;
    if (requests_.empty()) return;
    chosen_.resize(requests_.size());
    const Situation situation{.now = now_,
                              .bandwidth = instance_.bandwidth,
                              .left = instance_.end - now_,
                              .window = instance_.length(),
                              .requests = requests_};
    strategy_.decide(situation, chosen_);
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      if (chosen_[k] == rates_[k]) continue;
      if (chosen_[k] == 0) ++preemptions_;
      if (timeline_ != nullptr) {
        show_transfer(requests_[k].application);
        states_[requests_[k].application].shown_rate = chosen_[k];
      }
    }
    rates_.swap(chosen_);
  }

  double next_event() {
    double next = std::min(instance_.end, strategy_.next_date(now_));
    if (!works_.empty()) next = std::min(next, works_.top().first);
    for (std::size_t k = 0; k < requests_.size(); ++k) {
      if (rates_[k] > 0) next = std::min(next, now_ + requests_[k].remaining / rates_[k]);
    }
    return next;
  }

  void advance(double next) {
    const double elapsed = next - now_;
    now_ = next;
    for (std::size_t k = 0; k < requests_.size(); ++k) {
      Pending& request = requests_[k];
      request.age = now_ - instance_.applications[request.application].release;
      if (rates_[k] == 0) continue;
      const double moved = std::min(rates_[k] * elapsed, request.remaining);
      request.remaining -= moved;
      request.progress += moved / request.bandwidth;
    }
  }

  // Everything that ends now, in order of application.
  void complete() {
    ended_.clear();
    const double close = few_ulps(now_);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < requests_.size(); ++k) {
      const Pending& request = requests_[k];
      const double volume = states_[request.application].phase->amount;
      if (request.remaining <= 1e-12 * volume || request.remaining <= close * rates_[k]) {
        ended_.emplace_back(request.application, true);
        continue;
      }
      requests_[kept] = request;
      rates_[kept++] = rates_[k];
    }
    requests_.resize(kept);
    rates_.resize(kept);
    while (!works_.empty() && works_.top().first <= now_ + close) {
      ended_.emplace_back(works_.top().second, false);
      works_.pop();
    }
    if (ended_.size() > 1) std::sort(ended_.begin(), ended_.end());
    for (const auto& [i, is_operation] : ended_) {
      if (is_operation) show_transfer(i);
      is_operation ? end_operation(i) : end_work(i);
    }
  }

  void show(std::uint32_t i, std::string_view kind) {
    if (timeline_ == nullptr) return;
    State& state = states_[i];
    if (now_ > state.shown_from) {
      timeline_->add({timeline_->intern(instance_.applications[i].id), kind, state.shown_from, now_,
                      state.shown_rate});
    }
    state.shown_from = now_;
  }
  void show_transfer(std::uint32_t i) { show(i, states_[i].shown_rate > 0 ? "io" : "wait"); }

  // What was begun and cut by the window's end counts as far as it came.
  void cut() {
    for (const Pending& request : requests_) {
      State& state = states_[request.application];
      state.progress = request.progress;
      state.moved += state.phase->amount - request.remaining;
      show_transfer(request.application);
    }
    for (; !works_.empty(); works_.pop()) {
      const std::uint32_t i = works_.top().second;
      State& state = states_[i];
      const double done = std::max(0.0, state.phase->amount - (state.phase_end - now_));
      state.progress += done;
      state.work += done;
      show(i, "work");
    }
  }

  Run finish(const Load& load) {
    cut();
    Run run;
    const double length = instance_.length();
    double nodes = 0, bandwidths = 0, moved = 0;
    Metrics& metrics = run.metrics;
    metrics.minimum_yield = kNever;
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
    metrics.efficiency /= length * nodes;
    metrics.utilization /= length * nodes;
    metrics.bandwidth_efficiency /= length * bandwidths;
    metrics.pressure = load.pressure;
    metrics.idle_bandwidth = std::max(0.0, 1 - moved / (instance_.bandwidth * length));
    metrics.decisions = decisions_;
    metrics.preemptions = preemptions_;
    if (strategy_.period() > 0) metrics.period = strategy_.period();
    if (timeline_ != nullptr) timeline_->sort_by_start();
    return run;
  }

  static constexpr double kNoWork = -1;
  static constexpr double kNotCounted = -2;

  using Works = std::priority_queue<std::pair<double, std::uint32_t>,
                                    std::vector<std::pair<double, std::uint32_t>>, std::greater<>>;

  const Instance& instance_;
  Strategy& strategy_;
  Timeline* timeline_;
  double now_;
  std::vector<State> states_;
  Works works_;                    // (end, application)
  std::vector<Pending> requests_;  // in order of posting
  std::vector<double> rates_, chosen_;
  std::vector<std::pair<std::uint32_t, bool>> ended_;
  std::int64_t decisions_ = 0;
  std::int64_t preemptions_ = 0;
};

}  // namespace

std::span<const TimelineColumn> schedule_columns() {
  return kSchedule;
}

Run simulate(const Instance& instance, const Load& load, Strategy& strategy, Timeline* timeline) {
  return Simulation(instance, strategy, timeline).run(load);
}

}  // namespace holdfast::io
