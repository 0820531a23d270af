#include "holdfast/base/text.hpp"
#include "holdfast/traces/text/table_rows.hpp"
#include "holdfast/traces/workflow/workflow_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// Workflows as tables of their tasks: Nextflow's trace, and Snakemake's benchmark files. Neither has dependencies.
namespace holdfast {
namespace {

struct TaskAt {
  enum : std::size_t { id, name, status, run, cores };
};
constexpr auto kTaskFields = std::to_array<TableField>({
    {.name = "id", .synonyms = "taskid jobid hash"},
    {.name = "name", .synonyms = "process rulename rule task"},
    {.name = "status", .synonyms = "state"},
    {.name = "run", .is = CellKind::duration, .synonyms = "realtime s duration runtime", .need = 1},
    {.name = "cores", .is = CellKind::whole, .synonyms = "cpus threads"},
});
constexpr TableKind kTaskTable = {.records = "tasks", .fields = kTaskFields};

/// Returns true if the first line has all these columns, between tabs.
bool has_tabbed_columns(std::string_view head, std::initializer_list<std::string_view> columns) {
  const auto names = split(trim(head.substr(0, head.find('\n'))), '\t');
  return std::ranges::all_of(columns, [&](std::string_view column) {
    return std::ranges::find(names, column) != names.end();
  });
}

Result<WorkflowRun> read_tasks(TraceText text) {
  HOLDFAST_TRY(rows, TableRows::open(std::move(text), kTaskTable));
  WorkflowRun run;
  std::vector<bool> has_failed;
  std::map<std::string, bool, std::less<>> is_done;  // of tasks by name
  for (;;) {
    HOLDFAST_TRY(more, rows.next());
    if (!more) break;
    MeasuredTask task{.id = fmt::format("{}", run.tasks.size() + 1), .name = {}, .runtime = {}};
    HOLDFAST_TRY(seconds, rows.value(TaskAt::run));
    task.runtime = seconds;
    task.name = rows.text(TaskAt::name);
    if (task.name.empty()) task.name = task.id;
    HOLDFAST_TRY(cores, rows.value(TaskAt::cores));
    if (cores && *cores >= 1) task.cores = static_cast<std::int64_t>(*cores);
    const std::string status = lower_case(rows.text(TaskAt::status));
    has_failed.push_back(status.starts_with("fail") || status.starts_with("abort"));
    is_done[task.name] = is_done[task.name] || !has_failed.back();
    run.tasks.push_back(std::move(task));
  }
  if (run.tasks.empty())
    return fail(ErrorCode::bad_format, rows.place(), "found no task, expected at least one");
  std::int64_t repeated = 0, lost = 0;
  std::vector<MeasuredTask> kept;
  for (std::size_t i = 0; i < run.tasks.size(); ++i) {
    const bool is_repeated = has_failed[i] && is_done[run.tasks[i].name];
    ++(is_repeated ? repeated : lost);
    if (!has_failed[i]) --lost;
    if (!is_repeated) kept.push_back(std::move(run.tasks[i]));
  }
  run.tasks = std::move(kept);
  finish_workflow(run);
  run.oddities.add("attempts that failed and were repeated", repeated, "left out");
  run.oddities.add("tasks that failed", lost, "kept");
  run.oddities.add("tasks in a table without dependencies", std::ssize(run.tasks),
                   "read as tasks that wait for nothing");
  rows.tell(run.oddities);
  return run;
}

}  // namespace

FormatOf<WorkflowRun> nextflow_trace_format() {
  return {.facts = {.name = "nextflow-trace",
                    .summary = "tasks of a Nextflow run (trace.txt)",
                    .recognise =
                        [](std::string_view head) {
                          return has_tabbed_columns(head, {"task_id", "status"}) &&
                                 (has_tabbed_columns(head, {"realtime"}) ||
                                  has_tabbed_columns(head, {"duration"}));
                        }},
          .read = read_tasks};
}

FormatOf<WorkflowRun> snakemake_benchmark_format() {
  return {.facts = {.name = "snakemake-benchmark",
                    .summary = "runs of a rule of Snakemake (benchmark file)",
                    .recognise =
                        [](std::string_view head) {
                          return has_tabbed_columns(head, {"s", "h:m:s", "max_rss"});
                        }},
          .read = read_tasks};
}

}  // namespace holdfast
