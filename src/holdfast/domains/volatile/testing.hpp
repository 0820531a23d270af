#pragma once

#include "holdfast/domains/volatile/generator.hpp"
#include "holdfast/domains/volatile/instance.hpp"
#include "holdfast/domains/volatile/strategies.hpp"
#include "holdfast/kernel/random.hpp"

#include <string_view>

/// Helpers for the tests of this domain.
namespace holdfast::volatile_workers::testing {

/// Returns a chain with any probabilities, some of them 0; some chains have l2 < 0.
inline TransitionMatrix any_matrix(Stream& stream, double least_stay = 0) {
  TransitionMatrix matrix{};
  for (std::size_t x = 0; x < 3; ++x) {
    const double stay = stream.uniform(least_stay, 1);
    const double share = stream.uniform();
    matrix[x][x] = stay;
    matrix[x][(x + 1) % 3] = (1 - stay) * share;
    matrix[x][(x + 2) % 3] = (1 - stay) * (1 - share);
  }
  return matrix;
}

/// Returns small instances of every kind: short tasks, few ports, little capacity, no communication at all.
inline Instance any_instance(std::uint64_t seed) {
  Stream stream({.seed = seed, .purpose = Purpose::tool});
  Instance instance;
  instance.tasks = stream.integer(1, 6);
  instance.iterations = stream.integer(1, 4);
  instance.concurrent_communications = stream.integer(1, 4);
  instance.program_slots = stream.integer(0, 6);
  instance.data_slots = stream.integer(0, 3);
  instance.slot_limit = 4000;
  const std::int64_t workers = stream.integer(2, 9);
  const bool roomy = stream.chance(0.6);
  for (std::int64_t q = 0; q < workers; ++q) {
    Worker worker{.speed = stream.integer(1, 9),
                  .max_tasks = roomy ? instance.tasks : stream.integer(1, instance.tasks),
                  .markov = {}};
    worker.markov = any_matrix(stream, 0.85);
    worker.initial = static_cast<InitialState>(stream.integer(0, 3));
    instance.workers.push_back(worker);
  }
  return instance;
}

inline StrategySpec spec(std::string_view text) {
  static const std::vector<StrategyEntry> kEntries = strategies();
  return parse_strategy(text, kEntries).value();
}

}  // namespace holdfast::volatile_workers::testing
