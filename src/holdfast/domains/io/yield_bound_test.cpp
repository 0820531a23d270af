#include "holdfast/domains/io/yield_bound.hpp"

#include "holdfast/domains/io/generator.hpp"
#include "holdfast/domains/io/optimal_yield.hpp"
#include "holdfast/domains/io/test_windows.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::io;

namespace {

Phase moves(double volume) {
  return {Phase::Kind::io, volume};
}
Phase works(double seconds) {
  return {Phase::Kind::work, seconds};
}

Instance window(double length, std::vector<std::vector<Phase>> applications) {
  Instance instance;
  instance.bandwidth = 1;
  instance.end = length;
  for (auto& phases : applications) {
    Application application;
    application.id = std::to_string(instance.applications.size());
    application.bandwidth = 1;
    application.phases = std::move(phases);
    application.repeat = true;
    instance.applications.push_back(std::move(application));
  }
  return instance;
}

// Every way to give each second of the window to one application: the largest minimum yield. All can fill the file
// system alone, phases are whole seconds and repeat, and everybody begins with the window.
class EverySecond {
 public:
  explicit EverySecond(const Instance& instance)
      : instance_{instance}, left_{static_cast<int>(instance.length())} {
    for (const Application& application : instance.applications) {
      std::vector<bool> course;
      while (static_cast<int>(course.size()) < left_) {
        for (const Phase& phase : application.phases)
          course.insert(course.end(), static_cast<std::size_t>(phase.amount),
                        phase.kind == Phase::Kind::io);
      }
      courses_.push_back(std::move(course));
    }
  }

  double best() {
    return static_cast<double>(from(left_, std::vector<int>(courses_.size(), 0))) /
           instance_.length();
  }

 private:
  int from(int left, const std::vector<int>& done) {
    if (left == 0) return *std::min_element(done.begin(), done.end());
    const auto [entry, is_new] = known_.emplace(std::pair(left, done), -1);
    if (!is_new) return entry->second;
    std::vector<int> next = done;
    std::vector<std::size_t> waiting;
    for (std::size_t i = 0; i < done.size(); ++i) {
      if (courses_[i][static_cast<std::size_t>(done[i])]) {
        waiting.push_back(i);
      } else {
        ++next[i];
      }
    }
    int best = waiting.empty() ? from(left - 1, next) : 0;
    for (const std::size_t i : waiting) {
      ++next[i];
      best = std::max(best, from(left - 1, next));
      --next[i];
    }
    return known_[{left, done}] = best;
  }

  const Instance& instance_;
  int left_;
  std::vector<std::vector<bool>> courses_;  // of each second of dedicated execution: does it move?
  std::map<std::pair<int, std::vector<int>>, int> known_;
};

// How many runs of all strategies have a larger minimum yield than there can be.
std::int64_t beyond_bound(std::uint64_t first, std::uint64_t windows) {
  std::int64_t beyond = 0;
  for (std::uint64_t seed = first; seed < first + windows; ++seed) {
    const Instance instance = random_window(seed, seed % 2 == 0);
    const double bound = yield_bound(instance);
    for (const std::string_view strategy : kSharing) {
      if (run_of(instance, strategy).metrics.minimum_yield > bound * (1 + 1e-9)) ++beyond;
    }
  }
  return beyond;
}

}  // namespace

TEST_CASE("yield bound: windows of which the best schedule is known") {
  // Alone nobody waits.
  CHECK(yield_bound(window(10, {{works(3), moves(1)}})) == 1);
  // Four that move all the time share what there is.
  CHECK(yield_bound(window(8, {{moves(1)}, {moves(1)}, {moves(1)}, {moves(1)}})) ==
        doctest::Approx(0.25).epsilon(1e-9));
  // One moves while the other works, and the other way round.
  CHECK(yield_bound(window(8, {{moves(1), works(1)}, {works(1), moves(1)}})) == 1);
  // Both want the first 4 of 8 seconds, and then work: the one that moves last has done 4.
  CHECK(yield_bound(window(8, {{moves(4), works(100)}, {moves(4), works(100)}})) ==
        doctest::Approx(0.5).epsilon(1e-9));
  // An application that can no longer catch up holds the minimum down: (0 + 10) / 20.
  Instance late = window(10, {{works(1)}, {works(1)}});
  late.applications[0].release = -10;
  late.applications[1].release = -10;
  late.applications[1].progress = 10;
  CHECK(yield_bound(late) == 0.5);
}

TEST_CASE("yield bound: no schedule by the second is beyond it; the optimum is the best of them") {
  Stream stream({.seed = 29});
  int met = 0, searched = 0, below_relaxation = 0;
  constexpr int kWindows = 300;
  for (int i = 0; i < kWindows; ++i) {
    std::vector<std::vector<Phase>> applications(static_cast<std::size_t>(stream.integer(2, 3)));
    for (auto& phases : applications) {
      const bool first = stream.chance(0.5);
      for (int k = 0; k < 4; ++k) {
        const auto amount = static_cast<double>(stream.integer(1, 4));
        phases.push_back((k % 2 == 0) == first ? moves(amount) : works(amount));
      }
    }
    const Instance instance = window(static_cast<double>(stream.integer(4, 14)), applications);
    const double bound = yield_bound(instance);
    const double best = EverySecond(instance).best();
    CAPTURE(i);
    REQUIRE(best <= bound * (1 + 1e-9));
    // What whole seconds can reach of it: with whole phases, all that lies below it.
    const auto whole = [&](double yield) {
      return std::floor(yield * instance.length() * (1 + 1e-9)) / instance.length();
    };
    if (best == doctest::Approx(whole(bound)).epsilon(1e-9)) ++met;
    const auto optimal = optimal_yield(instance, bound, 100'000);
    if (!optimal || !optimal->is_optimal) continue;
    ++searched;
    CHECK(best == doctest::Approx(whole(optimal->bound)).epsilon(1e-9));
    if (optimal->bound < bound * (1 - 1e-6)) ++below_relaxation;
  }
  MESSAGE(met << " of " << kWindows << " windows: the best schedule meets the relaxation; of "
              << searched << " the optimum is known, in " << below_relaxation << " it is lower");
  CHECK(met > kWindows / 2);
  CHECK(searched > kWindows * 9 / 10);
  CHECK(below_relaxation > 0);
}

TEST_CASE("optimal yield: its schedule runs in the simulator and has it; no strategy has more") {
  int searched = 0, below_relaxation = 0, met = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Instance instance = random_window(seed, seed % 2 == 0);
    const double bound = yield_bound(instance);
    const auto optimal = optimal_yield(instance, bound);
    if (!optimal) continue;
    CHECK(optimal->bound <= bound);
    double best = 0;
    for (const std::string_view strategy : kSharing)
      best = std::max(best, run_of(instance, strategy).metrics.minimum_yield);
    CHECK(best <= optimal->bound * (1 + 1e-9));
    if (!optimal->is_optimal) continue;
    ++searched;
    if (optimal->bound < bound * (1 - 1e-6)) ++below_relaxation;
    if (best > optimal->bound * (1 - 1e-6)) ++met;
    instance.given = optimal->rates;
    CHECK(run_of(instance, "as-given").metrics.minimum_yield ==
          doctest::Approx(optimal->bound).epsilon(1e-8));
  }
  MESSAGE(searched << " windows: in " << below_relaxation
                   << " the optimum is below the relaxation, in " << met
                   << " some strategy has it");
  CHECK(searched > 50);
  CHECK(below_relaxation > 0);
  CHECK(met < searched);
}

TEST_CASE("optimal yield: a search that is cut short is a bound, and large windows have none") {
  const Instance hard =
      window(14, {{moves(3), works(2)}, {moves(2), works(3)}, {works(1), moves(4)}});
  const double bound = yield_bound(hard);
  const auto whole = optimal_yield(hard, bound, 100'000);
  REQUIRE(whole);
  REQUIRE(whole->is_optimal);
  for (const std::int64_t most : {1, 10, 100}) {
    const auto cut = optimal_yield(hard, bound, most);
    REQUIRE(cut);
    CHECK(cut->bound >= whole->bound);
    CHECK(cut->bound <= bound);
  }
  CHECK_FALSE(optimal_yield(window(1000, {{works(1), moves(1)}, {moves(1), works(1)}}), 1));
}

TEST_CASE("optimal yield: how far rule and relaxation are from it in drawn windows at load 0.8") {
  // Windows of 4 applications, of which the search finishes about nine in ten.
  Moments look_ahead, best_next_event, relaxation;
  int met = 0;
  constexpr std::int64_t kWindows = 100;
  for (std::uint64_t seed = 1; look_ahead.count() < kWindows; ++seed) {
    REQUIRE(seed < 2 * kWindows);
    const Instance instance =
        generate({.applications = 4, .small = 0, .length = 2e4}, {.seed = seed}).value();
    const double bound = yield_bound(instance);
    const auto optimal = optimal_yield(instance, bound);
    if (!optimal || !optimal->is_optimal || optimal->bound == 0) continue;
    const auto reached = [&](std::string_view strategy) {
      return run_of(instance, strategy).metrics.minimum_yield / optimal->bound;
    };
    look_ahead.add(reached("look-ahead-greedy-yield"));
    best_next_event.add(reached("best-next-event"));
    relaxation.add(optimal->bound / bound);
    if (optimal->bound > bound * (1 - 1e-6)) ++met;
  }
  MESSAGE("of the optimum, look-ahead-greedy-yield has "
          << 100 * look_ahead.mean() << " %, best-next-event " << 100 * best_next_event.mean()
          << " %; of the relaxation, the optimum has " << 100 * relaxation.mean() << " %, in "
          << met << " of " << kWindows << " all");
  CHECK(look_ahead.mean() < 1);
  CHECK(best_next_event.mean() < 1);
  CHECK(relaxation.mean() < 1);
}

TEST_CASE("yield bound: no strategy is beyond it, 300 random windows") {
  CHECK(beyond_bound(1, 300) == 0);
}

TEST_CASE("yield bound: no strategy is beyond it, 10 000 random windows" *
          doctest::test_suite("thorough")) {
  CHECK(beyond_bound(1000, 10'000) == 0);
}
