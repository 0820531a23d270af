#include "holdfast/domains/taskgraph/headline.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/models/resilience/failure_text.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace holdfast::taskgraph {

std::string headline(const GeneratorParameters& p, std::uint64_t seed) {
  return fmt::format("a graph of {} ({}, seed {}) on {}, {}", counted(p.tasks, "random task"),
                     p.model == TaskModel::any
                         ? "all models"
                         : fmt::format("{} model", kTaskModels[static_cast<std::size_t>(p.model)]),
                     seed, counted(p.processors, "processor"), silent_errors_text(p.error_rate));
}

std::string headline(const Instance& instance) {
  return fmt::format(
      "a graph of {} on {}, {}", counted(static_cast<std::int64_t>(instance.size()), "task"),
      counted(instance.processors, "processor"),
      instance.failures.empty() ? silent_errors_text(instance.error_rate) : "failures as given");
}

}  // namespace holdfast::taskgraph
