#include "holdfast/traces/workflow/workflow_run.hpp"

#include <algorithm>
#include <numeric>

namespace holdfast {
namespace {

/// Returns the number of tasks that can never start: those in a cycle and those that wait for one.
std::size_t stuck_tasks(const WorkflowRun& run) {
  const std::size_t count = run.tasks.size();
  std::vector<std::uint32_t> waits(count, 0), first(count + 1, 0), ready;
  for (const WorkflowRun::Dependency& edge : run.dependencies) {  // by parent
    ++waits[edge.child];
    ++first[edge.parent + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  ready.reserve(count);
  for (std::uint32_t task = 0; task < count; ++task) {
    if (waits[task] == 0) ready.push_back(task);
  }
  for (std::size_t done = 0; done < ready.size(); ++done) {
    for (std::uint32_t k = first[ready[done]]; k < first[ready[done] + 1]; ++k) {
      const std::uint32_t child = run.dependencies[k].child;
      if (--waits[child] == 0) ready.push_back(child);
    }
  }
  return count - ready.size();
}

}  // namespace

void finish_workflow(WorkflowRun& run) {
  auto& edges = run.dependencies;
  if (!std::ranges::is_sorted(edges)) std::ranges::sort(edges);
  const auto repeated = std::ranges::unique(edges);
  edges.erase(repeated.begin(), repeated.end());
  Oddities& odd = run.oddities;
  const auto count = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  const auto tasks = [&](auto test) {
    return count(static_cast<std::size_t>(std::ranges::count_if(run.tasks, test)));
  };
  std::vector<bool> is_joined(run.tasks.size(), false);
  for (const WorkflowRun::Dependency& edge : run.dependencies) {
    is_joined[edge.parent] = is_joined[edge.child] = true;
  }
  odd.add("tasks without a run time", tasks([](const MeasuredTask& t) { return !t.runtime; }),
          "kept: a schedule needs a value in its place");
  odd.add("tasks of run time 0",
          tasks([](const MeasuredTask& t) { return t.runtime && *t.runtime == 0; }), "kept");
  if (run.tasks.size() > 1) {
    odd.add("tasks without predecessors and successors",
            count(static_cast<std::size_t>(std::ranges::count(is_joined, false))), "kept");
  }
  odd.add("tasks that wait for each other in a circle, or for such tasks", count(stuck_tasks(run)),
          "kept: no schedule can run them");
}

Result<WorkflowRun> sliced(const WorkflowRun&, const SliceQuestion&) {
  return fail(ErrorCode::usage, "",
              "found a workflow, expected a trace that has parts: some of its tasks are another "
              "workflow");
}

}  // namespace holdfast
