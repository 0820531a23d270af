#include "holdfast/domains/io/verbs.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/domains/io/examples.hpp"
#include "holdfast/domains/io/generator.hpp"
#include "holdfast/domains/io/instance_io.hpp"
#include "holdfast/domains/io/plan.hpp"
#include "holdfast/domains/io/simulate.hpp"
#include "holdfast/domains/io/strategies.hpp"

#include <fmt/format.h>

#include <array>
#include <string>

namespace holdfast::io {
namespace {

constexpr auto kFamily = std::to_array<Parameter>({
    {.name = "family",
     .summary = "synthetic, or adversary:example-1|1b|2a|2b|3|4|5|5r|6",
     .kind = Kind::text,
     .fallback = "synthetic"},
});
constexpr auto kGenerateOptions = std::to_array<Parameter>({
    {.name = "size",
     .summary = "adversary: number of applications (of example-1b: K, with K * K + 1)",
     .kind = Kind::integer,
     .range = positive()},
    {.name = "epsilon", .summary = "adversary: smaller is worse", .fallback = "0.001"},
});
constexpr auto kExampleOptions = std::to_array<Parameter>({
    {.name = "m",
     .summary = "number of applications; K of example-1b is its root, rounded",
     .kind = Kind::integer,
     .range = at_least(11),
     .fallback = "12"},
    {.name = "epsilon", .summary = "smaller is worse", .fallback = "0.001"},
});

double option(const Request& request, std::string_view name, double fallback) {
  const Value* value = request.options.find(name);
  return value == nullptr ? fallback : value->number();
}

Value document_of(const Instance& instance) {
  Value document =
      Value::object({{"holdfast", Value::object({{"kind", "io-instance"}, {"version", 1}})}});
  const Value fields = to_value(instance);
  for (const auto& [name, value] : *fields.members()) document.set(name, value);
  return document;
}

Value document_of(const Example& example) {
  Value document = document_of(example.instance);
  document.set("reference", example.reference);
  document.set("bound", example.bound);
  return document;
}

Result<Answer> run_plan(const Request& request) {
  HOLDFAST_TRY(state, read_live_state(request.parameters));
  const Load load{
      .pressure = 0, .period = state.instance.length(), .rolling_period = state.instance.length()};
  HOLDFAST_TRY(strategy, make_strategy(state.instance, load, *request.strategy));
  const Decision decision = decide_now(state, *strategy);
  Answer answer;
  answer.document.set("rates", Value::list(decision.rates));
  answer.document.set("horizon", decision.horizon);
  if (decision.event) {
    answer.document.set("event", state.instance.applications[*decision.event].id);
  }
  answer.document.set("minimum_yield", decision.minimum_yield);
  Table table{.title = "rates until the next event",
              .columns = {{.title = "application"},
                          {.title = "rate", .unit = Unit::bytes_per_second},
                          {.title = "remaining", .unit = Unit::bytes}},
              .rows = {}};
  for (const Pending& pending : state.requests) {
    table.rows.push_back({state.instance.applications[pending.application].id,
                          decision.rates[pending.application], pending.remaining});
  }
  answer.tables.push_back(std::move(table));
  answer.lines.push_back(fmt::format(
      "until {}, in {}; least yield then: {}",
      decision.event
          ? fmt::format("the operation of {} ends", state.instance.applications[*decision.event].id)
          : std::string("the window ends"),
      format_duration(decision.horizon), to_text(decision.minimum_yield, 6)));
  return answer;
}

Result<Answer> run_generate(const Request& request) {
  const Value* family = request.options.find("family");
  const std::string name = family == nullptr ? "synthetic" : *family->string();
  constexpr std::string_view kAdversary = "adversary:";
  Answer answer;
  if (name.starts_with(kAdversary)) {
    HOLDFAST_TRY(example, make_example(std::string_view(name).substr(kAdversary.size()),
                                       static_cast<std::int64_t>(option(request, "size", 12)),
                                       option(request, "epsilon", 1e-3)));
    answer.document = document_of(example);
    return answer;
  }
  if (name != "synthetic") {
    return fail(ErrorCode::usage, "family",
                fmt::format("found '{}', expected 'synthetic' or 'adversary:example-...'", name));
  }
  HOLDFAST_TRY(parameters, read_generator(request.parameters));
  HOLDFAST_TRY(instance, generate(parameters, {.seed = request.seed}));
  answer.document = document_of(instance);
  return answer;
}

// All strategies on one worst case: a row each, beside the proof's schedule.
Status add_example(const Example& example, Answer& answer, Value& list) {
  const Load load = load_of(example.instance);
  Table table{.title = fmt::format("{}: {} applications, attack on {}, proof {}", example.name,
                                   example.instance.applications.size(), example.metric,
                                   to_text(example.reference, 6)),
              .columns = {{.title = "strategy"},
                          {.title = "minimum yield"},
                          {.title = "efficiency"},
                          {.title = "utilization"},
                          {.title = "proof / value", .digits = 5}},
              .rows = {}};
  Value results = Value::array();
  const auto entries = strategy_entries();
  for (const StrategyEntry& entry : entries) {
    HOLDFAST_TRY(spec, parse_strategy(entry.name, entries));
    HOLDFAST_TRY(strategy, make_strategy(example.instance, load, spec));
    const Metrics m = simulate(example.instance, load, *strategy).metrics;
    const double value = example.metric == "efficiency" ? m.efficiency : m.minimum_yield;
    const Value ratio = value > 0 ? Value(example.reference / value) : Value("infinite");
    table.rows.push_back({std::string(entry.name == "as-given" ? "(the proof's)" : entry.name),
                          m.minimum_yield, m.efficiency, m.utilization, ratio});
    results.push(Value::object({{"strategy", entry.name},
                                {"minimum_yield", m.minimum_yield},
                                {"efficiency", m.efficiency},
                                {"utilization", m.utilization},
                                {"ratio", ratio}}));
  }
  answer.tables.push_back(std::move(table));
  list.push(Value::object({{"name", example.name},
                           {"metric", example.metric},
                           {"reference", example.reference},
                           {"bound", example.bound},
                           {"instance", document_of(example.instance)},
                           {"results", std::move(results)}}));
  return {};
}

Result<Answer> run_examples(const Request& request) {
  const auto m = static_cast<std::int64_t>(option(request, "m", 12));
  const double epsilon = option(request, "epsilon", 1e-3);
  Answer answer;
  Value list = Value::array();
  for (const std::string_view name : example_names()) {
    std::int64_t size = m;
    if (name == "example-1b") {
      for (size = 2; (size + 1) * (size + 1) + 1 <= m; ++size) {
      }
    } else if (name.starts_with("example-2")) {
      size = m - m % 2;
    }
    HOLDFAST_TRY(example, make_example(name, size, epsilon));
    HOLDFAST_CHECK(add_example(example, answer, list));
  }
  answer.document.set("examples", std::move(list));
  return answer;
}

}  // namespace

std::vector<Verb> verbs() {
  return {
      {.name = "plan",
       .summary = "who gets how much bandwidth, now",
       .example = "holdfast io plan --instance examples/data/io-live.json",
       .takes_strategy = true,
       .run = run_plan},
      {.name = "generate",
       .summary = "write a synthetic window, or a worst case",
       .example =
           "holdfast io generate --applications 12 --small 4 --length 2e5 --output window.json",
       .options = kGenerateOptions,
       .positionals = kFamily,
       .run = run_generate},
      {.name = "examples",
       .summary =
           "the source's worst cases under every strategy, beside the schedules of the proofs",
       .example = "holdfast io examples --m 12",
       .options = kExampleOptions,
       .takes_instance = false,
       .run = run_examples},
  };
}

}  // namespace holdfast::io
