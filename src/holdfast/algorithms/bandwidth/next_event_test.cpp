#include "holdfast/algorithms/bandwidth/next_event.hpp"

#include "holdfast/kernel/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace holdfast;
using namespace holdfast::bandwidth;

namespace {

std::vector<Pending> random_requests(Stream& stream, std::int64_t count) {
  constexpr double kBandwidths[] = {0.25, 0.5, 1};
  std::vector<Pending> requests;
  for (std::int64_t i = 0; i < count; ++i) {
    const double age = stream.chance(0.2) ? 10 : stream.uniform(0.5, 30);
    requests.push_back({.application = static_cast<std::uint32_t>(i),
                        .bandwidth = kBandwidths[stream.integer(0, 2)],
                        .remaining = stream.uniform(0.05, 8),
                        .progress = age * stream.uniform(),
                        .age = age});
  }
  return requests;
}

// The best least yield if operation `end` (or nothing) ends after `horizon`: halving on the level.
double level_at(const std::vector<Pending>& requests, double horizon, std::size_t end) {
  const double all = end < requests.size() ? horizon - requests[end].remaining : horizon;
  if (all < 0) return -1;
  double low = 0, high = 1;
  for (int step = 0; step < 60; ++step) {
    const double level = (low + high) / 2;
    double asked = 0;
    bool fits = true;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Pending& r = requests[i];
      const double need = r.bandwidth * std::max(0.0, level * (r.age + horizon) - r.progress);
      fits = fits && need <= std::min(r.bandwidth * horizon, r.remaining);
      if (i != end) asked += need;
    }
    (fits && asked <= all ? low : high) = level;
  }
  return low;
}

}  // namespace

TEST_CASE("best-next-event: a fine grid over horizons and ends never finds a better least yield") {
  Stream stream({.seed = 5});
  constexpr std::int64_t kSizes[] = {2, 3, 4, 6, 10};
  int judged = 0;
  for (int trial = 0; trial < 250; ++trial) {
    const auto requests = random_requests(stream, kSizes[trial % 5]);
    const double window = stream.uniform(0.5, 20);
    double asked = 0;
    for (const Pending& r : requests) asked += r.bandwidth;
    if (asked <= 1) continue;
    ++judged;
    NextEventSearch search;
    const NextEvent event = search.best(
        {.bandwidth = 1, .left = window, .window = window, .requests = requests}, window);
    double least = std::numeric_limits<double>::infinity(), moved = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Pending& r = requests[i];
      const double volume = search.volumes()[i];
      moved += volume;
      CHECK(volume >= 0);
      CHECK(volume <= r.bandwidth * event.horizon * (1 + 1e-12));
      CHECK(volume <= r.remaining * (1 + 1e-12));
      least = std::min(least, (r.progress + volume / r.bandwidth) / (r.age + event.horizon));
    }
    CHECK(moved <= event.horizon * (1 + 1e-12));
    CHECK(least >= search.level() - 1e-12);
    if (event.end) CHECK(search.volumes()[*event.end] == requests[*event.end].remaining);
    for (std::size_t end = 0; end <= requests.size(); ++end) {
      if (end == requests.size()) {
        CHECK(level_at(requests, window, end) <= least + 1e-12);
        continue;
      }
      const double soonest = requests[end].remaining / requests[end].bandwidth;
      constexpr int kSteps = 200;
      for (int k = 0; k <= kSteps && soonest < window; ++k) {
        const double horizon = soonest + (window - soonest) * k / kSteps;
        REQUIRE(level_at(requests, horizon, end) <= least + 1e-12);
      }
    }
  }
  CHECK(judged > 150);
}

namespace {

// Whether all can have this yield when operation `end` is the first to finish: the least of a convex function of the
// horizon, by cutting the interval in three. Slow, and nothing of the search's.
bool is_in_reach(const std::vector<Pending>& requests, double window, double level,
                 std::size_t end) {
  double low = requests[end].remaining / requests[end].bandwidth, high = window;
  for (const Pending& r : requests) {
    low = std::max(low, (level * r.age - r.progress) / (1 - level));
    high = std::min(high, (r.progress + r.remaining / r.bandwidth) / level - r.age);
  }
  const auto gap = [&](double horizon) {
    double asked = requests[end].remaining - horizon;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Pending& r = requests[i];
      if (i != end) asked += r.bandwidth * std::max(0.0, level * (r.age + horizon) - r.progress);
    }
    return asked;
  };
  if (low > high) return false;
  for (int step = 0; step < 200; ++step) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    (gap(left) <= gap(right) ? high : low) = gap(left) <= gap(right) ? right : left;
  }
  return std::min(gap(low), gap(high)) <= 0;
}

}  // namespace

TEST_CASE("best-next-event: a level above the one found is out of reach, and this one is not") {
  Stream stream({.seed = 6});
  for (int trial = 0; trial < 600; ++trial) {
    auto requests = random_requests(stream, stream.integer(2, 24));
    const bool is_fresh = trial % 4 == 1;  // yields near 0, ages that differ little
    const bool is_old = trial % 4 == 2;    // long histories, short operations
    for (Pending& r : requests) {
      r.bandwidth = std::max(r.bandwidth, trial % 2 == 0 ? 1 : 0.5);
      if (is_fresh) r.progress = 0;
      if (is_old) {
        r.age = 1e5 + r.age;
        r.progress = r.age * stream.uniform(0.8, 1);
      }
    }
    const double window = trial % 5 == 0 ? stream.uniform(0.1, 2) : 1e4;
    NextEventSearch search;
    static_cast<void>(search.best(
        {.bandwidth = 1, .left = window, .window = window, .requests = requests}, window));
    constexpr double kClose = 1e-10;
    bool is_reached = false;
    for (std::size_t end = 0; end < requests.size(); ++end) {
      REQUIRE_FALSE(is_in_reach(requests, window, search.level() * (1 + kClose), end));
      is_reached = is_reached || is_in_reach(requests, window, search.level() * (1 - kClose), end);
    }
    // The window's end is an event too: level_at() knows it.
    CHECK((is_reached ||
           level_at(requests, window, requests.size()) >= search.level() * (1 - kClose)));
    CHECK(level_at(requests, window, requests.size()) <= search.level() + kClose);
  }
}
