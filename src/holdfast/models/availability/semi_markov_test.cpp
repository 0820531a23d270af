#include "holdfast/models/availability/semi_markov.hpp"

#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

constexpr WorkerState kUp = WorkerState::up;
constexpr WorkerState kReclaimed = WorkerState::reclaimed;
constexpr WorkerState kDown = WorkerState::down;

// Up for Weibull times (shape 0.7, scale 10 h), reclaimed for exponential ones (mean 1 h), down for Weibull ones (shape
// 2, scale 30 min). From up it is reclaimed 3 times in 4, from there it always comes back.
std::vector<WorkerHistory> drawn_workers(int count, double until) {
  std::vector<WorkerHistory> out;
  for (int q = 0; q < count; ++q) {
    Stream stream({.purpose = Purpose::tool, .entity = static_cast<std::uint64_t>(q)});
    WorkerHistory worker{.name = std::to_string(q), .intervals = {}};
    WorkerState state = kUp;
    for (double now = 0; now < until;) {
      const double stay = state == kUp          ? sample_weibull(stream, 0.7, 36000)
                          : state == kReclaimed ? sample_weibull(stream, 1, 3600)
                                                : sample_weibull(stream, 2, 1800);
      worker.intervals.push_back({now, std::min(until, now + stay), state});
      now += stay;
      state = state != kUp ? kUp : stream.chance(0.75) ? kReclaimed : kDown;
    }
    out.push_back(std::move(worker));
  }
  return out;
}

const LawFit& law_of(const SemiMarkovState& state, LawFamily family) {
  for (const LawComparison& row : state.laws.rows) {
    if (row.fit.family == family) return row.fit;
  }
  FAIL("the law was not fitted");
  return state.laws.rows.front().fit;
}

void check_near(const LawFit& fit, std::string_view name, double truth) {
  const FittedParameter& found = fit.parameter(name);
  CAPTURE(name);
  CHECK(std::abs(found.value - truth) < 4 * found.standard_error);
  CHECK(found.standard_error < 0.05 * truth);
}

}  // namespace

TEST_CASE("stays: the first has no known age, the last is censored, a gap ends both") {
  const WorkerHistory worker{
      .name = "a",
      .intervals = {{0, 10, kUp},
                    {10, 12, kDown},
                    {12, 20, kUp},  // one stay of 15 s with the next interval
                    {20, 27, kUp},
                    {27, 30, kReclaimed},
                    // not observed from 30 to 40
                    {40, 45, kReclaimed},
                    {45, 50, kUp}}};
  const auto stays = stays_of(std::vector{worker});
  CHECK(stays[0].lives == std::vector<Lifetime>{Lifetime::exact(15), Lifetime::censored(5)});
  CHECK(stays[0].next == std::array<std::int64_t, 3>{0, 1, 0});
  CHECK(stays[0].begun_before == 1);
  CHECK(stays[0].seconds == 10 + 15 + 5);
  CHECK(stays[0].seconds_begun_before == 10);
  CHECK(stays[1].lives == std::vector<Lifetime>{Lifetime::censored(3)});
  CHECK(stays[1].begun_before == 1);
  CHECK(stays[1].complete() == 0);
  CHECK(stays[2].lives == std::vector<Lifetime>{Lifetime::exact(2)});
  CHECK(stays[2].next == std::array<std::int64_t, 3>{1, 0, 0});
}

TEST_CASE("semi-Markov: laws and jumps are found again within their errors") {
  const auto workers = drawn_workers(200, 60 * 86400.0);
  const auto fit = fit_semi_markov(workers);
  REQUIRE(fit);
  const SemiMarkovState& up = fit->states[0];
  CHECK(up.laws.rows.front().fit.family == LawFamily::weibull);
  check_near(law_of(up, LawFamily::weibull), "shape", 0.7);
  check_near(law_of(up, LawFamily::weibull), "scale", 36000);
  check_near(law_of(fit->states[1], LawFamily::exponential), "mtbf", 3600);
  check_near(law_of(fit->states[2], LawFamily::weibull), "shape", 2);
  check_near(law_of(fit->states[2], LawFamily::weibull), "scale", 1800);
  REQUIRE(up.next);
  CHECK(up.intervals[1].low < 0.75);
  CHECK(up.intervals[1].high > 0.75);
  CHECK(up.intervals[1].high - up.intervals[1].low < 0.05);
  CHECK((*up.next)[0] == 0);
  CHECK(*fit->states[2].next == std::array<double, 3>{1, 0, 0});
  // Mean stays: 36000 Gamma(1 + 1/0.7) = 45570 s, 3600 s, 1800 Gamma(1.5) = 1595 s; visits 1 : 3/4 : 1/4.
  const double cycle =
      36000 * std::tgamma(1 + 1 / 0.7) + 0.75 * 3600 + 0.25 * 1800 * std::tgamma(1.5);
  REQUIRE(fit->long_run);
  CHECK((*fit->long_run)[0] ==
        doctest::Approx(36000 * std::tgamma(1 + 1 / 0.7) / cycle).epsilon(0.01));
  CHECK((*fit->long_run)[0] == doctest::Approx(fit->seen[0]).epsilon(0.01));
}

TEST_CASE(
    "semi-Markov: a state whose end was never observed has no law, and an empty record is "
    "refused") {
  const WorkerHistory always{.name = "a", .intervals = {{0, 100, kUp}}};
  const auto fit = fit_semi_markov(std::vector{always});
  REQUIRE(fit);
  CHECK(fit->seen[0] == 1);
  CHECK(!fit->states[0].next);
  CHECK(fit->states[0].laws.rows.empty());
  CHECK(!fit->long_run);
  CHECK_FALSE(fit_semi_markov(std::vector{WorkerHistory{}}));
}
