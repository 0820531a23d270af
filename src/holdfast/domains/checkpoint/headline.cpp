#include "holdfast/domains/checkpoint/headline.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/models/resilience/failure_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace holdfast::checkpoint {
namespace {

// "weibull (shape 0.7)": the law without its mean, which the line gives before.
std::string shape_of(const Law& law) {
  const std::string text = law.text();
  const auto name = text.find(", ");
  const auto mean = text.rfind(", mean ");
  if (name == std::string::npos || mean == std::string::npos || mean <= name) {
    return text.substr(0, name);
  }
  return fmt::format("{} ({})", text.substr(0, name), text.substr(name + 2, mean - name - 2));
}

std::string ages_of(const Instance& instance) {
  const std::vector<AgeGroup> groups = initial_groups(instance);
  const auto [youngest, oldest] = std::ranges::minmax(groups, {}, &AgeGroup::age);
  if (oldest.age == 0) return "all new";
  if (youngest.age < oldest.age) {
    return fmt::format("{} to {} old", format_duration(youngest.age), format_duration(oldest.age));
  }
  return format_duration(oldest.age) + " old";
}

std::string failures_of(const Instance& instance) {
  if (instance.events) {
    return counted(static_cast<std::int64_t>(instance.events->size()), "failure") + " given";
  }
  if (!instance.law) return "failures unknown";
  const Law& law = *instance.law;
  std::string out = fmt::format(
      "{}{}, {}", instance.observed_mtbf ? "observed " : "",
      mtbf_text(processor_mtbf(instance), instance.processors, job_mtbf(instance)), shape_of(law));
  if (instance.recorded) return out + ", nodes of a log";
  if (law.name() != "exponential") out += ", " + ages_of(instance);
  return out;
}

}  // namespace

std::string headline(const Instance& instance) {
  const std::string job = std::isinf(instance.work)
                              ? std::string("a job without end")
                              : fmt::format("a job of {}", format_duration(instance.work));
  std::string spares;
  if (instance.platform.spares) {
    spares = fmt::format(" and {}", counted(*instance.platform.spares, "spare"));
  }
  std::string out = fmt::format("{} on {}{}, {}", job, counted(instance.processors, "processor"),
                                spares, failures_of(instance));
  if (instance.platform.has_pool() && instance.platform.repair) {
    out += "; " + repairs_in_words(instance.platform);
  }
  return out;
}

}  // namespace holdfast::checkpoint
