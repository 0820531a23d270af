#include "holdfast/domains/io/headline.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <cmath>

namespace holdfast::io {

std::string headline(const GeneratorParameters& p, std::uint64_t seed) {
  return fmt::format("{} (seed {}) that ask for {:.3g} % of the bandwidth, windows of about {}",
                     counted(p.applications, "random application"), seed, 100 * p.load,
                     format_duration(p.length));
}

std::string headline(const WorkloadParameters& p, std::uint64_t seed) {
  return fmt::format("{} in random order (seed {}) on {}, a file system of {}",
                     counted(static_cast<std::int64_t>(p.classes.size()), "class of applications",
                             "classes of applications"),
                     seed, counted(std::llround(p.machine.nodes), "node"),
                     format_quantity(p.machine.bandwidth, Unit::bytes_per_second));
}

std::string headline(const Instance& instance) {
  return fmt::format(
      "{} on a file system of {}, a window of {}",
      counted(static_cast<std::int64_t>(instance.applications.size()), "application"),
      format_quantity(instance.bandwidth, Unit::bytes_per_second),
      format_duration(instance.length()));
}

std::string headline(const LiveState& state) {
  return fmt::format(
      "{} of {} now, on a file system of {}",
      counted(static_cast<std::int64_t>(state.requests.size()), "pending operation"),
      counted(static_cast<std::int64_t>(state.instance.applications.size()), "application"),
      format_quantity(state.instance.bandwidth, Unit::bytes_per_second));
}

}  // namespace holdfast::io
