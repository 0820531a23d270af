#include "holdfast/domains/io/simulate.hpp"

#include "holdfast/domains/io/window.hpp"

#include <algorithm>

namespace holdfast::io {
namespace {

// What Set-10 learns about one application: the mean of its iterations, each of which is the work before an operation and the
// time of the operation alone.
class Learner {
 public:
  explicit Learner(bool at_completion) : at_completion_{at_completion} {
    if (!at_completion) set_ = kFirstSet;
  }

  /// Posts an operation and returns its set. @param alone  seconds that the operation takes alone
  int post(double alone) {
    ++operations_;
    if (!at_completion_ && operations_ > 1 && work_ != kNotCounted) {
      add(std::max(0.0, work_) + alone);
    }
    return set_;
  }
  void end_operation(double alone) {
    if (at_completion_ && work_ >= 0) add(work_ + alone);
    work_ = kNone;
  }
  void end_work(const Phase& phase) {
    if (phase.kind == Phase::Kind::lead) {
      work_ = kNotCounted;
    } else if (work_ != kNotCounted) {
      work_ = std::max(0.0, work_) + phase.amount;
    }
  }

 private:
  static constexpr int kFirstSet = -2;  // of an iteration of 0.01 s
  static constexpr double kNone = -1;
  static constexpr double kNotCounted = -2;

  void add(double seconds) {
    sum_ += seconds;
    ++count_;
    set_ = set_number(sum_ / count_);
  }

  bool at_completion_;
  int set_ = Pending::kUnknownSet;
  std::int64_t operations_ = 0;
  double work_ = kNone;  // since the last operation
  double sum_ = 0;
  double count_ = 0;
};

// The simulation for any strategy, which sees all pending operations at each event. O(pending operations) per event in addition
// to the decision.
class Simulation {
 public:
  Simulation(const Instance& instance, Strategy& strategy, Timeline* timeline, Stop stop)
      : instance_{instance}, strategy_{strategy}, window_{instance, timeline, stop} {
    if (strategy.uses_sets()) {
      learners_.assign(instance.applications.size(), Learner(instance.reading.learn_at_completion));
    }
    if (strategy.uses_median()) work_begin_.resize(instance.applications.size());
    for (std::uint32_t i = 0; i < instance.applications.size(); ++i) begin_phase(i);
  }

  Run run(const Load& load) {
    while (window_.is_open()) {
      decide();
      advance(next_event());
      complete();
    }
    for (const Pending& request : requests_) {
      window_.cut_operation(request.application, request.remaining, request.progress);
    }
    decisions_.period = strategy_.period();
    return window_.finish(load, decisions_);
  }

 private:
  void begin_phase(std::uint32_t i) {
    if (!window_.begin_phase(i)) {
      if (!work_begin_.empty()) work_begin_[i] = window_.now();
      return;
    }
    const Application& application = window_.application(i);
    const double volume = window_.amount(i);
    requests_.push_back({.application = i,
                         .set = learners_.empty()
                                    ? Pending::kUnknownSet
                                    : learners_[i].post(volume / application.bandwidth),
                         .bandwidth = application.bandwidth,
                         .remaining = volume,
                         .progress = window_.progress(i),
                         .age = window_.now() - application.release,
                         .posted = window_.now()});
    rates_.push_back(0);
  }

  void decide() {
    ++decisions_.count;
    if (requests_.empty()) return;
    chosen_.resize(requests_.size());
    strategy_.decide({.now = window_.now(),
                      .bandwidth = instance_.bandwidth,
                      .left = instance_.end - window_.now(),
                      .window = instance_.length(),
                      .requests = requests_,
                      .median_yield = work_begin_.empty() ? 0 : median_yield()},
                     chosen_);
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      if (chosen_[k] == rates_[k]) continue;
      if (chosen_[k] == 0) ++decisions_.preemptions;
      window_.show_transfer(requests_[k].application, chosen_[k]);
    }
    rates_.swap(chosen_);
  }

  // The median yield of all applications, whether they work, idle or wait.
  double median_yield() {
    yields_.clear();
    for (const Pending& request : requests_) yields_.push_back(request.yield());
    is_pending_.assign(work_begin_.size(), false);
    for (const Pending& request : requests_) is_pending_[request.application] = true;
    for (std::uint32_t i = 0; i < work_begin_.size(); ++i) {
      if (is_pending_[i]) continue;
      const double work = window_.phase(i) == nullptr ? 0 : window_.now() - work_begin_[i];
      const double age = window_.now() - instance_.applications[i].release;
      yields_.push_back(age > 0 ? (window_.progress(i) + work) / age : 0);
    }
    return median(yields_);
  }

  double next_event() {
    const double now = window_.now();
    double next = std::min({instance_.end, strategy_.next_date(now), window_.next_work()});
    for (std::size_t k = 0; k < requests_.size(); ++k) {
      if (rates_[k] > 0) next = std::min(next, now + requests_[k].remaining / rates_[k]);
    }
    return next;
  }

  void advance(double next) {
    const double elapsed = next - window_.now();
    window_.set_now(next);
    for (std::size_t k = 0; k < requests_.size(); ++k) {
      Pending& request = requests_[k];
      request.age = next - window_.application(request.application).release;
      if (rates_[k] == 0) continue;
      const double moved = std::min(rates_[k] * elapsed, request.remaining);
      request.remaining -= moved;
      request.progress += moved / request.bandwidth;
    }
  }

  // Everything that ends now, in order of application.
  void complete() {
    ended_.clear();
    const double close = few_ulps(window_.now());
    std::size_t kept = 0;
    for (std::size_t k = 0; k < requests_.size(); ++k) {
      const Pending& request = requests_[k];
      if (request.remaining <= kTie * window_.amount(request.application) ||
          request.remaining <= close * rates_[k]) {
        ended_.push_back({request.application, true});
        continue;
      }
      requests_[kept] = request;
      rates_[kept++] = rates_[k];
    }
    requests_.resize(kept);
    rates_.resize(kept);
    window_.take_ended_work(ended_);
    if (ended_.size() > 1) std::sort(ended_.begin(), ended_.end());
    for (const auto& [i, is_operation] : ended_) {
      if (!learners_.empty()) learn(i, is_operation);
      is_operation ? window_.end_operation(i) : window_.end_work(i);
      begin_phase(i);
    }
  }

  void learn(std::uint32_t i, bool is_operation) {
    const Phase& phase = *window_.phase(i);
    if (is_operation) {
      learners_[i].end_operation(phase.amount / window_.application(i).bandwidth);
    } else {
      learners_[i].end_work(phase);
    }
  }

  const Instance& instance_;
  Strategy& strategy_;
  Window window_;
  std::vector<Learner> learners_;  // empty if the strategy does not need them
  std::vector<Pending> requests_;  // in order of posting
  std::vector<double> rates_, chosen_;
  std::vector<Window::Ended> ended_;
  std::vector<double> work_begin_;  // empty if the strategy does not need the median
  std::vector<double> yields_;
  std::vector<bool> is_pending_;
  Decisions decisions_;
};

bool have_same_age(const Instance& instance) {
  const auto& all = instance.applications;
  return std::all_of(all.begin(), all.end(), [&](const Application& application) {
    return application.release == all.front().release;
  });
}

// With fewer applications, asking the strategy at each event is faster than keeping operations in order.
constexpr std::size_t kMany = 200;

bool can_keep_order(const Instance& instance, Rank rank) {
  if (rank == Rank::asked || instance.applications.size() < kMany) return false;
  return rank != Rank::progress || have_same_age(instance);
}

}  // namespace

Run simulate(const Instance& instance, const Load& load, Strategy& strategy, Timeline* timeline,
             Stop stop) {
  if (strategy.rank() == Rank::same) return simulate_fair_share(instance, load, timeline, stop);
  if (can_keep_order(instance, strategy.rank())) {
    return simulate_in_order(instance, load, strategy, timeline, stop);
  }
  return simulate_asking(instance, load, strategy, timeline, stop);
}

Run simulate_asking(const Instance& instance, const Load& load, Strategy& strategy,
                    Timeline* timeline, Stop stop) {
  return Simulation(instance, strategy, timeline, stop).run(load);
}

}  // namespace holdfast::io
