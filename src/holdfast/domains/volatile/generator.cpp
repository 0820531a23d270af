#include "holdfast/domains/volatile/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace holdfast::volatile_workers {

Result<Instance> generate(const GeneratorParameters& parameters, std::uint64_t seed,
                          std::uint64_t instance, std::uint64_t scenario) {
  Stream stream({.seed = seed,
                 .purpose = Purpose::instance,
                 .instance = instance,
                 .scenario = parameters.recorded ? scenario : 0,
                 .entity = parameters.sample << 32});
  Instance out;
  out.tasks = parameters.tasks;
  out.iterations = parameters.iterations;
  out.concurrent_communications = parameters.concurrent_communications;
  out.program_slots = parameters.program_slots.value_or(5 * parameters.minimum_speed);
  out.data_slots = parameters.data_slots.value_or(parameters.minimum_speed);
  out.slot_limit = parameters.slot_limit;
  out.holding_times = parameters.holding_times;
  for (std::int64_t q = 0; q < parameters.workers; ++q) {
    Worker worker{.max_tasks = parameters.tasks, .markov = {}, .initial = parameters.initial};
    TransitionMatrix matrix{};
    for (std::size_t x = 0; x < 3; ++x) {
      const double stay = stream.uniform(parameters.minimum_stay, parameters.maximum_stay);
      matrix[x].fill((1 - stay) / 2);
      matrix[x][x] = stay;
    }
    worker.markov = matrix;
    worker.speed = stream.integer(parameters.minimum_speed, 10 * parameters.minimum_speed);
    out.workers.push_back(worker);
  }
  if (parameters.recorded) HOLDFAST_CHECK(draw_recorded(*parameters.recorded, stream, out));
  return out;
}

Result<Instance> bi_clique(const BiClique& graph) {
  Instance out;
  out.tasks = graph.workers;
  out.iterations = 1;
  out.concurrent_communications = std::max<std::int64_t>(1, graph.workers);
  const std::int64_t extra = graph.unbounded ? graph.right + 1 : 0;
  std::string row(static_cast<std::size_t>(graph.right), 'r');
  row.append(static_cast<std::size_t>(extra), 'u');
  out.states.assign(static_cast<std::size_t>(graph.left), row);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto [i, j] = graph.edges[e];
    if (i < 0 || i >= graph.left || j < 0 || j >= graph.right) {
      return fail(ErrorCode::bad_value, fmt::format("/edges/{}", e),
                  fmt::format("found {}-{}, expected a worker below {} and a slot below {}", i, j,
                              graph.left, graph.right));
    }
    out.states[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = 'u';
  }
  const std::int64_t most = graph.unbounded ? graph.workers : 1;
  out.workers.assign(
      static_cast<std::size_t>(graph.left),
      {.speed = std::max<std::int64_t>(1, graph.slots + extra), .max_tasks = most, .markov = {}});
  out.slot_limit = graph.right + extra;
  return out;
}

}  // namespace holdfast::volatile_workers
