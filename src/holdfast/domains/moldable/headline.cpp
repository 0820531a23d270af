#include "holdfast/domains/moldable/headline.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace holdfast::moldable {
namespace {

std::string errors_of(const Instance& instance) {
  if (!instance.failures.empty() || instance.adaptive) return "failures as given";
  if (!instance.failure_probabilities.empty()) return "failure probabilities by job";
  if (!instance.strikes.empty()) return "errors as given";
  return errors_text(instance.errors());
}

// "like random amdahl jobs".
std::string scaling_of(const GeneratorParameters& p) {
  if (p.speedup) return fmt::format("like one program ({})", name(p.speedup->model()));
  const std::string_view family = kFamilies[static_cast<std::size_t>(p.model)];
  if (!p.sequential_fraction) return fmt::format("like random {} jobs", family);
  return fmt::format("by the model {} (sequential fraction {:g})", family, *p.sequential_fraction);
}

}  // namespace

std::string headline(const GeneratorParameters& p, std::uint64_t seed) {
  const std::string errors = errors_text({p.error_model, p.error_rate});
  if (p.log != nullptr) {
    const auto all = static_cast<std::int64_t>(p.log->jobs.size());
    const std::int64_t count = jobs_of(p);
    return fmt::format("assuming speedups {}: {}{} of {} on {}, {}", scaling_of(p),
                       count < all ? fmt::format("{} of the ", count) : "", counted(all, "job"),
                       p.log->file.empty() ? std::string("a log")
                                           : std::filesystem::path(p.log->file).filename().string(),
                       counted(p.processors, "processor"), errors);
  }
  return fmt::format("{} ({} model, seed {}) on {}, {}", counted(p.jobs, "random job"),
                     kFamilies[static_cast<std::size_t>(p.model)], seed,
                     counted(p.processors, "processor"), errors);
}

std::string headline(const Instance& instance) {
  return fmt::format("{} on {}, {}", counted(static_cast<std::int64_t>(instance.size()), "job"),
                     counted(instance.processors, "processor"), errors_of(instance));
}

}  // namespace holdfast::moldable
