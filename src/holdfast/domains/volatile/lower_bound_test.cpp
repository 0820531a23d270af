#include "holdfast/domains/volatile/lower_bound.hpp"

#include "holdfast/domains/volatile/offline.hpp"
#include "holdfast/domains/volatile/simulate.hpp"
#include "holdfast/domains/volatile/testing.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::volatile_workers;

namespace {

Instance recorded(std::vector<std::string> states, std::vector<Worker> workers,
                  std::int64_t tasks) {
  Instance instance;
  instance.tasks = tasks;
  instance.iterations = 1;
  instance.slot_limit = std::ssize(states.front());
  instance.states = std::move(states);
  instance.workers = std::move(workers);
  return instance;
}

std::optional<std::int64_t> bound_of(const Instance& instance) {
  const auto availability = recorded_availability(instance.states);
  const auto bound = lower_bound(instance, *availability);
  return bound ? std::optional(bound->slots) : std::nullopt;
}

// Runs that end before their bound, over drawn instances.
int beyond_bound(std::uint64_t first, std::uint64_t instances) {
  int beyond = 0;
  for (std::uint64_t seed = first; seed < first + instances; ++seed) {
    Instance instance = testing::any_instance(seed);
    if (!check(instance)) continue;
    const auto availability = drawn_availability(instance, {.seed = seed});
    // Little effort ends in what is counted without looking.
    const auto bound = lower_bound(instance, *availability, seed % 2 == 0 ? 3'000'000 : 200);
    Toolbox toolbox(instance);
    for (const char* strategy : {"ip", "ie", "iay", "e-ie", "y-ie", "p-ip", "random", "fastest"}) {
      const ReadyStrategy ready =
          make_strategy(testing::spec(strategy), instance).value()(toolbox, {.seed = seed});
      const Metrics metrics = simulate(instance, ready.rules, *availability);
      if (!metrics.makespan) continue;
      if (!bound || *metrics.makespan < bound->slots) ++beyond;
    }
  }
  return beyond;
}

}  // namespace

TEST_CASE("lower bound: iterations that can be counted by hand") {
  const Worker fast{.speed = 2, .max_tasks = 2, .markov = {}};
  const Worker slow{.speed = 3, .max_tasks = 2, .markov = {}};
  // Both up: W = 3 does one task on each.
  CHECK(bound_of(recorded({"uuuuuuuu", "uuuuuuuu"}, {fast, slow}, 2)) == 3);
  // The second is away in slots 1 to 4: the first does both in 4.
  CHECK(bound_of(recorded({"uuuuuuuu", "urrrruuu"}, {fast, slow}, 2)) == 4);
  // Alone, and reclaimed for two slots, or down in one: then what was done is lost.
  CHECK(bound_of(recorded({"uurruuuu"}, {fast}, 2)) == 6);
  CHECK(bound_of(recorded({"uuduuuuu"}, {fast}, 2)) == 7);
  CHECK_FALSE(bound_of(recorded({"uuduuudu"}, {fast}, 2)));
  // Who needs the program (3) and data (1 each) of one task computes after 4 slots; all data take 2 on one port.
  Instance instance = recorded({"uuuuuuuuuuuuuuuuuuuu", "uuuuuuuuuuuuuuuuuuuu"}, {fast, slow}, 2);
  instance.program_slots = 3;
  instance.data_slots = 1;
  instance.concurrent_communications = 2;
  CHECK(bound_of(instance) == 4 + 3);
  instance.iterations = 2;  // the program is kept: one slot of data, and 3
  CHECK(bound_of(instance) == 4 + 3 + 1 + 3);
  instance.slot_limit = 10;
  CHECK_FALSE(bound_of(instance));
}

TEST_CASE(
    "lower bound: the optimum where nothing is sent; little effort, or anything sent: below") {
  int cut = 0, below = 0, known = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Stream stream({.seed = seed, .purpose = Purpose::tool});
    std::vector<std::string> states;
    std::vector<Worker> workers;
    const auto count = stream.integer(1, 5);
    for (std::int64_t q = 0; q < count; ++q) {
      std::string letters;
      char letter = 'u';
      for (int slot = 0; slot < 300; ++slot) {
        if (stream.chance(0.15)) letter = "urd"[stream.integer(0, 2)];
        letters += letter;
      }
      states.push_back(letters);
      workers.push_back(
          {.speed = stream.integer(1, 5), .max_tasks = stream.integer(1, 3), .markov = {}});
    }
    Instance instance = recorded(states, workers, stream.integer(1, 4));
    instance.iterations = stream.integer(1, 3);
    if (!check(instance)) continue;
    CAPTURE(seed);
    Effort effort;
    const auto best = best_iterations(KnownStates(instance.states), instance, instance.tasks,
                                      instance.iterations, effort);
    const auto availability = recorded_availability(instance.states);
    const auto bound = lower_bound(instance, *availability);
    if (std::ssize(best) < instance.iterations) {
      CHECK_FALSE(bound);
      continue;
    }
    ++known;
    const std::int64_t optimum = best.back().finish + 1;
    CHECK(bound == MakespanBound{.slots = optimum, .is_optimum = true});
    const auto by_slots = lower_bound(instance, *availability, 99);  // not one set is tried
    REQUIRE(by_slots);
    CHECK(by_slots->slots <= optimum);
    if (!by_slots->is_optimum) ++cut;
    if (by_slots->slots < optimum) ++below;
    instance.data_slots = 1;
    const auto with_data = lower_bound(instance, *availability);
    if (with_data) CHECK_FALSE(with_data->is_optimum);
    if (with_data) CHECK(with_data->slots >= optimum);
  }
  MESSAGE(known << " optima; of " << cut << " bounds without a search for sets " << below
                << " are below them");
  CHECK(known > 300);
  CHECK(below > known / 4);
}

TEST_CASE("lower bound: no strategy ends before it, 300 random instances") {
  CHECK(beyond_bound(1, 300) == 0);
}

TEST_CASE("lower bound: no strategy ends before it, 10 000 random instances" *
          doctest::test_suite("thorough")) {
  CHECK(beyond_bound(1000, 10'000) == 0);
}
