#include "holdfast/domains/volatile/availability.hpp"

#include "holdfast/domains/volatile/generator.hpp"
#include "holdfast/domains/volatile/testing.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::volatile_workers;

namespace {

Instance one_worker(const TransitionMatrix& markov, std::int64_t slots) {
  Instance instance;
  instance.slot_limit = slots;
  instance.workers.push_back({.speed = 1, .max_tasks = 1, .markov = markov});
  return instance;
}

}  // namespace

TEST_CASE("drawn states: transitions are as frequent as the matrix says") {
  const TransitionMatrix markov{{{.9, .06, .04}, {.2, .75, .05}, {.5, .1, .4}}};
  const Instance instance = one_worker(markov, 400000);
  const auto states = drawn_availability(instance, {});
  std::array<std::array<double, 3>, 3> seen{};
  std::size_t record = 0;
  auto before = static_cast<std::size_t>(states->state(0, 0));
  CHECK(before == 0);
  for (std::int64_t t = 1; t < instance.slot_limit; ++t) {
    if (states->until(record) <= t) REQUIRE(states->reach(++record));
    const auto now = static_cast<std::size_t>(states->state(record, 0));
    ++seen[before][now];
    before = now;
  }
  for (std::size_t x = 0; x < 3; ++x) {
    const double visits = seen[x][0] + seen[x][1] + seen[x][2];
    for (std::size_t y = 0; y < 3; ++y) {
      const double error = std::sqrt(markov[x][y] * (1 - markov[x][y]) / visits);
      CHECK(std::abs(seen[x][y] / visits - markov[x][y]) < 4.5 * error);
    }
  }
  CHECK(!states->reach(record + 1));
  CHECK(states->end() == instance.slot_limit);
}

TEST_CASE("drawn states: one worker's draw does not depend on who else is there") {
  GeneratorParameters parameters;
  const Instance twenty = generate(parameters, 1, 0).value();
  Instance three = twenty;
  three.workers.resize(3);
  const auto a = drawn_availability(twenty, {}), b = drawn_availability(three, {});
  std::size_t i = 0, j = 0;
  for (std::int64_t t = 0; t < 20000; ++t) {
    if (a->until(i) <= t) REQUIRE(a->reach(++i));
    if (b->until(j) <= t) REQUIRE(b->reach(++j));
    for (std::size_t q = 0; q < 3; ++q) REQUIRE(a->state(i, q) == b->state(j, q));
  }
}

TEST_CASE("absences: runs of one state, up to the last slot that is asked for") {
  const std::string states[] = {"uurrdduur", "uduuuuuuu"};  // a record ends where either changes
  const auto availability = recorded_availability(states);
  constexpr auto kReclaimed = WorkerState::reclaimed, kDown = WorkerState::down;
  CHECK(absences(*availability, 0, 9) ==
        std::vector<Absence>{{kReclaimed, 2, 4}, {kDown, 4, 6}, {kReclaimed, 8, 9}});
  CHECK(absences(*availability, 0, 5) == std::vector<Absence>{{kReclaimed, 2, 4}, {kDown, 4, 5}});
  CHECK(absences(*availability, 0, 2).empty());
  CHECK(absences(*availability, 1, 100) == std::vector<Absence>{{kDown, 1, 2}});
  const std::string apart[] = {"rrrr", "uduu"};  // one absence over three records
  CHECK(absences(*recorded_availability(apart), 0, 4) == std::vector<Absence>{{kReclaimed, 0, 4}});
}

TEST_CASE("slot scale: holding times in whole slots keep their mean") {
  for (const double mean : {1.5, 4.0, 37.0}) {
    for (const Law& law : {weibull_law_of_mean(0.6, 1), lognormal_law_of_mean(1, 1.2)}) {
      const double scale = slot_scale(law, mean);
      Stream stream({.purpose = Purpose::tool});
      double sum = 0, squares = 0;
      constexpr int kDraws = 200000;
      for (int i = 0; i < kDraws; ++i) {
        const double slots = std::ceil(scale * law.draw(stream));
        sum += slots;
        squares += slots * slots;
      }
      const double measured = sum / kDraws;
      const double error = std::sqrt((squares / kDraws - measured * measured) / kDraws);
      CHECK(std::abs(measured - mean) < 4.5 * error);
    }
  }
}

TEST_CASE("slot scale: an exponential law gives geometric times back") {
  // ceil of an exponential of mean s is geometric with P(stay) = exp(-1/s).
  const double scale = slot_scale(exponential_law(1), 20);
  CHECK(std::exp(-1 / scale) == doctest::Approx(0.95).epsilon(1e-6));
}

TEST_CASE("stationary: shares of a chain, and of one that is absorbed") {
  const auto shares = stationary({{{.9, .1, 0}, {.2, .7, .1}, {0, .5, .5}}});
  CHECK(shares[0] == doctest::Approx(10.0 / 16));  // pi = (10, 5, 1) / 16
  CHECK(shares[1] == doctest::Approx(5.0 / 16));
  const auto absorbed = stationary({{{.9, .05, .05}, {.1, .9, 0}, {0, 0, 1}}});
  CHECK(absorbed[2] == doctest::Approx(1));
}
