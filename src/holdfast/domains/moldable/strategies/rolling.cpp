#include "holdfast/domains/moldable/simulate.hpp"
#include "holdfast/domains/moldable/strategies/makers.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

namespace holdfast::moldable {
namespace {

// Candidates are tried on so many scenarios, more for fewer jobs. The choice ends after at most about half a second, counted in
// allocations, so that it does not depend on a clock; an allocation under a power law takes four times as long.
constexpr std::size_t kLeastTries = 6, kMostTries = 30, kJobTries = 3000;
// Where errors strike busy processors, runs differ so much that it takes four times as many.
constexpr std::size_t kMoreTries = 4;
constexpr std::int64_t kMostWork = 9'000'000;
constexpr std::int64_t kPowerLaw = 4;
constexpr std::size_t kMostTried = 10'000;  // with more, one candidate alone would take too long
constexpr double kGain = 0.995;  // a candidate must be so much better; below, chance decides

struct Variant {
  double RollingRules::*number;
  double value;
};
constexpr auto kVariants = std::to_array<Variant>({{&RollingRules::theta, 1},
                                                   {&RollingRules::cap, 0},
                                                   {&RollingRules::cap, 0.02},
                                                   {&RollingRules::caution, 0.4},
                                                   {&RollingRules::caution, 0.8},
                                                   {&RollingRules::reserve, 0.3},
                                                   {&RollingRules::levels, 1.5},
                                                   {&RollingRules::levels, 2},
                                                   {&RollingRules::levels, 2.4}});
// Where nothing is expected to fail: with twice the processors for half the time, rounding them up costs half as much.
constexpr auto kSafeVariants = std::to_array<Variant>({{&RollingRules::theta, 1},
                                                       {&RollingRules::cap, 0},
                                                       {&RollingRules::levels, 1.5},
                                                       {&RollingRules::levels, 2},
                                                       {&RollingRules::levels, 2.5},
                                                       {&RollingRules::levels, 3},
                                                       {&RollingRules::levels, 4},
                                                       {&RollingRules::levels, 6},
                                                       {&RollingRules::levels, 8}});

bool is_safe(const State& state) {
  double failures = 0;  // that are expected
  for (const std::uint32_t job : state.pending) failures += state.exposures[job];
  return failures < 1e-3;
}

/// The courses that are tried for one set of jobs, and the best so far.
class Choice {
 public:
  /// @param first  is tried, and taken if there is no time to try it
  Choice(const State& state, const Course& first) : state_{state}, best_{first} {
    const std::size_t more = state.errors.counts_area() ? kMoreTries : 1;
    const std::size_t tries = more * kJobTries / state.pending.size();
    scenarios_.resize(is_safe(state) ? 1
                                     : std::clamp(tries, more * kLeastTries, more * kMostTries));
    for (std::uint64_t k = 0; k < scenarios_.size(); ++k) {
      // The seed is the rule's own: it must not know the failures of any run.
      draw_errors(state, {.seed = 0x726F6C6C, .purpose = Purpose::strategy, .scenario = k},
                  scenarios_[k]);
    }
    const bool is_power = std::ranges::any_of(state.pending, [&](std::uint32_t job) {
      return state.jobs[job].model() == SpeedupModel::power;
    });
    work_left_ = is_power ? kMostWork / kPowerLaw : kMostWork;
    first_ = attempt(first);
  }

  /// Returns the sum of its ratios; infinity if there is no time to try it.
  double attempt(const Course& course) {
    constexpr double kUntried = std::numeric_limits<double>::infinity();
    if (work_left_ <= 0) return kUntried;
    Simulator simulator(state_, course);
    ErrorRealisation errors;
    double sum = 0;
    for (const ErrorRealisation& scenario : scenarios_) {
      errors = scenario;
      sum += simulator.run(errors).ratio;
      if (simulator.work() <= work_left_) continue;
      work_left_ = 0;
      return kUntried;
    }
    work_left_ -= simulator.work();
    if (sum < kGain * least_) {
      least_ = sum;
      best_ = course;
    }
    return sum;
  }
  [[nodiscard]] const Course& best() const { return best_; }

  /// Tries variants of the rules, one number after the other, whether they are the best so far or another course is.
  void vary(RollingRules rules, std::span<const Variant> variants, const Strategy* fall_back) {
    double least = first_;
    for (const auto& [number, value] : variants) {
      RollingRules varied = rules;
      varied.*number = value;
      const double sum = attempt({.rolling = varied, .fall_back = fall_back});
      if (sum >= kGain * least) continue;
      least = sum;
      rules = varied;
    }
  }

 private:
  State state_;
  std::vector<ErrorRealisation> scenarios_;
  std::int64_t work_left_;
  double least_ = std::numeric_limits<double>::max();
  double first_ = 0;
  Course best_;
};

/// One common deadline instead of batches (RollingRun), or what ends sooner on a few scenarios of its own.
class Rolling final : public Strategy {
 public:
  /// @param rules  to take them without trying others
  Rolling(std::optional<RollingRules> rules, std::unique_ptr<Strategy> fall_back)
      : Strategy(Priority::lpt),
        rules_{rules},
        batch_fit_{batch_fit_rule()},
        min_time_{min_time_rule()},
        fall_back_{std::move(fall_back)} {}

  bool may_wait() const override { return true; }

  std::optional<Course> course(const State& state) const override {
    if (state.errors.saves()) return course_of_lists(state);
    const Course rolling{.rolling = rules_.value_or(RollingRules{}), .fall_back = fall_back_.get()};
    // Trying others would need the jobs that nobody knows of yet.
    if (rules_ || !state.releases.empty() || state.pending.size() > kMostTried) return rolling;
    Choice choice(state, rolling);
    choice.attempt({.fall_back = fall_back_.get()});
    choice.attempt({.batches = batch_fit_.get(), .fall_back = fall_back_.get()});
    // No ratio is proven for these errors, so that a rule without one may be tried too.
    if (state.errors.counts_area() && !is_safe(state))
      choice.attempt({.fall_back = min_time_.get()});
    // Of many variants one is the best of few scenarios by chance: it should not take the place of another rule.
    if (choice.best().rolling || is_safe(state)) {
      choice.vary(*rolling.rolling,
                  is_safe(state) ? std::span<const Variant>(kSafeVariants) : kVariants,
                  fall_back_.get());
    }
    return choice.best();
  }

  void allot(const State& state, std::int64_t attempts, Allotment& out) const override {
    const Course chosen = *course(state);
    State present = state;
    present.releases = {};
    if (chosen.rolling) return RollingRun(present, *chosen.rolling).first(out);
    (chosen.batches != nullptr ? chosen.batches : chosen.fall_back)->allot(state, attempts, out);
  }

 private:
  // Attempts that are saved never fail, and it is unknown when they end: there is no deadline to keep.
  Course course_of_lists(const State& state) const {
    const Course lpa{.fall_back = fall_back_.get()};
    if (!state.releases.empty() || state.pending.size() > kMostTried) return lpa;
    Choice choice(state, lpa);
    choice.attempt({.fall_back = min_time_.get()});
    choice.attempt({.batches = batch_fit_.get()});
    return choice.best();
  }

  std::optional<RollingRules> rules_;
  std::unique_ptr<Strategy> batch_fit_;
  std::unique_ptr<Strategy> min_time_;
  std::unique_ptr<Strategy> fall_back_;
};

}  // namespace

Result<std::unique_ptr<Strategy>> make_rolling(const StrategySpec& spec, const Instance& instance) {
  std::optional<RollingRules> rules;
  if (spec.has("theta") || spec.has("cap")) {
    rules.emplace();
    if (spec.has("theta")) rules->theta = spec.number("theta");
    if (spec.has("cap")) rules->cap = spec.number("cap");
  }
  // Of lpa, no constant ratio is proven for the other models.
  const bool is_proven = std::ranges::all_of(instance.jobs, [](const Speedup& job) {
    return job.model() != SpeedupModel::power && job.model() != SpeedupModel::table;
  });
  return std::make_unique<Rolling>(
      rules, is_proven || !instance.releases.empty() ? lpa_rule() : batch_rule());
}

}  // namespace holdfast::moldable
