#include "holdfast/domains/taskgraph/headline.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace holdfast::taskgraph {

std::string headline(const GeneratorParameters& p, std::uint64_t seed) {
  if (p.log != nullptr) {
    return fmt::format(
        "{} on {}, {}",
        logged_sizes_text(*p.log, tasks_of(p), p.speedup,
                          kTaskModels[static_cast<std::size_t>(p.model)], p.sequential_fraction),
        counted(p.processors, "processor"),
        errors_text({p.error_model, p.error_rate, p.checkpoint, p.recovery}));
  }
  return fmt::format("a graph of {} ({}, seed {}) on {}, {}", counted(p.tasks, "random task"),
                     p.model == TaskModel::any
                         ? "all models"
                         : fmt::format("{} model", kTaskModels[static_cast<std::size_t>(p.model)]),
                     seed, counted(p.processors, "processor"),
                     errors_text({p.error_model, p.error_rate, p.checkpoint, p.recovery}));
}

std::string headline(const Instance& instance) {
  return fmt::format(
      "a graph of {}{} on {}, {}", counted(static_cast<std::int64_t>(instance.size()), "task"),
      instance.releases.empty() ? ""
                                : fmt::format(", released over {},",
                                              format_duration(std::ranges::max(instance.releases))),
      counted(instance.processors, "processor"),
      !instance.failures.empty()  ? "failures as given"
      : !instance.strikes.empty() ? "errors as given"
                                  : errors_text(instance.errors()));
}

}  // namespace holdfast::taskgraph
