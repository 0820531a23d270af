#include "holdfast/domains/moldable/headline.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast::moldable {
namespace {

std::string errors_of(const Instance& instance) {
  if (!instance.failures.empty() || instance.adaptive) return "failures as given";
  if (!instance.failure_probabilities.empty()) return "failure probabilities by job";
  if (!instance.strikes.empty()) return "errors as given";
  return errors_text(instance.errors());
}

}  // namespace

std::string headline(const GeneratorParameters& p, std::uint64_t seed) {
  const std::string errors = errors_text({p.error_model, p.error_rate, p.checkpoint, p.recovery});
  if (p.log != nullptr) {
    return fmt::format(
        "{} on {}, {}",
        logged_sizes_text(*p.log, jobs_of(p), p.speedup,
                          kFamilies[static_cast<std::size_t>(p.model)], p.sequential_fraction),
        counted(p.processors, "processor"), errors);
  }
  return fmt::format("{} ({} model, seed {}) on {}, {}", counted(p.jobs, "random job"),
                     kFamilies[static_cast<std::size_t>(p.model)], seed,
                     counted(p.processors, "processor"), errors);
}

std::string headline(const Instance& instance) {
  return fmt::format("{}{} on {}, {}", counted(static_cast<std::int64_t>(instance.size()), "job"),
                     instance.releases.empty()
                         ? ""
                         : fmt::format(", released over {},",
                                       format_duration(std::ranges::max(instance.releases))),
                     counted(instance.processors, "processor"), errors_of(instance));
}

}  // namespace holdfast::moldable
