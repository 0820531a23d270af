#include "holdfast/domains/workflow/instance_io.hpp"

#include "holdfast/base/digest.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/name_index.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/workflow/failure_free.hpp"
#include "holdfast/domains/workflow/fields.hpp"
#include "holdfast/models/failures/law.hpp"
#include "holdfast/models/failures/mtbf.hpp"
#include "holdfast/traces/formats.hpp"
#include "holdfast/traces/workflow/wfformat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace holdfast::workflow {
namespace {

/// Adds a task's number to a column that takes memory only if some task has a number.
template <class T>
void keep(std::vector<T>& column, std::size_t task, T value, T fallback) {
  column.resize(task, fallback);
  column.push_back(std::move(value));
}

void take(const Costs& costs, Instance& instance) {
  instance.checkpoints = {costs.all_checkpoints};
  instance.recoveries = {costs.all_recoveries.value_or(costs.all_checkpoints)};
}

/// A reader of tasks, one by one.
class TaskReader {
 public:
  TaskReader(Instance& instance, const Costs& costs) : instance_{instance}, costs_{costs} {}

  Status read(const Value& value, const std::string& where) {
    const std::size_t task = instance_.lengths.size();
    ObjectReader read(value, where);
    if (read.has("id")) keep(ids_, task, read.text("id"), std::string());
    instance_.lengths.push_back(read.seconds("length", non_negative()));
    if (read.has("processors")) {
      const std::int64_t width = read.integer("processors", between(1, kMostProcessors));
      keep(instance_.widths, task, static_cast<std::uint32_t>(width), 1U);
    }
    read_costs(read, task);
    if (read.has("segments")) {
      keep(instance_.segments, task, read.integer("segments", between(1, kMostSegments)),
           std::int64_t{1});
    }
    if (read.has("gaps") || read.has("duration")) {
      FixedOutcome outcome;
      if (read.has("gaps")) outcome.gaps = read.numbers("gaps", Unit::seconds, non_negative());
      if (read.has("duration")) outcome.duration = read.seconds("duration", non_negative());
      keep(instance_.fixed_outcomes, task, std::move(outcome), FixedOutcome{});
    }
    parents_.emplace_back();
    read.each_or_none("parents", [this](const Value& parent, const std::string& place) -> Status {
      HOLDFAST_TRY(name, parent_name(parent, place));
      parents_.back().push_back(std::move(name));
      return {};
    });
    return read.finish();
  }

  Status finish() {
    const std::size_t count = instance_.lengths.size();
    const auto fill = [count](auto& column, auto value) {
      if (!column.empty()) column.resize(count, value);
    };
    fill(instance_.widths, 1U);
    fill(instance_.segments, std::int64_t{1});
    fill(instance_.fixed_outcomes, FixedOutcome{});
    settle_costs(count);
    fill(ids_, std::string());
    for (std::size_t task = 0; task < ids_.size(); ++task) {
      if (ids_[task].empty()) ids_[task] = std::to_string(task);
    }
    instance_.ids = std::move(ids_);
    return join();
  }

 private:
  static Result<std::string> parent_name(const Value& value, const std::string& where) {
    if (const std::string* id = value.string()) return *id;
    HOLDFAST_TRY(position, read_integer(value, where, non_negative()));
    return std::to_string(position);
  }

  void read_costs(ObjectReader& read, std::size_t task) {
    if (read.has("checkpoint")) {
      keep(checkpoints_, task, std::optional(read.seconds("checkpoint", non_negative())),
           std::optional<double>());
    }
    if (read.has("recovery")) {
      keep(recoveries_, task, std::optional(read.seconds("recovery", non_negative())),
           std::optional<double>());
    }
  }
  void settle_costs(std::size_t count) {
    take(costs_, instance_);
    if (checkpoints_.empty() && recoveries_.empty()) return;
    checkpoints_.resize(count);
    recoveries_.resize(count);
    instance_.checkpoints.resize(count);
    instance_.recoveries.resize(count);
    for (std::size_t task = 0; task < count; ++task) {
      const double checkpoint = checkpoints_[task].value_or(costs_.all_checkpoints);
      instance_.checkpoints[task] = checkpoint;
      instance_.recoveries[task] =
          recoveries_[task].value_or(costs_.all_recoveries.value_or(checkpoint));
    }
  }

  Status join() {
    const std::size_t count = instance_.lengths.size();
    const NameIndex positions(count, [&](std::size_t task) { return instance_.name(task); });
    HOLDFAST_CHECK(positions.check_different("/tasks"));
    DagBuilder build;
    for (std::size_t task = 0; task < count; ++task) {
      build.add_task();
      for (std::size_t i = 0; i < parents_[task].size(); ++i) {
        const auto found = positions.find(parents_[task][i]);
        if (!found) {
          return fail(ErrorCode::bad_value, fmt::format("/tasks/{}/parents/{}", task, i),
                      fmt::format("task {}: found {}, which is no task",
                                  in_quotes(instance_.name(task)), in_quotes(parents_[task][i])));
        }
        build.add_parent(*found);
      }
    }
    HOLDFAST_TRY(graph,
                 std::move(build).build([this](std::size_t i) { return instance_.name(i); }));
    instance_.graph = std::move(graph);
    return {};
  }

  Instance& instance_;
  const Costs& costs_;
  std::vector<std::string> ids_;
  std::vector<std::optional<double>> checkpoints_;
  std::vector<std::optional<double>> recoveries_;
  std::vector<std::vector<std::string>> parents_;
};

Status take_run(const WorkflowRun& run, const MeasuredOptions& options, const Costs& costs,
                Instance& instance) {
  HOLDFAST_CHECK(check_measured(run));
  for (std::size_t task = 0; task < run.tasks.size(); ++task) {
    const MeasuredTask& measured = run.tasks[task];
    const std::optional<double> runtime =
        measured.runtime ? measured.runtime : options.default_runtime;
    if (!runtime) {
      return fail(ErrorCode::bad_value, "/workflow",
                  fmt::format("task {} has no run time (runtimeInSeconds or runtime), expected "
                              "one, or a default_runtime for all that have none",
                              in_quotes(measured.id)));
    }
    instance.lengths.push_back(*runtime);
    instance.ids.push_back(measured.id);
    if (options.use_cores && measured.cores > 1) {
      keep(instance.widths, task,
           static_cast<std::uint32_t>(std::min(measured.cores, kMostProcessors)), 1U);
    }
  }
  if (!instance.widths.empty()) instance.widths.resize(run.tasks.size(), 1U);
  take(costs, instance);
  std::vector<Edge> edges;
  edges.reserve(run.dependencies.size());
  for (const auto& [parent, child] : run.dependencies) edges.push_back({parent, child});
  HOLDFAST_TRY(graph, Dag::from_edges(run.tasks.size(), edges,
                                      [&](std::size_t i) { return instance.name(i); }));
  instance.graph = std::move(graph);
  return {};
}

/// Reads a workflow in any format. @param name  the name of the file in errors
Result<WorkflowRun> read_any_workflow(std::string text, const std::string& name) {
  HOLDFAST_TRY(trace, open_trace(open_text(std::move(text)), name, {}, formats_of<WorkflowRun>()));
  const Format& found = *trace.format;
  const auto* const format = found.as<WorkflowRun>();
  if (format != nullptr) return format->read(std::move(trace.lines));
  return fail(ErrorCode::bad_format, name,
              fmt::format("found {}, expected a workflow", found.summary));
}

/// Reads the workflow of a document: the file that it names, or the document itself.
Result<WorkflowRun> read_run(const Value& document, const std::filesystem::path& directory) {
  const Value& workflow = *document.find("workflow");
  const std::string* file = workflow.string();
  if (file == nullptr) return read_wfformat_text(to_compact_json(document));
  const auto placed = [](Error error) { return fail(of_field("/workflow", std::move(error))); };
  auto text = read_file(*file == "-" ? std::filesystem::path(*file) : directory / *file);
  if (!text) return placed(std::move(text).error());
  const std::size_t first = text->find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string::npos && (*text)[first] != '{') {
    auto run = read_any_workflow(std::move(*text), *file);
    return run ? std::move(run) : placed(std::move(run).error());
  }
  auto run = read_wfformat_text(*text);
  if (!run) return placed(in_file(*file, std::move(run).error()));
  return run;
}

std::vector<std::string> told(const WorkflowRun& run) {
  std::vector<std::string> out;
  for (const Oddity& oddity : run.oddities.list()) {
    out.push_back(fmt::format("{} ({}): {}", oddity.what, oddity.count, oddity.action));
  }
  return out;
}

// Returns the most processors that run at the same time if there is no lack of them.
std::int64_t most_at_once(const Instance& given) {
  Instance instance = given;
  std::int64_t all = 0;
  for (std::size_t task = 0; task < instance.size(); ++task) all += instance.width(task);
  instance.processors = std::clamp<std::int64_t>(all, 1, kMostProcessors);
  const FailureFree schedule = failure_free_schedule(instance);
  std::vector<std::pair<double, std::int64_t>> changes;
  for (std::size_t task = 0; task < instance.size(); ++task) {
    const double start = schedule.starts[task];
    changes.emplace_back(start, instance.width(task));
    changes.emplace_back(start + instance.lengths[task], -std::int64_t{instance.width(task)});
  }
  std::ranges::sort(changes);  // ends come before starts of the same time
  std::int64_t most = 1;
  std::int64_t now = 0;
  for (const auto& [time, change] : changes) most = std::max(most, now += change);
  return most;
}

// Ignores the fields of WfFormat in a document that is a workflow itself.
void ignore_foreign(ObjectReader& read, const Value& document) {
  for (const auto& [name, value] : *document.members()) {
    if (std::ranges::none_of(fields(),
                             [&name = name](const Parameter& p) { return p.name == name; })) {
      read.ignore(name);
    }
  }
}

LuckOf usual_luck(const Machine& machine) {
  return machine.profile == Profile::author ? LuckOf::each : LuckOf::all;
}

constexpr auto kLawFields = std::to_array<std::string_view>({"distribution", "shape", "log_sd"});

// Reads the law of the failures, whose mean is the mtbf.
void read_law_of(ObjectReader& read, Machine& machine) {
  Value law = Value::object({{"mtbf", machine.mtbf}});
  if (read.has("distribution")) law.set("distribution", kLaws[read.choice("distribution", kLaws)]);
  for (const std::string_view name : {"shape", "log_sd"}) {
    if (read.has(name)) law.set(name, read.number(name, positive()));
  }
  if (!read.has("distribution")) {
    for (const std::string_view name : {"shape", "log_sd", "platform_age"}) {
      if (read.has(name)) read.refuse(name, "found no distribution, expected one that it is of");
    }
    return;
  }
  if (machine.profile == Profile::author) {
    read.refuse("distribution", "found profile author, whose failures have no memory");
    return;
  }
  if (!(1 / machine.mtbf > 0)) {
    read.refuse("mtbf", "is missing: the mean of the distribution");
    return;
  }
  auto made = read.ok() ? read_law(law, "") : Result<Law>(exponential_law(1));
  if (!made) return read.refuse(std::move(made).error());
  machine.law = std::move(*made);
}

// Sets the fields of the machine whose values depend on other fields.
void settle_machine(ObjectReader& read, Machine& machine) {
  read_platform_mtbf(read, machine.processors, machine.mtbf);
  read_law_of(read, machine);
  if (!read.has("luck")) machine.luck = usual_luck(machine);
}

// Completes the fields of the machine in a document.
void finish_machine(const Machine& machine, Value& document) {
  if (machine.luck == usual_luck(machine)) document.erase("luck");
  if (!machine.law) return;
  for (const std::string_view name : kLawFields) {
    if (const Value* value = machine.law->description().find(name)) document.set(name, *value);
  }
}

Value task_value(const Instance& instance, std::size_t task) {
  Value out = Value::object();
  if (!instance.ids.empty()) out.set("id", instance.ids[task]);
  out.set("length", instance.lengths[task]);
  if (instance.width(task) != 1) out.set("processors", std::int64_t{instance.width(task)});
  if (instance.checkpoints.size() > 1) out.set("checkpoint", instance.checkpoints[task]);
  if (instance.recoveries.size() > 1) out.set("recovery", instance.recoveries[task]);
  if (!instance.segments.empty()) out.set("segments", instance.segments[task]);
  if (!instance.fixed_outcomes.empty()) {
    const FixedOutcome& outcome = instance.fixed_outcomes[task];
    if (outcome.duration) {
      out.set("duration", *outcome.duration);
    } else {
      out.set("gaps", Value::list(outcome.gaps));
    }
  }
  const auto parents = instance.graph.parents(task);
  if (!parents.empty()) {
    Value::Array list;
    list.reserve(parents.size());
    for (const TaskIndex parent : parents) {
      list.emplace_back(instance.ids.empty() ? Value(std::int64_t{parent})
                                             : Value(instance.ids[parent]));
    }
    out.set("parents", Value(std::move(list)));
  }
  return out;
}

Value tasks_value(const Instance& instance) {
  Value::Array tasks;
  tasks.reserve(instance.size());
  for (std::size_t task = 0; task < instance.size(); ++task) {
    tasks.push_back(task_value(instance, task));
  }
  return Value(std::move(tasks));
}

}  // namespace

bool describes_generator(const Value& parameters) {
  if (parameters.find("workflow") != nullptr) return false;
  const Value* tasks = parameters.find("tasks");
  return tasks == nullptr || tasks->array_items() == nullptr;
}

Result<ReadInstance> read_instance(const Value& document, const std::filesystem::path& directory) {
  ReadInstance out;
  Instance& instance = out.instance;
  ObjectReader read(document, "");
  for (const std::string_view ignored : {"reference", "bound", "about", "name"}) {
    read.ignore(ignored);
  }
  Costs costs;
  machine_fields().read(read, instance);
  cost_fields().read(read, costs);
  settle_machine(read, instance);
  const bool has_processors = read.has("processors");
  if (const Value* workflow = document.find("workflow")) {
    if (workflow->members() != nullptr) ignore_foreign(read, document);
    read.ignore("workflow");
    MeasuredOptions options;
    measured_fields().read(read, options);
    if (document.find("tasks") != nullptr) {
      read.refuse("tasks", "found a workflow too, expected one of them");
    }
    HOLDFAST_CHECK(read.finish());
    HOLDFAST_TRY(run, read_run(document, directory));
    HOLDFAST_CHECK(take_run(run, options, costs, instance));
    out.warnings = told(run);
    if (!has_processors) {
      instance.processors = most_at_once(instance);
      out.warnings.push_back(
          fmt::format("no number of processors is given: {}, as many as the tasks can use at once",
                      instance.processors));
    }
  } else {
    if (!has_processors) read.refuse("processors", "is missing");
    TaskReader tasks(instance, costs);
    read.each("tasks", [&](const Value& value, const std::string& where) {
      return tasks.read(value, where);
    });
    HOLDFAST_CHECK(read.finish());
    HOLDFAST_CHECK(tasks.finish());
    if (std::string odd = duplicate_warning(instance.graph,
                                            [&](std::size_t task) { return instance.name(task); });
        !odd.empty()) {
      out.warnings.push_back(std::move(odd));
    }
  }
  HOLDFAST_CHECK(check(instance));
  return out;
}

Result<Experiment> read_experiment(const Value& parameters) {
  Experiment out;
  ObjectReader read(parameters, "");
  experiment_fields().read(read, out);
  settle_machine(read, out);
  if (!out.all_recoveries) out.all_recoveries = out.all_checkpoints;
  if (!read.has("scale") && out.profile == Profile::author) out.scale = Scale::author;
  HOLDFAST_CHECK(read.finish());
  const std::int64_t least = least_tasks(out.family);
  if (out.tasks < least) {
    return fail(ErrorCode::bad_value, "/tasks",
                fmt::format("found {}, expected at least {} for the family {}", out.tasks, least,
                            kFamilyNames[static_cast<std::size_t>(out.family)]));
  }
  return out;
}

Instance without_tasks(const Experiment& experiment) {
  Instance out;
  static_cast<Machine&>(out) = experiment;
  take(experiment, out);
  return out;
}

Instance made(const Experiment& experiment, std::uint64_t seed, std::uint64_t instance,
              FactorCache* cache, bool names) {
  Generated workflow = generate(experiment, seed, instance, cache);
  Instance out = without_tasks(experiment);
  if (names) {
    out.ids.reserve(workflow.lengths.size());
    for (std::size_t i = 0; i < workflow.lengths.size(); ++i) out.ids.push_back(workflow.name(i));
  }
  out.graph = std::move(workflow.graph);
  out.lengths = std::move(workflow.lengths);
  return out;
}

Value to_value(const Instance& instance) {
  Value out = Value::object();
  machine_fields().write(instance, out);
  finish_machine(instance, out);
  if (instance.checkpoints.size() == 1) {
    cost_fields().write({instance.checkpoints[0], instance.recoveries[0]}, out);
  }
  out.set("tasks", tasks_value(instance));
  return out;
}

Value to_definition(const Instance& instance) {
  constexpr std::size_t kMostShown = 1000;
  Value out = to_value(instance);
  if (instance.size() <= kMostShown) return out;
  const std::string digest = sha256_hex(to_compact_json(*out.find("tasks")));
  out.set("tasks", Value::object({{"count", static_cast<std::int64_t>(instance.size())},
                                  {"digest", digest}}));
  return out;
}

Value to_value(const Experiment& experiment) {
  Value out = Value::object();
  experiment_fields().write(experiment, out);
  finish_machine(experiment, out);
  if (experiment.factor) out.erase("scale");
  return out;
}

WorkflowRun to_run(const Instance& instance, std::string name) {
  WorkflowRun out;
  out.name = std::move(name);
  out.schema_version = "1.5";
  out.tasks.resize(instance.size());
  for (std::size_t task = 0; task < instance.size(); ++task) {
    MeasuredTask& measured = out.tasks[task];
    measured.id = measured.name = instance.name(task);
    measured.runtime = instance.lengths[task];
    measured.cores = instance.width(task);
    for (const TaskIndex child : instance.graph.children(task)) {
      out.dependencies.push_back({static_cast<std::uint32_t>(task), child});
    }
  }
  return out;
}

}  // namespace holdfast::workflow
