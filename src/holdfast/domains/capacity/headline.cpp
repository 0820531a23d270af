#include "holdfast/domains/capacity/headline.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

namespace holdfast::capacity {
namespace {

std::string jobs_of(const Problem& problem, const Instance& instance, std::uint64_t seed) {
  const auto count = static_cast<std::int64_t>(instance.jobs.size());
  if (!problem.draws_jobs) {
    std::string out = counted(count, "job");
    if (problem.compress > 1) out += fmt::format(" {:g} times as fast as logged", problem.compress);
    return out;
  }
  const std::string_view family = kFamilies[static_cast<std::size_t>(problem.generator.family)];
  return fmt::format("{} (seed {})", counted(count, fmt::format("{} job", family)), seed);
}

// " of 24 cores", or " (80 of 24 cores, 40 of 8)" where machines differ in size.
std::string sizes_of(const Instance& instance) {
  constexpr std::size_t kMostShown = 4;
  if (instance.sizes.empty()) return " of " + counted(instance.cores, "core");
  if (instance.sizes.size() > kMostShown) {
    return fmt::format(" of {} to {}", instance.distinct_sizes().front(),
                       counted(instance.cores, "core"));
  }
  std::string out;
  for (const MachineSize& size : instance.sizes) {
    out += out.empty() ? fmt::format(" ({} of {}", size.machines, counted(size.cores, "core"))
                       : fmt::format(", {} of {}", size.machines, size.cores);
  }
  return out + ")";
}

std::string machines_of(const Problem& problem, const Instance& instance, const WindowLoad& load,
                        std::uint64_t seed) {
  std::string out = counted(load.most_machines, "machine");
  if (load.least_machines < load.most_machines) {
    out = fmt::format("{} to {}", load.least_machines, out);
  }
  out += sizes_of(instance);
  if (problem.draws_capacity && !problem.draws_jobs) out += fmt::format(" (drawn, seed {})", seed);
  return out;
}

}  // namespace

std::string headline(const Problem& problem, const Instance& instance, const WindowLoad& load,
                     std::uint64_t seed) {
  std::string out =
      fmt::format("{}, {} of them in the window of {}", jobs_of(problem, instance, seed), load.jobs,
                  format_duration(static_cast<double>(instance.end - instance.begin)));
  if (const std::int64_t left_out = problem.left_out + load.too_wide; left_out > 0) {
    out += fmt::format(", {} left out", left_out);
  }
  if (load.too_wide_for_some > 0)
    out += fmt::format(", {} too wide for some machines", load.too_wide_for_some);
  out += fmt::format(", on {}", machines_of(problem, instance, load, seed));
  constexpr double kTimes = 10;  // instead of a load like "9.6e+04 %", which is hard to read
  if (load.capacity > 0 && load.share() < kTimes) {
    out += fmt::format(": load {:.3g} %", 100 * load.share());
  } else if (load.capacity > 0) {
    out += fmt::format(": {:.0f} times as much work as they can do", load.share());
  }
  return out;
}

std::string headline(const LiveState& state) {
  const Job& job = state.instance.jobs.front();
  return fmt::format("a job of {} and {}, {} of {}{} alive, {} running", counted(job.cores, "core"),
                     format_duration(static_cast<double>(job.length)), state.alive,
                     counted(state.instance.machines, "machine"), sizes_of(state.instance),
                     counted(static_cast<std::int64_t>(state.running.size()), "job"));
}

}  // namespace holdfast::capacity
