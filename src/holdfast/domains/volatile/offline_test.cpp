#include "holdfast/domains/volatile/offline.hpp"

#include "holdfast/kernel/random.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <optional>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::volatile_workers;

namespace {

// Slot by slot, as the model says it.
std::optional<std::int64_t> plain_finish(const std::vector<std::string>& states, unsigned set,
                                         std::int64_t start, std::int64_t workload) {
  std::int64_t done = 0;
  for (std::size_t t = static_cast<std::size_t>(start); t < states.front().size(); ++t) {
    bool all_up = true, is_down = false;
    for (std::size_t q = 0; q < states.size(); ++q) {
      if (((set >> q) & 1) == 0) continue;
      all_up &= states[q][t] == 'u';
      is_down |= states[q][t] == 'd';
    }
    if (is_down) done = 0;
    if (all_up && ++done == workload) return static_cast<std::int64_t>(t);
  }
  return std::nullopt;
}

std::optional<std::int64_t> plain_iteration(const Instance& instance, std::int64_t most_tasks,
                                            std::int64_t start) {
  std::optional<std::int64_t> best;
  for (unsigned set = 1; set < (1U << instance.workers.size()); ++set) {
    for (std::int64_t workload = 1; workload <= 40; ++workload) {
      std::int64_t room = 0;
      for (std::size_t q = 0; q < instance.workers.size(); ++q) {
        if (((set >> q) & 1) == 0) continue;
        const Worker& worker = instance.workers[q];
        room += std::min({worker.max_tasks, most_tasks, workload / worker.speed});
      }
      if (room < instance.tasks) continue;
      const auto finish = plain_finish(instance.states, set, start, workload);
      if (finish && (!best || *finish < *best)) best = finish;
    }
  }
  return best;
}

Instance any_states(std::uint64_t seed) {
  Stream stream({.seed = seed, .purpose = Purpose::tool, .entity = 3});
  Instance instance;
  instance.tasks = stream.integer(1, 5);
  const bool same = stream.chance(0.5);
  const std::int64_t speed = stream.integer(1, 4);
  const auto slots = static_cast<std::size_t>(stream.integer(20, 150));
  for (int q = 0; q < 7; ++q) {
    instance.workers.push_back({.speed = same ? speed : stream.integer(1, 4),
                                .max_tasks = stream.integer(1, 5),
                                .markov = {}});
    std::string letters;
    char letter = 'u';
    for (std::size_t t = 0; t < slots; ++t) {
      if (stream.chance(0.15)) letter = "urd"[stream.integer(0, 2)];
      letters += letter;
    }
    instance.states.push_back(letters);
  }
  return instance;
}

}  // namespace

TEST_CASE("offline: the search finds what trying every set and every work finds") {
  int found_some = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    const Instance instance = any_states(seed);
    const KnownStates states(instance.states);
    for (const std::int64_t most : {std::int64_t{1}, instance.tasks}) {
      for (const std::int64_t start : {0, 17}) {
        Effort effort;
        const auto found = best_iteration(states, instance, most, start, effort);
        const auto plain = plain_iteration(instance, most, start);
        REQUIRE(found.has_value() == plain.has_value());
        if (found) CHECK(found->finish == *plain);
        found_some += found ? 1 : 0;
      }
    }
  }
  CHECK(found_some > 100);
}

TEST_CASE("offline: most common slots, against every set") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Instance instance = any_states(seed);
    const KnownStates states(instance.states);
    for (std::int64_t workers = 1; workers <= 7; ++workers) {
      std::int64_t best = 0;
      for (unsigned set = 1; set < (1U << 7); ++set) {
        if (std::popcount(set) != workers) continue;
        std::int64_t common = 0;
        for (std::size_t t = 0; t < instance.states.front().size(); ++t) {
          bool all = true;
          for (std::size_t q = 0; q < 7; ++q) {
            if ((set >> q) & 1) all &= instance.states[q][t] == 'u';
          }
          common += all ? 1 : 0;
        }
        best = std::max(best, common);
      }
      Effort effort;
      CHECK(most_common_up(states, workers, effort) == best);
    }
  }
}

TEST_CASE("offline: a search that is too large says so") {
  const Instance instance = any_states(5);
  Effort effort{.most_nodes = 2};
  static_cast<void>(most_common_up(KnownStates(instance.states), 4, effort));
  CHECK(effort.is_over());
}
