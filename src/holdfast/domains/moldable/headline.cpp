#include "holdfast/domains/moldable/headline.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/models/resilience/failure_text.hpp"

#include <fmt/format.h>

namespace holdfast::moldable {
namespace {

std::string errors_of(const Instance& instance) {
  if (!instance.failures.empty() || instance.adaptive) return "failures as given";
  if (!instance.failure_probabilities.empty()) return "failure probabilities by job";
  return silent_errors_text(instance.error_rate);
}

}  // namespace

std::string headline(const GeneratorParameters& p, std::uint64_t seed) {
  return fmt::format("{} ({} model, seed {}) on {}, {}", counted(p.jobs, "random job"),
                     kFamilies[static_cast<std::size_t>(p.model)], seed,
                     counted(p.processors, "processor"), silent_errors_text(p.error_rate));
}

std::string headline(const Instance& instance) {
  return fmt::format("{} on {}, {}", counted(static_cast<std::int64_t>(instance.size()), "job"),
                     counted(instance.processors, "processor"), errors_of(instance));
}

}  // namespace holdfast::moldable
