#include "holdfast/domains/taskgraph/optimum.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/domains/taskgraph/bounds.hpp"
#include "holdfast/domains/taskgraph/headline.hpp"
#include "holdfast/domains/taskgraph/instance_io.hpp"
#include "holdfast/domains/taskgraph/point.hpp"
#include "holdfast/domains/taskgraph/verbs.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace holdfast::taskgraph {
namespace {

Table table_of(const Instance& instance, const Schedule& schedule) {
  Table table{.title = "an optimal schedule",
              .columns = {{.title = "task"},
                          {.title = "attempt"},
                          {.title = "processors"},
                          {.title = "start", .unit = Unit::seconds},
                          {.title = "end", .unit = Unit::seconds}},
              .rows = {}};
  for (const Attempt& attempt : schedule) {
    table.rows.push_back({instance.name(attempt.task), std::int64_t{attempt.number},
                          attempt.processors, attempt.start, attempt.end});
  }
  return table;
}

Result<Answer> answer_optimum(const Request& request) {
  HOLDFAST_TRY(instance, instance_of(request));
  if (instance.fails_by_processors()) {
    return fail(ErrorCode::bad_value, "/error_model",
                "found errors that depend on the processors of an attempt, expected the model "
                "work: the search must know beforehand how often a task fails");
  }
  const auto failures = failures_of(instance, Draw{.seed = request.seed});
  HOLDFAST_TRY(best, optimum(instance, failures));
  const Bounds bounds = lower_bounds(instance, failures);
  std::vector<std::int64_t> allocations(instance.size());
  std::vector<double> starts(instance.size());
  for (const Attempt& attempt : best.schedule) {
    if (attempt.number != 1) continue;
    allocations[attempt.task] = attempt.processors;
    starts[attempt.task] = attempt.start;
  }
  Answer answer;
  answer.headline = headline(instance);
  answer.document = Value::object({{"makespan", best.makespan},
                                   {"lower_bound", bounds.lower()},
                                   {"allocations", Value::list(allocations)},
                                   {"starts", Value::list(starts)}});
  answer.tables.push_back(table_of(instance, best.schedule));
  answer.verdict.push_back(fmt::format("optimal makespan {}; lower bound {}",
                                       format_duration(best.makespan),
                                       format_duration(bounds.lower())));
  answer.warnings = warnings(instance);
  answer.schedules.push_back({.timeline = to_timeline(instance, best.schedule)});
  return answer;
}

constexpr auto kOptimumResults =
    std::to_array<ResultField>({{"makespan", "the best makespan", Unit::seconds},
                                {"lower_bound", "lower bound of the instance", Unit::seconds},
                                {"allocations[]", "processors of each task", Holds::integer},
                                {"starts[]", "when each task starts", Unit::seconds}});

}  // namespace

Verb optimum_verb() {
  return {.name = "optimum",
          .summary = "the best schedule of a small graph, by exact search",
          .example = "holdfast taskgraph optimum --tasks 5 --processors 4 --model amdahl",
          .results = kOptimumResults,
          .has_schedule = true,
          .run = answer_optimum};
}

}  // namespace holdfast::taskgraph
