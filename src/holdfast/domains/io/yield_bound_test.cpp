#include "holdfast/domains/io/yield_bound.hpp"

#include "holdfast/domains/io/test_windows.hpp"

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
  // Both want the first 4 of 8 seconds, and then work: whoever moves last has done 4.
  CHECK(yield_bound(window(8, {{moves(4), works(100)}, {moves(4), works(100)}})) ==
        doctest::Approx(0.5).epsilon(1e-9));
  // An application that can no longer catch up holds the minimum down: (0 + 10) / 20.
  Instance late = window(10, {{works(1)}, {works(1)}});
  late.applications[0].release = -10;
  late.applications[1].release = -10;
  late.applications[1].progress = 10;
  CHECK(yield_bound(late) == 0.5);
}

TEST_CASE("yield bound: no schedule by the second is beyond it, and some are at it") {
  Stream stream({.seed = 29});
  int met = 0;
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
    // What whole seconds can reach of it.
    const double whole = std::floor(bound * instance.length() * (1 + 1e-9)) / instance.length();
    if (best == doctest::Approx(whole).epsilon(1e-9)) ++met;
  }
  MESSAGE(met << " of " << kWindows << " windows: the best schedule meets the bound");
  CHECK(met > kWindows / 2);
}

TEST_CASE("yield bound: no strategy is beyond it, 300 random windows") {
  CHECK(beyond_bound(1, 300) == 0);
}

TEST_CASE("yield bound: no strategy is beyond it, 10 000 random windows" *
          doctest::test_suite("slow")) {
  CHECK(beyond_bound(1000, 10'000) == 0);
}
