#include "holdfast/models/availability/fit_chain.hpp"

#include "holdfast/kernel/random.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

std::string drawn(const TransitionMatrix& chain, std::size_t slots, std::uint64_t entity) {
  Stream stream({.purpose = Purpose::tool, .entity = entity});
  std::string out;
  std::size_t state = 0;
  for (std::size_t t = 0; t < slots; ++t) {
    out += "urd"[state];
    const double u = stream.uniform();
    state = u < chain[state][0] ? 0 : u < chain[state][0] + chain[state][1] ? 1 : 2;
  }
  return out;
}

// Stays of 1 or of 50 slots, with equal probability.
std::string two_lengths(std::size_t stays, std::uint64_t entity) {
  Stream stream({.purpose = Purpose::tool, .entity = entity});
  std::string out;
  for (std::size_t i = 0; i < stays; ++i) {
    out.append(stream.chance(0.5) ? 1 : 50, 'u');
    out += 'd';
  }
  return out;
}

constexpr TransitionMatrix kChain{{{.9, .07, .03}, {.3, .65, .05}, {.2, .1, .7}}};

}  // namespace

TEST_CASE("slots: the worst state of a slot counts, and unobserved time is down") {
  const WorkerHistory worker{.name = "a",
                             .intervals = {{0, 25, WorkerState::up},
                                           {25, 31, WorkerState::reclaimed},
                                           {31, 50, WorkerState::up},
                                           {55, 70, WorkerState::up}}};
  // [0,10) u, [10,20) u, [20,30) r, [30,40) r, [40,50) u, [50,60) half seen: d, [60,70) u, unseen d
  CHECK(slot_states(worker, 0, 10, 8) == "uurrudud");
}

TEST_CASE("watched slots: unobserved time is not a state, and no transition leads across it") {
  WorkerHistory late;  // from 25 to 60 and from 83 to 100, in slots of 10
  late.intervals = {
      {25, 40, WorkerState::up}, {40, 60, WorkerState::reclaimed}, {83, 100, WorkerState::down}};
  CHECK(watched_slot_states(late, 0, 10, 10) == std::vector<std::string>{"urr", "d"});
  CHECK(watched_slot_states(late, 0, 10, 4) == std::vector<std::string>{"u"});
  CHECK(watched_slot_states(late, 0, 50, 2).empty());
  CHECK(watched_slot_states({}, 0, 10, 10).empty());
}

TEST_CASE("fit: a chain is found again within its intervals, and its times are geometric") {
  std::vector<std::string> states;
  for (std::uint64_t q = 0; q < 10; ++q) states.push_back(drawn(kChain, 20000, q));
  const FittedChains fit = fit_chains(states);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double half = (fit.intervals[i][j][1] - fit.intervals[i][j][0]) / 2;
      CHECK(std::abs(fit.pool[i][j] - kChain[i][j]) < 2.2 * half);  // 4.3 standard errors
      CHECK(half < 0.02);
    }
    CHECK(std::abs(fit.holding[i].score) < 4);
    CHECK(!fit.holding[i].is_suspicious());
  }
}

TEST_CASE("fit: the score of geometric times has variance 1 or less") {
  double sum = 0, squares = 0;
  constexpr int kRuns = 200;
  for (int run = 0; run < kRuns; ++run) {
    const std::vector<std::string> states = {
        drawn(kChain, 3000, 1000 + static_cast<std::uint64_t>(run))};
    const double score = fit_chains(states).holding[0].score;
    sum += score;
    squares += score * score;
  }
  const double mean = sum / kRuns;
  CHECK(std::abs(mean) < 0.35);
  CHECK(squares / kRuns < 1.6);
  CHECK(squares / kRuns > 0.4);
}

TEST_CASE("fit: times that are not geometric are suspicious") {
  const std::vector<std::string> states = {two_lengths(300, 1), two_lengths(300, 2)};
  const FittedChains fit = fit_chains(states);
  CHECK(fit.holding[0].dispersion > 0.8);
  CHECK(std::abs(fit.holding[2].dispersion - 1) <= 1);  // down for one slot each time: no spread
  std::vector<std::string> regular;
  for (int q = 0; q < 3; ++q) {
    std::string letters;
    for (int i = 0; i < 200; ++i) letters += "uuuuuuuuuuuurr";
    regular.push_back(letters);
  }
  CHECK(fit_chains(regular).holding[0].is_suspicious());
  CHECK(fit_chains(regular).holding[0].dispersion < 0.1);
}

TEST_CASE(
    "fit: a worker that was observed little is like the pool; a state that never occurs leads up") {
  const std::vector<std::string> states = {drawn(kChain, 50000, 5), "uu"};
  const FittedChains fit = fit_chains(states);
  // One transition up-up and the weight of 1.5: (1 + 1.5 p) / 2.5.
  CHECK(fit.workers[1][0][0] == doctest::Approx((1 + 1.5 * fit.pool[0][0]) / 2.5));
  CHECK(fit.workers[1][2][2] == doctest::Approx(fit.pool[2][2]));
  const std::vector<std::string> two = {"uuuudduuuuddduuu"};
  const FittedChains up_down = fit_chains(two);
  CHECK(up_down.pool[0][1] == 0);
  CHECK(up_down.pool[1][0] == 1);
}
