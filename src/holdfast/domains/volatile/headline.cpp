#include "holdfast/domains/volatile/headline.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast::volatile_workers {
namespace {

// "10 iterations of 5 tasks", or that there are as many as 1000 slots allow.
std::string work_of(std::int64_t iterations, std::int64_t tasks, std::int64_t slot_limit) {
  return fmt::format(
      "{} of {}",
      iterations > 0 ? counted(iterations, "iteration")
                     : fmt::format("as many iterations as {} allow", counted(slot_limit, "slot")),
      counted(tasks, "task"));
}

}  // namespace

std::string headline(const GeneratorParameters& p, std::uint64_t seed) {
  const std::string workers =
      p.recorded ? fmt::format("{} of the {} recorded", counted(p.workers, "worker"),
                               p.recorded->workers.size())
                 : counted(p.workers, "random worker");
  return fmt::format("{} on {} (seed {}), which receive data {} at a time",
                     work_of(p.iterations, p.tasks, p.slot_limit), workers, seed,
                     p.concurrent_communications);
}

std::string headline(const Instance& instance) {
  return fmt::format("{} on {}{}, which receive data {} at a time",
                     work_of(instance.iterations, instance.tasks, instance.slot_limit),
                     counted(static_cast<std::int64_t>(instance.workers.size()), "worker"),
                     instance.is_fixed() ? " whose availability is given" : "",
                     instance.concurrent_communications);
}

std::string headline(const LiveState& state) {
  const auto up = std::count(state.states.begin(), state.states.end(), WorkerState::up);
  return fmt::format(
      "an iteration of {}{} on {}, {} of them up", counted(state.instance.tasks, "task"),
      state.elapsed > 0 ? fmt::format(", {} old,", counted(state.elapsed, "slot")) : "",
      counted(static_cast<std::int64_t>(state.states.size()), "worker"), up);
}

}  // namespace holdfast::volatile_workers
