#include "holdfast/domains/checkpoint/realisation.hpp"
#include "holdfast/domains/checkpoint/simulate.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

/// The earliest end of a small job in whole seconds, by trying everything: at each second the job may work, write a
/// checkpoint, recover or wait. No step of a strategy or of the simulator is used.
class EveryAction {
 public:
  explicit EveryAction(const Instance& instance) : job_{instance} {
    for (const FailureEvent& event : *instance.events) dates_.push_back(whole(event.date));
  }

  std::int64_t earliest_end() {
    open_.insert({.ready = true});
    for (;;) {
      const State state = *open_.begin();
      open_.erase(open_.begin());
      const bool is_done =
          state.safe == whole(job_.work) || (!job_.ends.final_checkpoint && state.ready &&
                                             state.safe + state.unsaved == whole(job_.work));
      if (is_done) return state.now;
      try_all(state);
    }
  }

 private:
  struct State {
    std::int64_t now = 0;
    std::size_t next = 0;  // failure
    std::int64_t safe = 0, unsaved = 0;
    bool ready = false;  // recovered
    friend auto operator<=>(const State&, const State&) = default;
  };

  static std::int64_t whole(double seconds) { return static_cast<std::int64_t>(seconds); }

  void try_all(const State& at) {
    pass(at, 1, at);  // wait
    if (!at.ready) {
      State recovered = at;
      recovered.ready = true;
      const bool is_free = at.safe == 0 && !job_.ends.initial_recovery;
      pass(at, is_free ? 0 : whole(job_.recovery), recovered);
      return;
    }
    State saved = at;
    saved.safe += std::exchange(saved.unsaved, 0);
    pass(at, whole(job_.checkpoint), saved);
    State worked = at;
    if (worked.safe + ++worked.unsaved <= whole(job_.work)) pass(at, 1, worked);
  }

  // An activity that ends as `after`, unless a failure strikes it.
  void pass(const State& at, std::int64_t length, State after) {
    const bool is_struck = at.next < dates_.size() && dates_[at.next] < at.now + length;
    after.now = at.now + length;
    if (is_struck) {
      after = {.now = dates_[at.next] + whole(job_.downtime), .next = at.next + 1, .safe = at.safe};
      while (after.next < dates_.size() && dates_[after.next] < after.now) ++after.next;
    }
    open_.insert(after);
  }

  const Instance& job_;
  std::vector<std::int64_t> dates_;
  std::set<State> open_;  // earliest first; time passes, or something is recovered or saved
};

/// Small numbers, the same in every run.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : engine_{seed} {}
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  double some(double low, double high) {
    return low + (high - low) * static_cast<double>(between(0, 1 << 20)) / (1 << 20);
  }

 private:
  std::mt19937_64 engine_;
};

Metrics run(const Instance& instance, std::string_view strategy, Realisation& realisation) {
  const StrategySpec spec = parse_strategy(strategy, strategies()).value();
  const auto rule = make_strategy(spec, instance).value();
  return simulate(instance, *rule, realisation, replans(spec));
}

Instance in_whole_seconds(Numbers& numbers) {
  Instance instance;
  instance.work = static_cast<double>(numbers.between(1, 12));
  instance.checkpoint = static_cast<double>(numbers.between(1, 4));
  instance.recovery = static_cast<double>(numbers.between(0, 4));
  instance.downtime = static_cast<double>(numbers.between(0, 3));
  instance.ends = {.final_checkpoint = numbers.between(0, 2) > 0,
                   .initial_recovery = numbers.between(0, 1) > 0};
  instance.events.emplace();
  double date = static_cast<double>(numbers.between(0, 9));
  for (std::int64_t i = numbers.between(0, 8); i > 0; --i) {
    instance.events->push_back({date, 0});
    date += static_cast<double>(numbers.between(1, 14));
  }
  return instance;
}

Instance with_a_law(Numbers& numbers) {
  const double mean = numbers.some(2000, 40000);
  const std::vector<Law> laws = {
      lognormal_law_of_mean(mean, 2.55), weibull_law_of_mean(0.5, mean),
      gamma_law_of_mean(0.5, mean),      weibull_law_of_mean(0.7, mean),
      gamma_law_of_mean(0.7, mean),      exponential_law(mean),
      weibull_law_of_mean(1.5, mean),    lognormal_law_of_mean(mean, 1.41)};
  Instance instance;
  instance.work = numbers.some(10, 4000);
  instance.checkpoint = numbers.some(5, 100);
  instance.recovery = numbers.some(0, 100);
  instance.downtime = numbers.some(0, 20);
  instance.processors = numbers.between(1, 12);
  instance.law = laws[static_cast<std::size_t>(numbers.between(0, 7))];
  instance.platform_age = numbers.some(0, 8000);
  instance.horizon = instance.platform_age + numbers.some(1000, 200000);
  instance.ends = {.final_checkpoint = numbers.between(0, 2) > 0,
                   .initial_recovery = numbers.between(0, 2) > 0};
  if (numbers.between(0, 3) == 0) instance.rejuvenation = Rejuvenation::all;
  return instance;
}

}  // namespace

TEST_CASE("clairvoyant: saves what fits before each failure") {
  struct Row {
    std::string_view why;
    double work;
    std::vector<double> failures;
    JobEnds ends;
    double makespan;
    std::int64_t checkpoints;
  };
  // C = 10, R = 2, D = 1
  const Row rows[] = {
      {"no failure: 100 + 10", 100, {}, {}, 110, 1},
      {"60 are safe when it strikes: 70 + 1 + 2 + 40 + 10", 100, {70}, {}, 123, 2},
      {"the job ends as it strikes", 100, {110}, {}, 110, 1},
      {"no room for a checkpoint: 10 + 1 + 2 + 100 + 10", 100, {10}, {}, 123, 1},
      {"1 s is saved, which 1 + 2 and a checkpoint follow all the same", 100, {11}, {}, 123, 2},
      {"twice: 60, then 90 - 73 - 10 = 7, then 33", 100, {70, 90}, {}, 136, 3},
      {"without a last checkpoint 105 are enough", 100, {105}, {false, true}, 100, 0},
      // Saving 1 s in the first 11 would make the second failure pay 2: 11 + 1, 115 + 1 + 2 + ...
      {"nothing is saved where recoveries cost more", 100, {11, 122}, {true, false}, 122, 1},
      {"and much is, where they cost less", 100, {70, 175}, {true, false}, 123, 2},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    Instance instance;
    instance.work = row.work;
    instance.checkpoint = 10;
    instance.recovery = 2;
    instance.downtime = 1;
    instance.ends = row.ends;
    instance.events.emplace();
    for (const double date : row.failures) instance.events->push_back({date, 0});
    const auto realisation = Realisation::make(instance, nullptr, {});
    const Metrics metrics = run(instance, "clairvoyant", *realisation);
    CHECK(metrics.makespan == row.makespan);
    CHECK(metrics.checkpoints == row.checkpoints);
  }
}

TEST_CASE("clairvoyant: ends when the best of all schedules does, 10 000 small jobs") {
  Numbers numbers(29);
  int struck = 0;
  for (int i = 0; i < 10'000; ++i) {
    const Instance instance = in_whole_seconds(numbers);
    REQUIRE(check(instance).has_value());
    const auto realisation = Realisation::make(instance, nullptr, {});
    const Metrics metrics = run(instance, "clairvoyant", *realisation);
    CAPTURE(i);
    REQUIRE(metrics.makespan == static_cast<double>(EveryAction(instance).earliest_end()));
    if (metrics.failures > 1) ++struck;
  }
  CHECK(struck > 2000);  // the jobs are no trivial ones
}

TEST_CASE("clairvoyant: no strategy ends sooner, 10 000 random jobs" *
          doctest::test_suite("thorough")) {
  Numbers numbers(2029);
  int ahead = 0;
  for (int i = 0; i < 10'000; ++i) {
    const Instance instance = with_a_law(numbers);
    REQUIRE(check(instance).has_value());
    const auto law = std::make_shared<const TabulatedLaw>(*instance.law);
    const auto realisation =
        Realisation::make(instance, law, {.seed = static_cast<std::uint64_t>(i)});
    const Metrics bound = run(instance, "clairvoyant", *realisation);
    for (const char* strategy : {"next-step", "next-failure", "local-young-daly", "young-daly",
                                 "daly", "optimal-exponential", "fixed:60", "fixed:1000", "none"}) {
      CAPTURE(i);
      CAPTURE(strategy);
      const Metrics metrics = run(instance, strategy, *realisation);
      // Both add up the same dates in another order.
      REQUIRE(bound.makespan <= metrics.makespan * (1 + 1e-12));
      if (metrics.completed) REQUIRE(bound.completed);
      if (bound.makespan < metrics.makespan) ++ahead;
    }
  }
  CHECK(ahead > 40'000);  // of 90 000: mostly the bound is no trivial one
}
