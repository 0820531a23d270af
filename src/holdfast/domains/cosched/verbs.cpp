#include "holdfast/domains/cosched/verbs.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/cosched/headline.hpp"
#include "holdfast/domains/cosched/instance_io.hpp"
#include "holdfast/domains/cosched/plan.hpp"
#include "holdfast/domains/cosched/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace holdfast::cosched {
namespace {

struct PlanOptions {
  std::optional<std::string> task;
  std::optional<std::int64_t> from, to;
};
constexpr auto kPlanOptions = std::to_array<Field<PlanOptions>>({
    {.name = "task",
     .summary = "print the moves of a redistribution of this task",
     .member = member<&PlanOptions::task>},
    {.name = "from",
     .summary = "processors of the task before the move; default: those of the plan",
     .member = member<&PlanOptions::from>,
     .range = at_least(1)},
    {.name = "to",
     .summary = "processors of the task after the move",
     .member = member<&PlanOptions::to>,
     .range = at_least(1)},
});

struct PredictOptions {
  std::optional<std::string> task;
  std::int64_t allocation = 0;
  double fraction = 1;
  std::optional<std::int64_t> to;
};
constexpr auto kPredictOptions = std::to_array<Field<PredictOptions>>({
    {.name = "task",
     .summary = "which task; default: the first",
     .member = member<&PredictOptions::task>},
    {.name = "allocation",
     .summary = "processors of the task",
     .member = member<&PredictOptions::allocation>,
     .range = at_least(1),
     .is_required = true},
    {.name = "fraction",
     .summary = "fraction of its work that is left",
     .member = member<&PredictOptions::fraction>,
     .range = between(0, 1)},
    {.name = "to",
     .summary = "processors after a move, for its cost",
     .member = member<&PredictOptions::to>,
     .range = at_least(1)},
});

struct GenerateOptions {
  std::string family = "uniform";
  std::int64_t size = 1;
  std::vector<double> numbers;
};
constexpr auto kGenerateFamily = std::to_array<Field<GenerateOptions>>({
    {.name = "family",
     .summary = "uniform (default), or adversary:three-partition",
     .member = member<&GenerateOptions::family>,
     .fallback = "-"},
});
constexpr auto kGenerateOptions = std::to_array<Field<GenerateOptions>>({
    {.name = "size",
     .summary = "adversary: number of triplets m",
     .member = member<&GenerateOptions::size>,
     .range = between(1, 1e6)},
    {.name = "numbers",
     .summary = "adversary: the 3m numbers; default: drawn so that they can be split",
     .member = member<&GenerateOptions::numbers>,
     .range = positive()},
});

// The task that --task names; the first one if the option is not given.
Result<std::size_t> named_task(const std::optional<std::string>& name, const Instance& instance) {
  if (!name) return std::size_t{0};
  std::vector<std::string_view> ids;
  for (std::size_t i = 0; i < instance.tasks.size(); ++i) {
    if (instance.tasks[i].id == *name) return i;
    ids.push_back(instance.tasks[i].id);
  }
  return fail(ErrorCode::usage, "/task",
              fmt::format("unknown task {}; {}", in_quotes(*name), suggestion(*name, ids)));
}

// A time that overflowed has no number to show.
std::string duration_text(double seconds) {
  return std::isfinite(seconds) ? format_duration(seconds) : "too long for a number";
}

Value finite_or_dash(double value) {
  return std::isfinite(value) ? Value(value) : Value("-");
}

/// The instance that a verb is asked about, drawn if none is listed.
struct Question {
  Instance instance;
  std::string headline;
};

Result<Question> question_of(const Request& request) {
  if (!describes_generator(request.parameters)) {
    HOLDFAST_TRY(instance, read_instance(request.parameters));
    std::string line = headline(instance);
    return Question{std::move(instance), std::move(line)};
  }
  HOLDFAST_TRY(parameters, read_generator(request.parameters));
  return Question{
      generate(parameters, Stream({.seed = request.seed, .purpose = Purpose::instance})),
      headline(parameters, request.seed)};
}

Value rounds_value(std::int64_t from, std::int64_t to) {
  Value rounds = Value::array();
  for (const auto& round : redistribution_rounds(from, to)) {
    Value messages = Value::array();
    for (const Message& message : round) {
      messages.push(Value(Value::Array{message.sender, message.receiver}));
    }
    rounds.push(std::move(messages));
  }
  return rounds;
}

// "0 -> 5": growing, the receivers are the new processors; shrinking, the senders are those that leave.
Table rounds_table(std::int64_t from, std::int64_t to) {
  Table table{.title = fmt::format("moves from {} to {}, processors counted from 0", from,
                                   counted(to, "processor")),
              .columns = {{.title = "round"}, {.title = "messages (sender -> receiver)"}},
              .rows = {}};
  std::int64_t number = 0;
  for (const auto& round : redistribution_rounds(from, to)) {
    std::string text;
    for (const Message& message : round) {
      const std::int64_t sender = from < to ? message.sender : to + message.sender;
      const std::int64_t receiver = from < to ? from + message.receiver : message.receiver;
      text += fmt::format("{}{} -> {}", text.empty() ? "" : ", ", sender, receiver);
    }
    table.rows.push_back({++number, text});
  }
  return table;
}

Status add_rounds(const PlanOptions& options, const Instance& instance,
                  std::span<const TaskTimes> times, const Allocation& allocation, Answer& answer) {
  if (!options.to && !options.task) return {};
  HOLDFAST_TRY(task, named_task(options.task, instance));
  if (!options.to) {
    return fail(ErrorCode::usage, "/to", "is missing: the processors after the move");
  }
  const std::int64_t from = options.from.value_or(allocation[task]);
  const std::int64_t to = *options.to;
  constexpr std::int64_t kMessages = 1'000'000;
  if (std::max(from, to) > kMessages / std::max<std::int64_t>(1, std::min(from, to))) {
    return fail(ErrorCode::infeasible, "/to", "more than a million messages: too many to list");
  }
  answer.document.set(
      "redistribution",
      Value::object(
          {{"task", instance.tasks[task].id},
           {"from", from},
           {"to", to},
           {"data_per_message", from == to ? 0.0
                                           : instance.tasks[task].data / static_cast<double>(from) /
                                                 static_cast<double>(to)},
           {"cost", times[task].redistribution(from, to)},
           {"rounds", rounds_value(from, to)}}));
  answer.tables.push_back(rounds_table(from, to));
  return {};
}

Result<Answer> run_plan(const PlanOptions& options, const Request& request) {
  HOLDFAST_TRY(question, question_of(request));
  const Instance& instance = question.instance;
  const std::vector<TaskTimes> times = task_times(instance);
  const Allocation allocation = initial_allocation(times, instance.even_processors());
  Answer answer;
  Table table{.title = "initial allocation",
              .columns = {{.title = "task"},
                          {.title = "processors"},
                          {.title = "expected", .unit = Unit::seconds},
                          {.title = "failure-free", .unit = Unit::seconds},
                          {.title = "checkpoint", .unit = Unit::seconds},
                          {.title = "period", .unit = Unit::seconds}},
              .rows = {}};
  double makespan = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::int64_t j = allocation[i];
    const double expected = times[i].expected(j, 1);
    makespan = std::max(makespan, expected);
    const double period = times[i].period(j);
    table.rows.push_back({instance.tasks[i].id, j, finite_or_dash(expected), times[i].time(j),
                          times[i].checkpoint(j), finite_or_dash(period)});
  }
  answer.document.set("allocation", Value::list(allocation));
  answer.document.set("expected_makespan", makespan);
  answer.headline = std::move(question.headline);
  answer.tables.push_back(std::move(table));
  answer.verdict.push_back("expected makespan: " + duration_text(makespan));
  answer.warnings = warnings(instance);
  HOLDFAST_CHECK(add_rounds(options, instance, times, allocation, answer));
  return answer;
}

Result<Answer> run_predict(const PredictOptions& options, const Request& request) {
  HOLDFAST_TRY(question, question_of(request));
  const Instance& instance = question.instance;
  HOLDFAST_TRY(task, named_task(options.task, instance));
  const std::int64_t j = options.allocation;
  const double fraction = options.fraction;
  const TaskTimes times(instance, instance.tasks[task]);
  Answer answer;
  answer.headline = std::move(question.headline);
  Value& out = answer.document;
  out.set("task", instance.tasks[task].id);
  out.set("failure_free_time", times.time(j));
  out.set("checkpoint", times.checkpoint(j));
  if (!instance.fault_free) out.set("period", times.period(j));
  out.set("checkpoints", times.periods(j, fraction));
  out.set("expected_time", times.expected(j, fraction));
  out.set("real_time", times.real(j, fraction));
  if (options.to) out.set("redistribution_cost", times.redistribution(j, *options.to));
  Table table{
      .title = fmt::format("task {} on {}", instance.tasks[task].id, counted(j, "processor")),
      .columns = {{.title = "quantity"}, {.title = "value", .unit = Unit::seconds}},
      .rows = {}};
  for (const auto& [name, value] : *out.members()) {
    if (name == "task" || name == "checkpoints") continue;
    table.rows.push_back({in_words(name), value});
  }
  answer.verdict.push_back(fmt::format("task {} on {}: expected {}, without failures {}",
                                       instance.tasks[task].id, counted(j, "processor"),
                                       duration_text(times.expected(j, fraction)),
                                       duration_text(times.real(j, fraction))));
  answer.tables.push_back(std::move(table));
  return answer;
}

Result<Answer> run_advise(const Request& request) {
  HOLDFAST_TRY(state, read_live_state(request.parameters));
  HOLDFAST_TRY(strategy, make_strategy(*request.strategy, state.instance));
  const Advice advice = advise(state, strategy);
  Answer answer;
  answer.headline = headline(state.instance);
  answer.document.set("allocation", Value::list(advice.allocation));
  answer.document.set("expected_makespan", advice.expected_makespan);
  answer.document.set("expected_makespan_without_move", advice.expected_makespan_without);
  answer.document.set("cost", advice.cost);
  Table table{.title = "moves",
              .columns = {{.title = "task"},
                          {.title = "from"},
                          {.title = "to"},
                          {.title = "redistribution", .unit = Unit::seconds},
                          {.title = "checkpoint", .unit = Unit::seconds}},
              .rows = {}};
  Value moves = Value::array();
  for (const Advice::Move& move : advice.moves) {
    const std::string& id = state.instance.tasks[move.task].id;
    table.rows.push_back({id, move.from, move.to, move.redistribution, move.checkpoint});
    moves.push(Value::object({{"task", id},
                              {"from", move.from},
                              {"to", move.to},
                              {"redistribution_cost", move.redistribution},
                              {"checkpoint", move.checkpoint}}));
  }
  answer.document.set("moves", std::move(moves));
  if (advice.moves.empty()) {
    answer.verdict.push_back("no task moves");
  } else {
    answer.verdict.push_back(counted(advice.moves.size(), "task moves", "tasks move"));
    answer.tables.push_back(std::move(table));
  }
  answer.verdict.push_back(fmt::format("expected end: {} with the move, {} without",
                                       duration_text(advice.expected_makespan),
                                       duration_text(advice.expected_makespan_without)));
  return answer;
}

Result<Answer> run_optimum(const Request& request) {
  HOLDFAST_TRY(question, question_of(request));
  const Instance& instance = question.instance;
  HOLDFAST_TRY(best, optimum(instance));
  Answer answer;
  answer.headline = std::move(question.headline);
  answer.document.set("makespan", best.makespan);
  answer.document.set("allocation", Value::list(best.initial));
  answer.document.set("explored", best.explored);
  answer.verdict.push_back(fmt::format("optimum: {} ({} s), {} explored",
                                       format_duration(best.makespan), to_text(best.makespan),
                                       counted(best.explored, "decision")));
  return answer;
}

Result<Answer> generate_partition(const GenerateOptions& options, const Request& request) {
  const std::vector<double> numbers =
      !options.numbers.empty()
          ? options.numbers
          : partition_numbers(options.size,
                              Stream({.seed = request.seed, .purpose = Purpose::instance}));
  HOLDFAST_TRY(instance, three_partition(numbers));
  Answer answer;
  answer.document = to_value(instance);
  // A schedule that meets the deadline exists if the numbers can be split into triplets; drawn numbers can.
  if (options.numbers.empty()) {
    answer.document.set("reference", *std::max_element(numbers.begin(), numbers.end()) + 1);
  }
  return answer;
}

Result<Answer> run_generate(const GenerateOptions& options, const Request& request) {
  if (options.family == "adversary:three-partition") return generate_partition(options, request);
  if (options.family != "uniform") {
    constexpr auto kFamilies =
        std::to_array<std::string_view>({"uniform", "adversary:three-partition"});
    return fail(ErrorCode::usage, "family",
                fmt::format("unknown family {}; {}", in_quotes(options.family),
                            suggestion(options.family, kFamilies)));
  }
  HOLDFAST_TRY(parameters, read_generator(request.parameters));
  Answer answer;
  answer.document =
      to_value(generate(parameters, Stream({.seed = request.seed, .purpose = Purpose::instance})));
  return answer;
}

// A live state lists its tasks itself, so these fields have no effect.
constexpr auto kUnusedNow =
    std::to_array<std::string_view>({"tasks", "minimum_data", "maximum_data"});

// The search has no failures and no checkpoints, so these fields have no effect.
constexpr auto kUnusedInSearch =
    std::to_array<std::string_view>({"mtbf", "downtime", "checkpoint_unit_cost"});

constexpr auto kPlanResults = std::to_array<ResultField>(
    {{"allocation[]", "processors of each task", Holds::integer},
     {"expected_makespan?", "expected makespan", Unit::seconds},
     {"redistribution?.task", "task that moves, with --to", Holds::text},
     {"redistribution?.from", "processors before the move", Holds::integer},
     {"redistribution?.to", "processors after it", Holds::integer},
     {"redistribution?.data_per_message", "data that each message carries"},
     {"redistribution?.cost", "duration of the move", Unit::seconds},
     {"redistribution?.rounds[][][]", "sender and receiver of each message of each round",
      Holds::integer}});

constexpr auto kPredictResults = std::to_array<ResultField>(
    {{"task", "the task", Holds::text},
     {"failure_free_time", "its time without failures and checkpoints", Unit::seconds},
     {"checkpoint", "time to write a checkpoint", Unit::seconds},
     {"period?", "work between two checkpoints", Unit::seconds},
     {"checkpoints", "number of checkpoints", Holds::integer},
     {"expected_time?", "its time with failures, on average", Unit::seconds},
     {"real_time", "its time with checkpoints, without failures", Unit::seconds},
     {"redistribution_cost?", "duration of the move to --to processors", Unit::seconds}});

constexpr auto kAdviseResults = std::to_array<ResultField>(
    {{"allocation[]", "processors of each task from now on", Holds::integer},
     {"expected_makespan", "expected end with these moves", Unit::seconds},
     {"expected_makespan_without_move", "expected end without them", Unit::seconds},
     {"cost", "time that the moves take together", Unit::seconds},
     {"moves[].task", "a task that moves", Holds::text},
     {"moves[].from", "its processors before", Holds::integer},
     {"moves[].to", "its processors after", Holds::integer},
     {"moves[].redistribution_cost", "duration of the move", Unit::seconds},
     {"moves[].checkpoint", "duration of the checkpoint after it", Unit::seconds}});

constexpr auto kOptimumResults = std::to_array<ResultField>(
    {{"makespan", "the best makespan", Unit::seconds},
     {"allocation[]", "processors of each task at the start", Holds::integer},
     {"explored", "number of decisions that were tried", Holds::integer}});

constexpr auto kGenerateResults = std::to_array<ResultField>(
    {{"reference?", "makespan of a schedule that exists", Unit::seconds}});

}  // namespace

std::vector<Verb> verbs() {
  return {
      {.name = "plan",
       .summary = "how many processors each task gets at the start",
       .example = "holdfast cosched plan --tasks 4 --processors 32 --task 0 --to 12",
       .options = fields_of<kPlanOptions>().parameters(),
       .results = kPlanResults,
       .run = with_options<run_plan, fields_of<kPlanOptions>>},
      {.name = "predict",
       .summary = "durations and costs of one task on a number of processors",
       .example = "holdfast cosched predict --tasks 1 --processors 64 --allocation 10 --to 12",
       .options = fields_of<kPredictOptions>().parameters(),
       .results = kPredictResults,
       .run = with_options<run_predict, fields_of<kPredictOptions>>},
      {.name = "advise",
       .summary = "one event: which tasks should change their processors now, and the gain",
       .example = "holdfast cosched advise --instance examples/data/cosched-live.json",
       .results = kAdviseResults,
       .takes_strategy = true,
       .takes_seed = false,
       .unused = kUnusedNow,
       .run = run_advise},
      {.name = "optimum",
       .summary = "the best makespan of a small fault-free instance, by exhaustive search",
       .example = "holdfast cosched optimum --tasks 3 --processors 10 --fault-free",
       .results = kOptimumResults,
       .unused = kUnusedInSearch,
       .run = run_optimum},
      {.name = "generate",
       .summary = "write a random instance, or a worst case",
       .example = "holdfast cosched generate --tasks 100 --processors 1000 --output instance.json",
       .options = fields_of<kGenerateOptions>().parameters(),
       .positionals = fields_of<kGenerateFamily>().parameters(),
       .results = kGenerateResults,
       .gives = Gives::instance,
       .run = with_options<run_generate, fields_of<kGenerateFamily>, fields_of<kGenerateOptions>>},
  };
}

}  // namespace holdfast::cosched
