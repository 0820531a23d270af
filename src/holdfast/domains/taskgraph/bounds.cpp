#include "holdfast/domains/taskgraph/bounds.hpp"

#include "holdfast/math/sum.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <vector>

namespace holdfast::taskgraph {
namespace {

double attempts(std::span<const std::int64_t> failures, std::size_t task) {
  return failures.empty() ? 1.0 : static_cast<double>(failures[task] + 1);
}

// The bounds if tasks are released over time.
Bounds bounds_from_releases(const Instance& instance, std::span<const double> areas,
                            std::span<const double> times) {
  struct Part {
    double from = 0;  ///< no schedule starts it before this time
    double area = 0;
  };
  Bounds out;
  std::vector<Part> parts(instance.size());
  std::vector<double> ends(instance.size());
  for (const TaskIndex task : instance.graph.order()) {
    double& from = parts[task].from = instance.release(task);
    for (const TaskIndex parent : instance.graph.parents(task)) from = std::max(from, ends[parent]);
    ends[task] = from + times[task];
    parts[task].area = areas[task];
    out.critical_path = std::max(out.critical_path, ends[task]);
  }
  std::ranges::sort(parts, std::ranges::greater{}, &Part::from);
  CompensatedSum area;
  for (const Part& part : parts) {
    area += part.area;
    out.area =
        std::max(out.area, part.from + area.value() / static_cast<double>(instance.processors));
  }
  return out;
}

}  // namespace

LeastCosts least_costs(const Instance& instance) {
  LeastCosts out;
  out.areas.reserve(instance.size());
  out.times.reserve(instance.size());
  for (const Speedup& task : instance.tasks) {
    out.areas.push_back(task.least_area(instance.processors));
    out.times.push_back(task.time(task.fastest(instance.processors)));
  }
  return out;
}

LeastCosts least_costs(const Instance& instance, Strikes strikes) {
  LeastCosts out;
  for (std::size_t task = 0; task < instance.size(); ++task) {
    const LeastRun least = least_run(instance.tasks[task], instance.processors, task, strikes);
    out.areas.push_back(least.area);
    out.times.push_back(least.time);
  }
  return out;
}

Bounds lower_bounds(const Instance& instance, const LeastCosts& costs,
                    std::span<const std::int64_t> failures) {
  assert(failures.empty() || failures.size() == instance.size());
  if (!instance.releases.empty()) {
    LeastCosts all = costs;
    for (std::size_t task = 0; task < instance.size(); ++task) {
      all.areas[task] *= attempts(failures, task);
      all.times[task] *= attempts(failures, task);
    }
    return bounds_from_releases(instance, all.areas, all.times);
  }
  CompensatedSum area;
  for (std::size_t task = 0; task < instance.size(); ++task) {
    area += attempts(failures, task) * costs.areas[task];
  }
  Bounds bounds{.area = area.value() / static_cast<double>(instance.processors)};
  if (failures.empty()) {
    bounds.critical_path = critical_path_length(instance.graph, costs.times);
    return bounds;
  }
  std::vector<double> times = costs.times;
  for (std::size_t task = 0; task < instance.size(); ++task) {
    times[task] *= attempts(failures, task);
  }
  bounds.critical_path = critical_path_length(instance.graph, times);
  return bounds;
}

Bounds lower_bounds(const Instance& instance, std::span<const std::int64_t> failures) {
  return lower_bounds(instance, least_costs(instance), failures);
}

}  // namespace holdfast::taskgraph
