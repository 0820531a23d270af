#include "holdfast/domains/taskgraph/headline.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace holdfast::taskgraph {

std::string headline(const GeneratorParameters& p, std::uint64_t seed) {
  return fmt::format("a graph of {} ({}, seed {}) on {}, {}", counted(p.tasks, "random task"),
                     p.model == TaskModel::any
                         ? "all models"
                         : fmt::format("{} model", kTaskModels[static_cast<std::size_t>(p.model)]),
                     seed, counted(p.processors, "processor"),
                     errors_text({p.error_model, p.error_rate}));
}

std::string headline(const Instance& instance) {
  return fmt::format("a graph of {} on {}, {}",
                     counted(static_cast<std::int64_t>(instance.size()), "task"),
                     counted(instance.processors, "processor"),
                     !instance.failures.empty()  ? "failures as given"
                     : !instance.strikes.empty() ? "errors as given"
                                                 : errors_text(instance.errors()));
}

}  // namespace holdfast::taskgraph
