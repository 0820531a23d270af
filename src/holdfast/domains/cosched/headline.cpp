#include "holdfast/domains/cosched/headline.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/models/resilience/failure_text.hpp"

#include <fmt/format.h>

namespace holdfast::cosched {

std::string headline(const GeneratorParameters& p, std::uint64_t seed) {
  return fmt::format("{} (seed {}) on {}, {}", counted(p.tasks, "random application"), seed,
                     counted(p.processors, "processor"),
                     p.fault_free ? "no failures" : mtbf_text(p.mtbf, p.processors));
}

std::string headline(const Instance& instance) {
  std::string failures = mtbf_text(instance.mtbf, instance.processors);
  if (instance.failures) {
    failures = counted(static_cast<std::int64_t>(instance.failures->size()), "failure") + " given";
  }
  if (instance.fault_free) failures = "no failures";
  return fmt::format("{} on {}, {}",
                     counted(static_cast<std::int64_t>(instance.tasks.size()), "application"),
                     counted(instance.processors, "processor"), failures);
}

}  // namespace holdfast::cosched
