#include "holdfast/domains/capacity/load.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast::capacity {

WindowLoad window_load(const Instance& instance, std::span<const Task> tasks) {
  WindowLoad out;
  out.jobs = static_cast<std::int64_t>(tasks.size());
  out.too_wide = std::ranges::count_if(instance.jobs,
                                       [&](const Job& job) { return job.cores > instance.cores; });
  const std::int64_t smallest = instance.distinct_sizes().front();
  for (const Task& task : tasks) {
    if (task.cores > smallest) ++out.too_wide_for_some;
    out.work += static_cast<double>(task.cores) * static_cast<double>(task.first_length);
  }
  out.most_machines = out.least_machines = instance.alive_at(instance.begin);
  for (const AliveSpan& span : instance.alive_spans()) {
    out.capacity += static_cast<double>(instance.cores_on(span.machines)) *
                    static_cast<double>(span.end - span.begin);
    out.most_machines = std::max(out.most_machines, span.machines);
    out.least_machines = std::min(out.least_machines, span.machines);
  }
  return out;
}

Status check(const WindowLoad& load, const Instance& instance) {
  const std::string window =
      fmt::format("the window from {} to {}", format_duration(static_cast<double>(instance.begin)),
                  format_duration(static_cast<double>(instance.end)));
  if (load.jobs == 0) {
    std::string there = "there are none at all";
    if (!instance.jobs.empty()) {
      const auto [first, last] = std::ranges::minmax(instance.jobs, {}, &Job::release);
      there = fmt::format(
          "{} released from {} to {}, {} too wide for a machine",
          counted(static_cast<std::int64_t>(instance.jobs.size()), "job is", "jobs are"),
          format_duration(static_cast<double>(first.release)),
          format_duration(static_cast<double>(last.release)), load.too_wide);
    }
    return fail(ErrorCode::bad_value, "/window",
                fmt::format("found no job that can run in {}: {}", window, there));
  }
  if (load.capacity == 0) {
    return fail(ErrorCode::bad_value, "/alive",
                fmt::format("found no machine alive in {}; 'alive_from' says at which date of "
                            "the series the window begins, 'window' which part of the jobs is used",
                            window));
  }
  return {};
}

}  // namespace holdfast::capacity
