#pragma once

#include "holdfast/domains/workflow/instance.hpp"
#include "holdfast/domains/workflow/simulate.hpp"
#include "holdfast/domains/workflow/strategies.hpp"
#include "holdfast/kernel/random.hpp"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

/// Helpers for the tests of this domain.
namespace holdfast::workflow::testing {

inline Instance instance_of(std::int64_t processors, std::vector<double> lengths,
                            std::vector<Edge> edges = {}) {
  Instance out;
  out.processors = processors;
  out.graph = Dag::from_edges(lengths.size(), edges).value();
  out.lengths = std::move(lengths);
  out.checkpoints = {1};
  out.recoveries = {1};
  return out;
}

/// Returns a random graph: parents among earlier tasks, lengths in [0, 100), often whole so that ties occur.
inline Instance random_instance(std::uint64_t seed, std::size_t tasks, std::int64_t processors,
                                bool is_wide) {
  Stream stream({.seed = seed, .purpose = Purpose::tool});
  std::vector<double> lengths;
  std::vector<Edge> edges;
  Instance out;
  for (std::size_t task = 0; task < tasks; ++task) {
    const double length = stream.uniform(0, 100);
    lengths.push_back(stream.chance(0.5) ? static_cast<double>(stream.integer(0, 6)) : length);
    if (is_wide) {
      out.widths.push_back(static_cast<std::uint32_t>(stream.integer(1, processors)));
    }
    const std::int64_t parents = task == 0 ? 0 : stream.integer(0, 2);
    for (std::int64_t i = 0; i < parents; ++i) {
      const auto parent = stream.integer(0, static_cast<std::int64_t>(task) - 1);
      edges.push_back({static_cast<TaskIndex>(parent), static_cast<TaskIndex>(task)});
    }
  }
  out.processors = processors;
  out.graph = Dag::from_edges(tasks, edges).value();
  out.lengths = std::move(lengths);
  out.checkpoints = {stream.uniform(0.1, 2)};
  out.recoveries = {stream.uniform(0.1, 2)};
  out.downtime = stream.uniform(0, 1);
  out.mtbf = stream.uniform(50, 2000);
  return out;
}

inline std::unique_ptr<Strategy> strategy(std::string_view text, const Instance& instance) {
  const auto table = strategies();
  return make_strategy(parse_strategy(text, table).value(), instance).value();
}

inline std::vector<std::int64_t> segments(const Instance& instance, std::string_view name) {
  const PreparedInstance prepared(instance);
  std::vector<std::int64_t> out;
  for (const Cut& cut : decided(prepared, *strategy(name, instance))) out.push_back(cut.segments);
  return out;
}

inline StreamKey key(std::uint64_t scenario, std::uint64_t seed = 1) {
  return {.seed = seed, .purpose = Purpose::failures, .scenario = scenario};
}

}  // namespace holdfast::workflow::testing
