#include "holdfast/steward/pack/verb.hpp"

#include "holdfast/base/node_names.hpp"
#include "holdfast/base/system.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/cosched/headline.hpp"
#include "holdfast/domains/cosched/instance_io.hpp"
#include "holdfast/domains/cosched/simulate.hpp"
#include "holdfast/domains/cosched/strategies.hpp"
#include "holdfast/field/slurm_job.hpp"
#include "holdfast/steward/file_name.hpp"
#include "holdfast/steward/pack/driver.hpp"
#include "holdfast/steward/predicted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace holdfast::steward::pack {
namespace {

constexpr auto kRunOptions = std::to_array<Field<Options>>({
    {.name = "act",
     .summary = "start the applications and follow them; without it, what would be done is said",
     .member = member<&Options::act>},
    {.name = "dry_run",
     .summary = "only say what would be done (default)",
     .member = member<&Options::dry_run>},
    {.name = "nodes",
     .summary = "nodes with their slots, n[01-04]:8,m1:4 (default: those of the Slurm job; outside "
                "one this machine, with all processors of the document)",
     .member = member<&Options::nodes>,
     .fallback = "-",
     .value_name = "LIST"},
    {.name = "give_back",
     .summary = "shell command that gives $HOLDFAST_NODE back when no application is to have "
                "processors of it; the first node and $HOLDFAST_NODES stay",
     .member = member<&Options::give_back>,
     .fallback = "-",
     .value_name = "TEXT"},
    {.name = "every",
     .summary = "time between two looks at the applications",
     .member = member<&Options::every>,
     .unit = Unit::seconds,
     .range = between(0.05, 3600)},
    {.name = "output",
     .summary = "folder of the guards, the journal and the state, from which a restart goes on",
     .member = member<&Options::directory>,
     .value_name = "DIR"},
});

/// Reads what applications run from a document that was read as an instance.
Result<std::vector<Work>> works_of(const Request& request, const cosched::Instance& instance) {
  const std::filesystem::path root = std::filesystem::absolute(request.directory);
  std::vector<Work> out;
  const Value& document = request.parameters;
  for (std::size_t at = 0; at < instance.tasks.size(); ++at) {
    const std::string where = fmt::format("/tasks/{}", at);
    const Value& one = (*document.find("tasks")->array_items())[at];
    HOLDFAST_CHECK(check_file_name(instance.tasks[at].id, where + "/id", "it names files"));
    const auto find = [&](std::string_view name) {
      const Value* own = one.find(name);
      return own != nullptr ? own : document.find(name);
    };
    Work& work = out.emplace_back();
    const Value* command = find("command");
    if (command == nullptr || command->string() == nullptr || command->string()->empty()) {
      return fail(ErrorCode::bad_value, where + "/command",
                  "is missing, expected what the application runs, such as "
                  "\"exec mpirun --host $HOLDFAST_HOSTS ./heat\"; \"command\" of the document is "
                  "for all without their own");
    }
    work.command = *command->string();
    if (const Value* guard = find("guard"); guard != nullptr && guard->array_items() != nullptr) {
      for (const Value& option : *guard->array_items()) {
        if (option.string() == nullptr) continue;
        work.guard.push_back(*option.string());
      }
    }
    if (work.guard.empty()) {
      return fail(ErrorCode::bad_value, where + "/guard",
                  "is missing, expected options of holdfast guard, such as "
                  "[\"trigger=signal:USR1\", \"checkpoint-file=heat.ckpt\"]");
    }
    const Value* directory = one.find("directory");
    work.directory =
        directory != nullptr && directory->string() != nullptr ? root / *directory->string() : root;
  }
  return out;
}

// "4(x2),2": how many slots each node of a Slurm job has.
std::vector<std::int64_t> slots_of(std::string_view text) {
  std::vector<std::int64_t> out;
  for (const std::string_view part : split(text, ',')) {
    const auto open = std::min(part.find("(x"), part.size());
    const auto count = parse_integer(part.substr(0, open));
    const std::string_view behind = part.substr(std::min(open + 2, part.size()));
    const auto times = parse_integer(behind.substr(0, behind.find(')'))).value_or(1);
    out.insert(out.end(), static_cast<std::size_t>(std::clamp<std::int64_t>(times, 1, 100'000)),
               count.value_or(1));
  }
  return out;
}

Result<std::vector<Node>> listed_nodes(const std::string& list) {
  auto names = expand_nodes(list);
  if (!names) return fail(ErrorCode::bad_value, "/nodes", std::move(names).error().message);
  std::vector<Node> out;
  for (const std::string& name : *names) {
    const auto colon = std::min(name.rfind(':'), name.size());
    const auto slots = colon == name.size() ? 1 : parse_integer(name.substr(colon + 1)).value_or(0);
    if (slots < 1 || !is_node_name(name.substr(0, colon))) {
      return fail(ErrorCode::bad_value, "/nodes",
                  fmt::format("found {}, expected NAME:SLOTS", in_quotes(name)));
    }
    out.push_back({.name = name.substr(0, colon), .slots = slots});
  }
  return out;
}

/// Returns the nodes with as many slots as the instance has processors.
Result<std::vector<Node>> nodes_of(const Options& options, const cosched::Instance& instance) {
  std::vector<Node> out = {{.name = "localhost", .slots = instance.processors}};
  const auto environment = environment_without({});
  if (!options.nodes.empty()) {
    HOLDFAST_TRY(listed, listed_nodes(options.nodes));
    out = std::move(listed);
  } else if (const auto job = field::SlurmJob::find(environment); job && !job->nodes().empty()) {
    std::string_view text = value_in(environment, "SLURM_TASKS_PER_NODE");
    if (text.empty()) text = value_in(environment, "SLURM_JOB_CPUS_PER_NODE");
    const std::vector<std::int64_t> slots = slots_of(text);
    out.clear();
    for (std::size_t at = 0; at < job->nodes().size(); ++at)
      out.push_back({.name = job->nodes()[at], .slots = at < slots.size() ? slots[at] : 1});
  }
  std::int64_t left = instance.processors;
  for (Node& node : out) left -= node.slots = std::min(node.slots, left);
  std::erase_if(out, [](const Node& node) { return node.slots == 0; });
  if (left == 0) return out;
  return fail(ErrorCode::bad_value, "/processors",
              fmt::format("found {}, expected at most {}: the slots of the nodes",
                          instance.processors, instance.processors - left));
}

Predicted predict(const cosched::Instance& instance, std::span<const cosched::TaskTimes> times,
                  const cosched::Strategy& strategy, std::uint64_t seed) {
  constexpr std::uint64_t kRuns = 200;
  const auto initial = cosched::initial_allocation(times, instance.even_processors());
  std::vector<double> ends;
  const std::uint64_t runs = instance.fault_free || instance.failures ? 1 : kRuns;
  for (std::uint64_t run = 0; run < runs; ++run) {
    ends.push_back(cosched::simulate(instance, times, initial, strategy,
                                     instance.failures
                                         ? cosched::replay(*instance.failures)
                                         : cosched::draw_failures(instance, seed, 0, run))
                       .metrics.makespan);
  }
  return predicted_of(std::move(ends));
}

void add_applications(const State& state, Answer& answer) {
  Table table{.title = "applications",
              .columns = {{.title = "application"},
                          {.title = "state"},
                          {.title = "processors"},
                          {.title = "nodes"},
                          {.title = "left (%)"},
                          {.title = "failures"},
                          {.title = "moves"},
                          {.title = "why"}}};
  Value list = Value::array();
  for (const Application& it : state.applications) {
    const Processors& processors = it.is_over() ? it.processors : it.planned;
    const std::string_view phase = kPhases[static_cast<std::size_t>(it.phase)];
    table.rows.push_back({it.id, phase, processors.size(), state.hosts(processors), 100 * it.left,
                          it.failures, it.moves, it.why});
    Value row = Value::object({{"id", it.id},
                               {"state", phase},
                               {"processors", processors.size()},
                               {"left", it.left},
                               {"launches", it.launch},
                               {"failures", it.failures},
                               {"moves", it.moves}});
    if (it.ended > 0) row.set("took", it.ended - state.begun);
    if (!it.why.empty()) row.set("why", it.why);
    list.push(std::move(row));
  }
  answer.document.set("applications", std::move(list));
  answer.tables.push_back(std::move(table));
}

void add_end(const State& state, const Predicted& predicted, Answer& answer) {
  double end = state.begun;
  std::int64_t ended = 0, moves = 0;
  for (const Application& it : state.applications) {
    end = std::max(end, it.ended);
    ended += it.phase == Phase::ended ? 1 : 0;
    moves += it.moves;
  }
  answer.document.set("makespan", end - state.begun);
  answer.verdict.push_back(fmt::format("{} of {} ended after {}, with {}; predicted {}", ended,
                                       counted(state.applications.size(), "application"),
                                       format_duration(end - state.begun), counted(moves, "move"),
                                       in_words(predicted)));
  answer.is_no = ended < std::ssize(state.applications);
}

// What would be done now, and how the first application would be started.
void add_next(const Standing& standing, const Order& order, Answer& answer) {
  const auto count = [&](Action::Do what) {
    return std::ranges::count(standing.next.actions, what, &Action::what);
  };
  answer.verdict.push_back(fmt::format(
      "dry run: {} would be started now and {} asked to save and end, and --act does it",
      counted(count(Action::Do::start), "application"), count(Action::Do::stop)));
  for (const Action& action : standing.next.actions) {
    if (action.what != Action::Do::start) continue;
    const field::Start start =
        start_of(standing.state, action.of, order.works[action.of], order.charge, order.folder);
    answer.document.set("command", Value::list(start.words));
    break;
  }
}

Result<Answer> run_pack(const Options& asked, const Request& request) {
  if (asked.act && asked.dry_run)
    return fail(ErrorCode::usage, "/dry_run", "found beside act, expected one");
  if (cosched::describes_generator(request.parameters)) {
    return fail(ErrorCode::bad_value, "/tasks",
                "found no list of tasks, expected one with their speedups and commands");
  }
  HOLDFAST_TRY(instance, cosched::read_instance(request.parameters));
  if (request.strategy->text.starts_with("as-given")) {
    return fail(ErrorCode::usage, "/strategy",
                "found as-given, expected a rule that can be asked again after a restart");
  }
  HOLDFAST_TRY(works, works_of(request, instance));
  HOLDFAST_TRY(nodes, nodes_of(asked, instance));
  HOLDFAST_TRY(strategy, cosched::make_strategy(*request.strategy, instance));
  const std::vector<cosched::TaskTimes> times = cosched::task_times(instance);
  const auto initial = cosched::initial_allocation(times, instance.even_processors());
  HOLDFAST_CHECK(cosched::feasible(instance, times, initial));
  const Order order{.options = asked,
                    .charge = {.instance = &instance,
                               .times = times,
                               .strategy = &strategy,
                               .gives_back = !asked.give_back.empty()},
                    .nodes = std::move(nodes),
                    .works = std::move(works),
                    .folder = std::filesystem::absolute(asked.directory)};
  const Predicted predicted = predict(instance, times, strategy, request.seed);
  const Predicted without = predict(instance, times, {}, request.seed);
  Answer answer;
  answer.headline = cosched::headline(instance);
  answer.warnings = cosched::warnings(instance);
  answer.document.set("strategy", request.strategy->text);
  answer.document.set("predicted", to_value(predicted));
  answer.document.set("predicted_without", to_value(without));
  HOLDFAST_TRY(standing, asked.act ? follow(order, request) : look_once(order));
  if (standing.state.is_over()) {
    add_end(standing.state, predicted, answer);
  } else {
    answer.verdict.push_back(fmt::format("predicted to end after {}; if nothing moves, {}",
                                         in_words(predicted), in_words(without)));
  }
  if (!asked.act) add_next(standing, order, answer);
  add_applications(standing.state, answer);
  return answer;
}

constexpr auto kRunResults = std::to_array<ResultField>(
    {{"strategy", "strategy that decides at failures and ends, in canonical form", Holds::text},
     {"predicted.mean", "predicted makespan", Unit::seconds},
     {"predicted.low", "2.5 % of runs end earlier", Unit::seconds},
     {"predicted.high", "2.5 % of runs end later", Unit::seconds},
     {"predicted_without.mean", "predicted makespan if nothing moves", Unit::seconds},
     {"predicted_without.low", "2.5 % of runs end earlier", Unit::seconds},
     {"predicted_without.high", "2.5 % of runs end later", Unit::seconds},
     {"makespan?", "time from the first start to the last end, if all is over", Unit::seconds},
     {"command?[]", "the command that would start the first of them", Holds::text},
     {"applications[].id", "identifier of an application", Holds::text},
     {"applications[].state", "what is known of it", Holds::text},
     {"applications[].processors", "processors that it has or is to have", Holds::integer},
     {"applications[].left", "fraction of its work that was left when it last started or ended"},
     {"applications[].launches", "guards that were started", Holds::integer},
     {"applications[].failures", "failures that they have seen", Holds::integer},
     {"applications[].moves", "how often its processors were changed", Holds::integer},
     {"applications[].took?", "time from the first start to its end", Unit::seconds},
     {"applications[].why?", "why it is held or was given up", Holds::text}});

// Random tasks have no command.
constexpr auto kUnusedFields = std::to_array<std::string_view>(
    {"tasks", "minimum_data", "maximum_data", "sequential_fraction"});

}  // namespace

Verb run_verb() {
  return {.name = "run",
          .summary =
              "run applications under guard in one allocation, and give them more or fewer "
              "processors at failures and ends",
          .example = "holdfast cosched run examples/data/pack.toml",
          .family = "cosched",
          .instance_of = "cosched",
          .group = "In an allocation",
          .options = fields_of<kRunOptions>().parameters(),
          .results = kRunResults,
          .takes_strategy = true,
          .only_answers = false,
          .unused = kUnusedFields,
          .run = with_options<run_pack, fields_of<kRunOptions>>};
}

}  // namespace holdfast::steward::pack
