#include "holdfast/domains/machine/headline.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/models/resilience/failure_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace holdfast::machine {
namespace {

std::string jobs_in_words(const Instance& instance, std::uint64_t seed) {
  if (instance.draws_jobs()) {
    return fmt::format("jobs of {} (seed {})", counted(instance.classes.size(), "class", "classes"),
                       seed);
  }
  return counted(instance.jobs.size(), instance.is_steady() ? "endless job" : "job");
}

std::string failures_in_words(const Instance& instance) {
  if (instance.events) {
    return instance.events->empty() ? "no failures"
                                    : counted(instance.events->size(), "given failure");
  }
  return mtbf_text(instance.node_mtbf(), instance.nodes);
}

}  // namespace

std::string headline(const Instance& instance, std::uint64_t seed) {
  const std::string file_system =
      std::isinf(instance.bandwidth)
          ? std::string("a file system without limit")
          : "a file system of " + format_quantity(instance.bandwidth, Unit::bytes_per_second);
  return fmt::format("{} on {}, {}, {}", jobs_in_words(instance, seed),
                     counted(instance.nodes, "node"), file_system, failures_in_words(instance));
}

}  // namespace holdfast::machine
