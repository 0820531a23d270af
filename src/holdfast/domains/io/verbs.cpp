#include "holdfast/domains/io/verbs.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/ask.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/io/bounds.hpp"
#include "holdfast/domains/io/document_parts.hpp"
#include "holdfast/domains/io/examples.hpp"
#include "holdfast/domains/io/generator.hpp"
#include "holdfast/domains/io/headline.hpp"
#include "holdfast/domains/io/instance_io.hpp"
#include "holdfast/domains/io/live_state.hpp"
#include "holdfast/domains/io/logged_phases.hpp"
#include "holdfast/domains/io/plan.hpp"
#include "holdfast/domains/io/recorded_phases.hpp"
#include "holdfast/domains/io/strategies.hpp"
#include "holdfast/domains/io/workload_io.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace holdfast::io {
namespace {

struct GenerateOptions {
  std::string family = "synthetic";
  std::int64_t size = 12;
  double epsilon = 1e-3;
  LogReading log;
  std::string window = "longest";
};
constexpr auto kGenerateFamily = std::to_array<Field<GenerateOptions>>({
    {.name = "family",
     .summary = "synthetic, adversary:example-1|1b|2a|2b|3|4|5|5r|6, log:FILE (Darshan DXT, "
                "totals per run; FILE alone is one), or recorded:FILE (a record of 'io serve')",
     .member = member<&GenerateOptions::family>,
     .reads = "io"},
});
constexpr auto kGenerateOptions = std::to_array<Field<GenerateOptions>>({
    {.name = "size",
     .summary =
         "adversary: number of applications; for example-1b: K, which gives K * K + 1 applications",
     .member = member<&GenerateOptions::size>,
     .range = positive()},
    {.name = "epsilon",
     .summary =
         "adversary: a parameter of the proof; the smaller it is, the worse the strategy does",
     .member = member<&GenerateOptions::epsilon>},
    {.name = "gap",
     .summary = "log: operations that are closer than this count as one",
     .member = member<&GenerateOptions::log, &LogReading::gap>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .fallback = "1"},
    {.name = "work",
     .summary = "log: working time of a run of which only totals are known",
     .member = member<&GenerateOptions::log, &LogReading::work>,
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "run",
     .summary = "log: the run to use; default: all",
     .member = member<&GenerateOptions::log, &LogReading::run>},
    {.name = "window",
     .summary = "recorded: BEGIN,END in seconds of the record, or longest: the longest time in "
                "which no application joins or leaves",
     .member = member<&GenerateOptions::window>},
});

struct ExampleOptions {
  std::int64_t m = 12;
  double epsilon = 1e-3;
};
constexpr auto kExampleOptions = std::to_array<Field<ExampleOptions>>({
    {.name = "m",
     .summary = "number of applications; example-1b has at most as many: K * K + 1, with the "
                "largest K that allows this",
     .member = member<&ExampleOptions::m>,
     .range = at_least(11)},
    {.name = "epsilon",
     .summary = "a parameter of the proof; the smaller it is, the worse the strategies do",
     .member = member<&ExampleOptions::epsilon>},
});

constexpr std::size_t kMostNamed = 4;  // applications named in a sentence

// "genome at 80 GB/s, plasma at 120 GB/s; 1 more waits"
std::string rates_in_words(const LiveState& state, const Decision& decision) {
  std::vector<std::string> parts;
  std::size_t granted = 0;
  for (const Pending& pending : state.requests) {
    const double rate = decision.rates[pending.application];
    if (!(rate > 0) || ++granted > kMostNamed) continue;
    parts.push_back(fmt::format("{} at {}", state.instance.applications[pending.application].id,
                                format_quantity(rate, Unit::bytes_per_second)));
  }
  std::string out = parts.empty() ? "no operation gets bandwidth" : join(parts, ", ");
  if (granted > kMostNamed) out += fmt::format(" and {} more", granted - kMostNamed);
  const std::size_t waiting = state.requests.size() - granted;
  if (waiting > 0) out += "; " + counted(waiting, "operation waits", "operations wait");
  return out;
}

Result<Answer> run_plan(const Request& request) {
  HOLDFAST_TRY(state, read_live_state(request.parameters));
  const Load load{
      .pressure = 0, .period = state.instance.length(), .rolling_period = state.instance.length()};
  HOLDFAST_TRY(strategy, make_strategy(*request.strategy, state.instance, load));
  const Decision decision = decide_now(state, *strategy);
  Answer answer;
  answer.headline = headline(state);
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
  answer.verdict.push_back(rates_in_words(state, decision));
  answer.verdict.push_back(fmt::format(
      "until {}, in {}; least yield then: {}",
      decision.event
          ? fmt::format("the operation of {} ends", state.instance.applications[*decision.event].id)
          : std::string("the window ends"),
      format_duration(decision.horizon), to_text(decision.minimum_yield, 6)));
  return answer;
}

constexpr double kMostListed = 2e6;  // phases: a document of some 60 MB

// The window that a family names, or the first one that the document describes.
Result<Instance> window_of(const GenerateOptions& options, const Request& request) {
  constexpr std::string_view kLog = "log:";
  constexpr std::string_view kRecorded = "recorded:";
  std::error_code ignored;
  const bool is_log = options.family.starts_with(kLog);
  const bool is_file = !is_log && options.family != "synthetic" &&
                       std::filesystem::is_regular_file(
                           (request.directory / options.family).lexically_normal(), ignored);
  if (is_log || is_file) {
    LogReading reading = options.log;
    reading.file = options.family.substr(is_log ? kLog.size() : 0);
    HOLDFAST_TRY(runs, load_phases(reading, request.directory));
    ObjectReader read(request.parameters, "");
    const double bandwidth = amount(read, "bandwidth", Unit::bytes_per_second, 0, positive());
    if (!read.ok()) return fail(read.finish().error());
    return instance_of(runs, bandwidth);
  }
  if (options.family.starts_with(kRecorded)) {
    const std::string file = options.family.substr(kRecorded.size());
    HOLDFAST_TRY(record, load_record((request.directory / file).lexically_normal()));
    HOLDFAST_CHECK(check_whole(record, file));
    HOLDFAST_TRY(window, recorded_window(record, options.window));
    return std::move(window.instance);
  }
  if (options.family != "synthetic") {
    return fail(
        ErrorCode::usage, "family",
        fmt::format("found {}, expected 'synthetic', 'adversary:example-...', 'log:FILE' or "
                    "'recorded:FILE'",
                    in_quotes(options.family)));
  }
  if (describes_workload(request.parameters)) {
    HOLDFAST_TRY(workload, read_workload(request.parameters, request.directory));
    std::vector<Instance> windows = make_windows(workload, request.seed, 0);
    if (!windows.empty()) return std::move(windows.front());
    return fail(ErrorCode::bad_value, "/classes", "found classes that leave no window with I/O");
  }
  HOLDFAST_TRY(parameters, read_generator(request.parameters));
  return generate(parameters, {.seed = request.seed}, kMostListed);
}

Result<Answer> run_generate(const GenerateOptions& options, const Request& request) {
  constexpr std::string_view kAdversary = "adversary:";
  Answer answer;
  if (options.family.starts_with(kAdversary)) {
    HOLDFAST_TRY(example, make_example(std::string_view(options.family).substr(kAdversary.size()),
                                       options.size, options.epsilon));
    answer.document = to_value(example.instance);
    answer.document.set("reference", example.reference);
    answer.document.set("bound", example.bound);
  } else {
    HOLDFAST_TRY(instance, window_of(options, request));
    answer.document = to_value(instance);
  }
  return answer;
}

Value ratio_of(double reference, double value) {
  return value > 0 ? Value(reference / value) : Value("infinite");
}

// Adds the results of all strategies on one worst case: a row each, and one for the proof's schedule.
void add_example(const Example& example, const ExampleResults& found, Answer& answer, Value& list) {
  Table table{.title = fmt::format("{}: {}, attack on {}, proof {}", example.name,
                                   counted(example.instance.applications.size(), "application"),
                                   example.metric, to_text(example.reference, 6)),
              .columns = {{.title = "strategy"},
                          {.title = "minimum yield"},
                          {.title = "efficiency"},
                          {.title = "utilization"},
                          {.title = "proof / value", .digits = 5}},
              .rows = {}};
  Value results = Value::array();
  for (const StrategyEntry& entry : strategies()) {
    if (entry.takes_rule) continue;
    const Metrics& m = found.find(entry.name)->second;
    const Value ratio = ratio_of(example.reference, objective_of(m, example.metric));
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
                           {"instance", with_header("io", to_value(example.instance))},
                           {"results", std::move(results)}}));
}

// Adds the source's table of lower bounds, each with the example that proves it.
void add_bounds(const std::map<std::string_view, ExampleResults>& found, double m, Answer& answer) {
  Table table{.title = "lower bounds on the ratio of a proof's value to a strategy's",
              .columns = {{.title = "strategy"},
                          {.title = "objective"},
                          {.title = "example"},
                          {.title = "value", .digits = 5},
                          {.title = "proof", .digits = 5},
                          {.title = "ratio", .digits = 5},
                          {.title = "limit"}},
              .rows = {}};
  Value list = Value::array();
  for (const Bound& bound : bounds()) {
    const ExampleResults& results = found.at(bound.example);
    const double value = attacked_value(bound, results);
    const double proof = objective_of(results.find("as-given")->second, bound.objective);
    const Value ratio = ratio_of(proof, value);
    const std::string_view strategy = bound.strategy.empty() ? "any policy" : bound.strategy;
    table.rows.push_back({std::string(strategy), std::string(bound.objective),
                          std::string(bound.example), value, proof, ratio,
                          std::string(bound.limit)});
    Value one = Value::object({{"strategy", strategy},
                               {"objective", bound.objective},
                               {"example", bound.example},
                               {"value", value},
                               {"proof", proof},
                               {"ratio", ratio}});
    if (bound.limit_at != nullptr) one.set("limit", bound.limit_at(m));
    list.push(std::move(one));
  }
  answer.tables.push_back(std::move(table));
  answer.document.set("bounds", std::move(list));
}

Result<Answer> run_examples(const ExampleOptions& options, const Request&) {
  const std::int64_t m = options.m;
  Answer answer;
  Value list = Value::array();
  std::map<std::string_view, ExampleResults> found;
  for (const std::string_view name : example_names()) {
    std::int64_t size = m;
    if (name == "example-1b") {
      for (size = 2; (size + 1) * (size + 1) + 1 <= m; ++size) {
      }
    } else if (name.starts_with("example-2")) {
      size = m - m % 2;
    }
    HOLDFAST_TRY(example, make_example(name, size, options.epsilon));
    HOLDFAST_TRY(results, run_example(example));
    add_example(example, results, answer, list);
    found[name] = std::move(results);
  }
  answer.document.set("examples", std::move(list));
  add_bounds(found, static_cast<double>(m), answer);
  return answer;
}

// A live state lists its applications itself, so the fields that make them have no effect.
constexpr auto kUnusedNow = std::to_array<std::string_view>(
    {"allow_completion", "applications", "small", "load", "spread", "noise", "length", "law",
     "ranks", "classes", "machine", "nodes", "cores_per_node", "windows", "longest",
     "shortest_phase", "volume_scale", "apex_output", "history"});

constexpr auto kPlanResults = std::to_array<ResultField>(
    {{"rates[]", "bandwidth of each application from now on", Unit::bytes_per_second},
     {"horizon", "time until the next event", Unit::seconds},
     {"event?", "application whose operation ends then; absent if the window ends", Holds::text},
     {"minimum_yield", "least yield at that time"}});

constexpr auto kGenerateResults =
    std::to_array<ResultField>({{"reference?", "value that the proof's schedule reaches"},
                                {"bound?", "bound that the proof shows"}});

constexpr auto kExampleResults = std::to_array<ResultField>(
    {{"examples[].name", "name of a worst case", Holds::text},
     {"examples[].metric", "metric that it attacks", Holds::text},
     {"examples[].reference", "value that the proof's schedule reaches"},
     {"examples[].bound", "bound that the proof shows"},
     {"examples[].instance", "the instance", Holds::object},
     {"examples[].results[].strategy", "strategy", Holds::text},
     {"examples[].results[].minimum_yield", "its minimum yield"},
     {"examples[].results[].efficiency", "its efficiency"},
     {"examples[].results[].utilization", "its utilization"},
     {"examples[].results[].ratio", "value of the proof over that of the strategy",
      Holds::number_or_text},
     {"bounds[].strategy", "strategy of a lower bound, or any policy", Holds::text},
     {"bounds[].objective", "metric of the bound", Holds::text},
     {"bounds[].example", "example that proves it", Holds::text},
     {"bounds[].value", "value that the strategy reaches there"},
     {"bounds[].proof", "value that the proof's schedule reaches"},
     {"bounds[].ratio", "second over first", Holds::number_or_text},
     {"bounds[].limit?", "ratio in the limit, for as many applications"}});

}  // namespace

std::vector<Verb> verbs() {
  return {
      {.name = "plan",
       .summary = "the bandwidth of each application, now",
       .example = "holdfast io plan --instance examples/data/io-live.json",
       .results = kPlanResults,
       .takes_strategy = true,
       .takes_seed = false,
       .unused = kUnusedNow,
       .run = run_plan},
      {.name = "generate",
       .summary = "write a synthetic window, or a worst case",
       .example =
           "holdfast io generate --applications 12 --small 4 --length 2e5 --output window.json",
       .options = fields_of<kGenerateOptions>().parameters(),
       .positionals = fields_of<kGenerateFamily>().parameters(),
       .results = kGenerateResults,
       .gives = Gives::instance,
       .run = with_options<run_generate, fields_of<kGenerateFamily>, fields_of<kGenerateOptions>>},
      {.name = "examples",
       .summary = "the source's worst cases with every strategy, compared with the schedules of "
                  "the proofs",
       .example = "holdfast io examples --m 12",
       .options = fields_of<kExampleOptions>().parameters(),
       .results = kExampleResults,
       .takes_instance = false,
       .takes_seed = false,
       .run = with_options<run_examples, fields_of<kExampleOptions>>},
  };
}

}  // namespace holdfast::io
