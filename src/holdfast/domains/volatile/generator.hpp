#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/volatile/instance.hpp"
#include "holdfast/domains/volatile/recorded_pool.hpp"
#include "holdfast/kernel/random.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace holdfast::volatile_workers {

/// The random platforms of the source: P_xx uniform in [minimum_stay, maximum_stay], P_xy half of the rest, w uniform and whole
/// in [minimum_speed, 10 minimum_speed]; by default Tdata = minimum_speed and Tprog = 5 minimum_speed. Source: Casanova et al.
/// 2012, section 6.1.
struct GeneratorParameters {
  std::int64_t workers = 20;
  std::int64_t tasks = 5;
  std::int64_t iterations = 10;
  std::int64_t concurrent_communications = 5;
  std::int64_t minimum_speed = 1;
  std::optional<std::int64_t> program_slots;
  std::optional<std::int64_t> data_slots;
  std::int64_t slot_limit = 1'000'000;
  double minimum_stay = 0.90;
  double maximum_stay = 0.99;
  InitialState initial = InitialState::up;
  std::optional<Law> holding_times;
  /// Recorded availability from which workers and their states are drawn; only speeds are then random.
  std::shared_ptr<const RecordedPool> recorded;
  /// Number of another sample of platforms and availability with the same seed.
  std::uint64_t sample = 0;
};

/// Draws an instance.
/// @param scenario  chooses workers and time in recorded availability; drawn chains do not depend on it
/// @returns infeasible if the record has too few workers
[[nodiscard]] Result<Instance> generate(const GeneratorParameters& parameters, std::uint64_t seed,
                                        std::uint64_t instance, std::uint64_t scenario = 0);

/// The worst case of Theorem 4.1. Worker i is up in slot j if (i, j) is an edge of a bipartite graph, and reclaimed otherwise.
/// `workers` of them with `slots` common slots up form a bi-clique.
struct BiClique {
  std::int64_t left = 0;   ///< workers
  std::int64_t right = 0;  ///< slots
  std::vector<std::pair<std::int64_t, std::int64_t>> edges;
  std::int64_t workers = 1;  ///< a
  std::int64_t slots = 1;    ///< b
  /// Form (ii): a worker may do any number of tasks; |W| + 1 additional slots with all up follow and add to the work.
  bool unbounded = false;
};
/// Returns the instance. @returns bad_value if an edge is outside the graph
[[nodiscard]] Result<Instance> bi_clique(const BiClique& graph);

}  // namespace holdfast::volatile_workers
