#include "holdfast/domains/workflow/headline.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/domains/workflow/failure_free.hpp"
#include "holdfast/models/resilience/failure_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast::workflow {
namespace {

// Describes an instance without its tasks.
std::string machine_of(const Instance& instance) {
  std::string out =
      fmt::format("on {}, {}", counted(instance.processors, "processor"),
                  instance.fixed_outcomes.empty() ? mtbf_text(instance.mtbf, instance.processors)
                                                  : std::string("failures as given"));
  if (instance.law) {
    out += fmt::format(", {}", instance.law->name());
    if (const Value* shape = instance.law->description().find("shape")) {
      out += fmt::format(" (shape {:g})", shape->number());
    }
    if (instance.has_ages()) {
      out += instance.platform_age > 0
                 ? fmt::format(", {} old", format_duration(instance.platform_age))
                 : ", all new";
    }
  }
  if (instance.checkpoints.empty()) return out;
  const auto [least, most] = std::ranges::minmax(instance.checkpoints);
  out += least == most ? fmt::format(", checkpoints of {}", format_duration(least))
                       : fmt::format(", checkpoints of {} to {}", format_duration(least),
                                     format_duration(most));
  return out;
}

}  // namespace

std::string headline(const Experiment& experiment, std::uint64_t seed) {
  return fmt::format("a {} workflow of about {} (seed {}) {}",
                     kFamilyNames[static_cast<std::size_t>(experiment.family)],
                     counted(experiment.tasks, "task"), seed,
                     machine_of(without_tasks(experiment)));
}

std::string headline(const Instance& instance) {
  return fmt::format("a workflow of {} {}; without failures and checkpoints it takes {}",
                     counted(static_cast<std::int64_t>(instance.size()), "task"),
                     machine_of(instance),
                     format_duration(failure_free_schedule(instance).makespan));
}

}  // namespace holdfast::workflow
