#include "holdfast/domains/volatile/plan.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/volatile/fields.hpp"
#include "holdfast/domains/volatile/headline.hpp"
#include "holdfast/domains/volatile/verbs.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>

namespace holdfast::volatile_workers {
namespace {

void set_value(Value& document, const ConfigurationValue& value) {
  if (std::isfinite(value.log_success)) document.set("log_success", value.log_success);
  if (std::isfinite(value.expected)) document.set("expected", value.expected);
  if (std::isfinite(value.log_restart)) document.set("log_restart", value.log_restart);
}

std::string workers_of(const Assignment& assignment) {
  std::string text;
  for (std::size_t q = 0; q < assignment.size(); ++q) {
    if (assignment[q] == 0) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", q);
    if (assignment[q] > 1) text += fmt::format(" ({} tasks)", assignment[q]);
  }
  return text;
}

std::string reason_of(const Plan& plan, const ReadyStrategy& strategy) {
  switch (plan.advice) {
    case Advice::wait:
      return "wait: the workers that are up cannot hold all tasks";
    case Advice::enrol:
      return plan.lost ? "enrol: a member of what ran is down, its attempt is lost"
                       : "enrol: nothing runs";
    case Advice::keep:
      if (!plan.other_value) return "keep: the rule would choose the same configuration";
      return strategy.rules.switches ? "keep: what runs is worth at least as much"
                                     : "keep: a passive rule runs until it fails or ends";
    case Advice::change:
      return "switch: the new configuration is worth more than what is left of the old one";
  }
  return {};
}

Result<Answer> run_plan(const Request& request) {
  HOLDFAST_TRY(state, read_live_state(request.parameters));
  Toolbox toolbox(state.instance);
  HOLDFAST_TRY(make, make_strategy(*request.strategy, state.instance));
  const ReadyStrategy strategy = make(toolbox, {.seed = request.seed});
  if (!strategy.greedy) {
    return fail(ErrorCode::usage, "/strategy",
                fmt::format("found {}, expected a rule that weighs risks (ie, e-ie ...)",
                            in_quotes(request.strategy->text)));
  }
  const Plan plan = volatile_workers::plan(state, strategy);
  Answer answer;
  answer.headline = headline(state);
  Value& out = answer.document;
  const std::string reason = reason_of(plan, strategy);
  out.set("strategy", request.strategy->text);
  out.set("decision", name(plan.advice));
  out.set("reason", reason);
  answer.is_no = plan.advice == Advice::wait;
  if (plan.advice == Advice::wait) {
    answer.verdict.push_back(reason);
    return answer;
  }
  out.set("assignment", Value::list(plan.assignment));
  out.set("workload", plan.workload);
  set_value(out, plan.value);
  Table table{.title = {},
              .columns = {{.title = "configuration"},
                          {.title = "workers"},
                          {.title = "P", .digits = 4},
                          {.title = "E (slots)"},
                          {.title = "T (slots)"}},
              .rows = {}};
  const auto row = [&](std::string_view label, const Assignment& assignment,
                       const ConfigurationValue& value) {
    table.rows.push_back({label, workers_of(assignment), elementary::exp(value.log_success),
                          std::isfinite(value.expected) ? Value(value.expected) : Value("-"),
                          std::isfinite(value.log_restart) && value.log_restart < 700
                              ? Value(elementary::exp(value.log_restart))
                              : Value("-")});
  };
  row("this", plan.assignment, plan.value);
  if (plan.other_value) {
    Value other = Value::object({{"assignment", Value::list(plan.other)}});
    set_value(other, *plan.other_value);
    out.set("other", std::move(other));
    row("instead of", plan.other, *plan.other_value);
  }
  answer.tables.push_back(std::move(table));
  answer.verdict.push_back(reason);
  answer.verdict.push_back("workers " + workers_of(plan.assignment));
  return answer;
}

constexpr auto kPlanResults = std::to_array<ResultField>(
    {{"strategy", "strategy that planned, in canonical form", Holds::text},
     {"decision", "what to do now", Holds::text},
     {"reason", "why", Holds::text},
     {"assignment[]", "tasks of each worker", Holds::integer},
     {"workload", "slots of work of the longest share", Unit::slots},
     {"log_success?", "logarithm of the probability that the iteration ends without a restart"},
     {"expected?", "slots that it takes then, on average", Unit::slots},
     {"log_restart?", "logarithm of the slots until it ends, with restarts"},
     {"other?.assignment[]", "the assignment with which it was compared", Holds::integer},
     {"other?.log_success?", "its probability to end, as logarithm"},
     {"other?.expected?", "the slots that it takes", Unit::slots},
     {"other?.log_restart?", "logarithm of its slots with restarts"}});

}  // namespace

Verb plan_verb() {
  return {.name = "plan",
          .summary =
              "one decision: which workers to enrol now, whether to keep the running set, and why",
          .example = "holdfast volatile plan --instance examples/data/volatile-live.json",
          .results = kPlanResults,
          .takes_strategy = true,
          .unused = names_of_drawn(),
          .run = run_plan};
}

}  // namespace holdfast::volatile_workers
