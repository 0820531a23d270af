#include "holdfast/domains/checkpoint/plan.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace holdfast::checkpoint {
namespace {

/// Checkpoints that people see; programs get all.
constexpr std::size_t kShown = 20;

Value segments_of(const Plan& plan) {
  Value segments = Value::array();
  double before = 0;
  for (const double cut : plan.cuts) {
    segments.push(cut - before);
    before = cut;
  }
  return segments;
}

Value candidates_of(const Plan& plan) {
  Value by_count = Value::array();
  auto candidates = plan.candidates;
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.checkpoints < b.checkpoints; });
  for (const Candidate& candidate : candidates) {
    by_count.push(Value::object({{"checkpoints", candidate.checkpoints},
                                 {"expected_work", candidate.expected_work},
                                 {"expected_time", candidate.expected_time}}));
  }
  return by_count;
}

Value document_of(const Plan& plan, const StrategySpec& spec, const Strategy& strategy) {
  Value document = Value::object({{"strategy", spec.text},
                                  {"segments", segments_of(plan)},
                                  {"cumulative", Value::list(plan.cuts)},
                                  {"checkpoints", static_cast<std::int64_t>(plan.cuts.size())},
                                  {"expected_work", plan.worth.expected_work},
                                  {"expected_time", plan.worth.expected_time},
                                  {"efficiency", plan.worth.efficiency}});
  if (strategy.quantum() > 0) {
    document.set("quantum", strategy.quantum());
    document.set("continuous_efficiency", plan.continuous_efficiency);
  }
  if (!plan.candidates.empty()) document.set("by_count", candidates_of(plan));
  return document;
}

Table table_of(const Plan& plan) {
  Table table{.title = "checkpoints, if nothing fails",
              .columns = {{.title = "checkpoint"},
                          {.title = "work before it", .unit = Unit::seconds},
                          {.title = "work done", .unit = Unit::seconds}}};
  double before = 0;
  for (std::size_t k = 0; k < std::min(plan.cuts.size(), kShown); ++k) {
    table.rows.push_back({static_cast<std::int64_t>(k + 1), plan.cuts[k] - before, plan.cuts[k]});
    before = plan.cuts[k];
  }
  return table;
}

// "the Young/Daly period is 2 h 31 min (efficiency 0.41)": what the usual rule would do here.
Result<std::string> beside_young_daly(const Instance& instance) {
  HOLDFAST_TRY(rule, make_young_daly(instance, {}));
  HOLDFAST_TRY(plan, make_plan(instance, *rule));
  return fmt::format("young-daly: every {} of work, efficiency {:.6f}",
                     format_duration(plan.cuts.front()), plan.worth.efficiency);
}

Result<Answer> run(const Request& request) {
  HOLDFAST_TRY(instance, read_instance(request.parameters, request.directory));
  if (!instance.law) {
    return fail(ErrorCode::bad_value, "/failures",
                "found no law ('distribution' or 'mtbf'), which a plan needs");
  }
  HOLDFAST_TRY(strategy, make_strategy(instance, *request.strategy));
  HOLDFAST_TRY(plan, make_plan(instance, *strategy));
  Answer answer;
  answer.document = document_of(plan, *request.strategy, *strategy);
  answer.tables.push_back(table_of(plan));
  if (plan.cuts.size() > kShown) {
    answer.lines.push_back(
        fmt::format("and {} more (--json lists all)", plan.cuts.size() - kShown));
  }
  answer.lines.push_back(
      fmt::format("next checkpoint after {} of work", format_duration(plan.cuts.front())));
  answer.lines.push_back(
      fmt::format("until the next failure: {} of work saved in {}, efficiency {:.6f}",
                  format_duration(plan.worth.expected_work),
                  format_duration(plan.worth.expected_time), plan.worth.efficiency));
  HOLDFAST_TRY(usual, beside_young_daly(instance));
  answer.lines.push_back(usual);
  answer.warnings = instance.notes;
  answer.warnings.insert(answer.warnings.end(), plan.warnings.begin(), plan.warnings.end());
  return answer;
}

}  // namespace

Verb plan_verb() {
  return {.name = "plan",
          .summary = "when to write the next checkpoints, and what that is worth",
          .example = "holdfast checkpoint plan --mtbf 8h --checkpoint 5min --work 24h",
          .takes_strategy = true,
          .run = run};
}

}  // namespace holdfast::checkpoint
