#include "holdfast/domains/volatile/lower_bound.hpp"
#include "holdfast/domains/volatile/testing.hpp"
#include "holdfast/kernel/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::volatile_workers;

namespace {

constexpr std::size_t kMostWorkers = 4;

// Everything that decides how a run goes on.
struct Position {
  struct Holding {
    std::int8_t program = 0, data = 0, tasks = 0, was_enrolled = 0;
    friend auto operator<=>(const Holding&, const Holding&) = default;
  };
  std::int8_t iterations = 0, is_active = 0, done = 0;
  std::array<Holding, kMostWorkers> of{};
  friend auto operator<=>(const Position&, const Position&) = default;
};

// The optimum with transfers, by trying in every slot whatever a strategy may do, and every choice of whom the master serves.
class EveryRun {
 public:
  explicit EveryRun(const Instance& instance) : instance_{instance} { assign(0, instance.tasks); }

  std::optional<std::int64_t> optimum() {
    std::set<Position> now{Position{}}, next;
    for (std::size_t slot = 0; slot < instance_.states.front().size(); ++slot) {
      slot_ = slot;
      next.clear();
      for (const Position& position : now) decide(position, next);
      for (const Position& position : next) {
        if (position.iterations == instance_.iterations) return static_cast<std::int64_t>(slot) + 1;
      }
      now.swap(next);
    }
    return std::nullopt;
  }

 private:
  void assign(std::size_t q, std::int64_t left) {
    if (q == instance_.workers.size()) {
      if (left == 0) assignments_.push_back(draft_);
      return;
    }
    for (std::int64_t x = 0; x <= std::min(left, instance_.workers[q].max_tasks); ++x) {
      draft_[q] = static_cast<std::int8_t>(x);
      assign(q + 1, left - x);
    }
    draft_[q] = 0;
  }
  bool is(std::size_t q, char state) const { return instance_.states[q][slot_] == state; }

  void decide(Position position, std::set<Position>& next) {
    for (std::size_t q = 0; q < instance_.workers.size(); ++q) {
      if (!is(q, 'd')) continue;
      position.of[q].program = position.of[q].data = 0;
      if (position.is_active && position.of[q].tasks > 0) position.is_active = 0;
    }
    if (!position.is_active) {
      for (auto& holding : position.of) holding.tasks = 0;
      position.done = 0;
    }
    go_on(position, next);
    for (const auto& tasks : assignments_) adopt(position, tasks, next);
  }

  void adopt(Position position, const std::array<std::int8_t, kMostWorkers>& tasks,
             std::set<Position>& next) {
    for (std::size_t q = 0; q < instance_.workers.size(); ++q) {
      auto& holding = position.of[q];
      if (tasks[q] > 0 && !is(q, 'u')) return;
      if (tasks[q] == 0 || !holding.was_enrolled) {
        holding.data = 0;
        if (holding.program < instance_.program_slots) holding.program = 0;
      }
      holding.tasks = tasks[q];
      holding.was_enrolled = tasks[q] > 0 ? 1 : 0;
    }
    position.is_active = 1;
    position.done = 0;
    go_on(position, next);
  }

  void go_on(const Position& position, std::set<Position>& next) const {
    unsigned open = 0;
    bool needs = false, all_up = true;
    for (std::size_t q = 0; q < instance_.workers.size() && position.is_active; ++q) {
      const auto& holding = position.of[q];
      if (holding.tasks == 0) continue;
      all_up &= is(q, 'u');
      if (holding.program == instance_.program_slots &&
          holding.data >= holding.tasks * instance_.data_slots)
        continue;
      needs = true;
      if (is(q, 'u')) open |= 1U << q;
    }
    if (!position.is_active) {
      next.insert(position);
    } else if (needs) {
      serve(position, open, next);
    } else {
      compute(position, all_up, next);
    }
  }

  void serve(const Position& position, unsigned open, std::set<Position>& next) const {
    const auto served =
        std::min<std::int64_t>(std::popcount(open), instance_.concurrent_communications);
    for (unsigned set = 0; set < (1U << kMostWorkers); ++set) {
      if ((set & ~open) != 0 || std::popcount(set) != served) continue;
      Position after = position;
      for (std::size_t q = 0; q < instance_.workers.size(); ++q) {
        if (((set >> q) & 1) == 0) continue;
        auto& holding = after.of[q];
        ++(holding.program < instance_.program_slots ? holding.program : holding.data);
      }
      next.insert(after);
    }
  }

  void compute(Position position, bool all_up, std::set<Position>& next) const {
    std::int64_t workload = 0;
    for (std::size_t q = 0; q < instance_.workers.size(); ++q)
      workload = std::max(workload, position.of[q].tasks * instance_.workers[q].speed);
    if (all_up && ++position.done == workload) {
      ++position.iterations;
      position.is_active = position.done = 0;
      for (auto& holding : position.of) holding.data = holding.tasks = holding.was_enrolled = 0;
    }
    next.insert(position);
  }

  const Instance& instance_;
  std::array<std::int8_t, kMostWorkers> draft_{};
  std::vector<std::array<std::int8_t, kMostWorkers>> assignments_;
  std::size_t slot_ = 0;
};

Instance small_instance(std::uint64_t seed) {
  Stream stream({.seed = seed, .purpose = Purpose::tool, .entity = 7});
  Instance instance;
  const std::int64_t workers = stream.integer(1, 4);
  instance.tasks = stream.integer(1, workers == 4 ? 2 : 3);
  instance.iterations = stream.integer(1, 4);
  instance.concurrent_communications = stream.integer(1, 3);
  instance.program_slots = stream.integer(1, 5);
  instance.data_slots = stream.integer(0, 2);
  instance.slot_limit = 100;
  const double change = stream.uniform(0.02, 0.3);
  for (std::int64_t q = 0; q < workers; ++q) {
    instance.workers.push_back({.speed = stream.integer(1, 4),
                                .max_tasks = stream.integer(1, instance.tasks),
                                .markov = {}});
    std::string letters;
    char letter = 'u';
    for (int slot = 0; slot < instance.slot_limit; ++slot) {
      if (stream.chance(change)) letter = "urd"[stream.integer(0, 2)];
      letters += letter;
    }
    instance.states.push_back(letters);
  }
  return instance;
}

// The random platforms of the source, with fewer workers and tasks.
Instance published_instance(std::uint64_t seed) {
  GeneratorParameters platform;
  platform.workers = static_cast<std::int64_t>(3 + seed % 2);
  platform.tasks = platform.concurrent_communications = 2;
  platform.iterations = 5;
  platform.slot_limit = 600;
  Instance instance = generate(platform, seed, 0).value();
  const auto drawn = drawn_availability(instance, {.seed = seed});
  instance.states.resize(instance.workers.size());
  for (std::size_t record = 0; drawn->reach(record); ++record) {
    for (std::size_t q = 0; q < instance.workers.size(); ++q) {
      const auto state = static_cast<std::size_t>(drawn->state(record, q));
      instance.states[q].append(
          static_cast<std::size_t>(drawn->until(record) - drawn->slot(record)), "urd"[state]);
    }
  }
  return instance;
}

struct Tightness {
  int optima = 0, beyond = 0, reached = 0;
  double one_transfer = 0, bound = 0;  // sums of bound / optimum
};

Tightness against_every_run(Instance (*make)(std::uint64_t), std::uint64_t first,
                            std::uint64_t instances) {
  Tightness out;
  for (std::uint64_t seed = first; seed < first + instances; ++seed) {
    Instance instance = make(seed);
    if (!check(instance)) continue;
    CAPTURE(seed);
    const auto optimum = EveryRun(instance).optimum();
    if (!optimum) continue;
    const auto availability = recorded_availability(instance.states);
    const auto bound = lower_bound(instance, *availability, seed % 4 == 0 ? 400 : 3'000'000);
    REQUIRE(bound);
    if (bound->slots > *optimum) ++out.beyond;
    CHECK_MESSAGE(bound->slots <= *optimum, "seed " << seed);
    if (seed % 4 == 0)
      continue;  // what little effort finds says nothing about how near the bound is
    ++out.optima;
    const auto best = static_cast<double>(*optimum);
    out.one_transfer +=
        static_cast<double>(bound_of_one_transfer(instance, *availability)->slots) / best;
    out.bound += static_cast<double>(bound->slots) / best;
    out.reached += bound->slots == *optimum ? 1 : 0;
  }
  MESSAGE(out.optima << " optima: bound / optimum " << out.bound / out.optima << " on average, "
                     << out.one_transfer / out.optima << " if each transfer counts once; equal in "
                     << out.reached);
  return out;
}

}  // namespace

TEST_CASE("transfer bound: at most the optimum of every run there is, 300 small instances") {
  const Tightness found = against_every_run(small_instance, 1, 300);
  CHECK(found.beyond == 0);
  CHECK(found.optima > 100);
}

TEST_CASE("transfer bound: at most the optimum on small platforms of the source, 100 instances") {
  const Tightness found = against_every_run(published_instance, 1, 100);
  CHECK(found.beyond == 0);
  CHECK(found.optima > 50);
}

TEST_CASE("transfer bound: at most the optimum, 3000 small instances" *
          doctest::test_suite("thorough")) {
  CHECK(against_every_run(small_instance, 1000, 3000).beyond == 0);
}
