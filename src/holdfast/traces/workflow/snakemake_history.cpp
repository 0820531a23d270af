#include "holdfast/base/text.hpp"
#include "holdfast/traces/workflow/workflow_run.hpp"

#include <fmt/format.h>

#include <utility>

/// The history that the logger plugin of bindings/snakemake keeps: a JSON object on a line of its own for each attempt of a job. A
/// line may be half a line, where Snakemake was killed.
namespace holdfast {
namespace {

/// Returns the task of a line; nothing if the line is none.
std::optional<MeasuredTask> task_of(std::string_view line, bool& has_failed) {
  const auto value = parse_json(line);
  if (!value || value->members() == nullptr) return std::nullopt;
  const Value *rule = value->find("rule"), *threads = value->find("threads"),
              *seconds = value->find("seconds"), *status = value->find("status");
  MeasuredTask task;
  if (rule == nullptr || rule->string() == nullptr || threads == nullptr ||
      !threads->get_integer(task.cores) || task.cores < 1 || seconds == nullptr ||
      !seconds->is_number() || !(seconds->number() >= 0 && seconds->number() < 1e300)) {
    return std::nullopt;
  }
  task.name = *rule->string();
  if (const Value* output = value->find("output"); output != nullptr && output->string() != nullptr)
    task.product = *output->string();
  has_failed = status != nullptr && status->string() != nullptr && *status->string() == "failed";
  if (!has_failed) task.runtime = seconds->number();
  return task;
}

Result<WorkflowRun> read_history(LineReader lines) {
  WorkflowRun run;
  std::int64_t failed = 0, broken = 0;
  std::string_view line;
  for (;;) {
    HOLDFAST_TRY(more, lines.next(line));
    if (!more) break;
    bool has_failed = false;
    auto task = task_of(line, has_failed);
    if (!task) {
      broken += trim(line).empty() ? 0 : 1;
      continue;
    }
    failed += has_failed ? 1 : 0;
    task->id = fmt::format("{}", run.tasks.size() + 1);
    run.tasks.push_back(std::move(*task));
  }
  if (run.tasks.empty()) {
    return fail(ErrorCode::bad_format, lines.place(),
                "found no job, expected lines with rule, threads and seconds");
  }
  finish_workflow(run);
  run.oddities.add("lines that are no jobs", broken, "left out: Snakemake was killed there");
  run.oddities.add("attempts that failed", failed, "kept, without a run time");
  return run;
}

bool looks_like_history(std::string_view head) {
  const std::string_view first = head.substr(0, head.find('\n'));
  return first.starts_with(R"({"rule": )") && first.find(R"("threads": )") != first.npos &&
         first.find(R"("seconds": )") != first.npos;
}

}  // namespace

FormatOf<WorkflowRun> snakemake_history_format() {
  return {.facts = {.name = "snakemake-history",
                    .summary = "jobs of runs of Snakemake, by our logger plugin (JSON lines)",
                    .recognise = looks_like_history},
          .read = [](LineReader lines) { return read_history(std::move(lines)); }};
}

}  // namespace holdfast
