#include "holdfast/domains/taskgraph/instance_io.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/taskgraph/fields.hpp"
#include "holdfast/domains/taskgraph/workflow_input.hpp"
#include "holdfast/models/speedup/speedup_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

namespace holdfast::taskgraph {
namespace {

// Reads an id, or the position of a task that has none.
Result<std::string> read_parent(const Value& value, const std::string& where) {
  if (const std::string* id = value.string()) return *id;
  HOLDFAST_TRY(position, read_integer(value, where, non_negative()));
  return std::to_string(position);
}

Status read_allocation(const Value& value, const std::string& where, GivenTask& given) {
  if (value.array_items() == nullptr) {
    HOLDFAST_TRY(processors, read_integer(value, where, at_least(1)));
    given.allocations = {processors};
    return {};
  }
  HOLDFAST_TRY(list, read_integers(value, where, at_least(1)));
  given.allocations = std::move(list);
  if (!given.allocations.empty()) return {};
  return fail(ErrorCode::bad_value, where,
              "found an empty array, expected the processors of the 1st, 2nd ... attempt");
}

// What a document may say about a task beside its record.
struct TaskExtras {
  std::optional<GivenTask> given;
  double release = 0;
};

Status read_task(const Value& value, const std::string& where, TaskRecord& record,
                 TaskExtras& extras) {
  ObjectReader read(value, where);
  std::optional<GivenTask>& given = extras.given;
  record.id = read.text_or("id", "");
  record.group = read.text_or("group", "");
  read.required("speedup", [&](const Value& object, const std::string& place) -> Status {
    HOLDFAST_TRY(speedup, read_speedup(object, place));
    record.speedup = std::move(speedup);
    return {};
  });
  read.each_or_none("parents", [&](const Value& item, const std::string& place) -> Status {
    HOLDFAST_TRY(parent, read_parent(item, place));
    record.parents.push_back(std::move(parent));
    return {};
  });
  if (read.has("allocation") || read.has("start")) given.emplace();
  read.with("allocation", [&](const Value& item, const std::string& place) -> Status {
    return read_allocation(item, place, *given);
  });
  if (read.has("start")) given->start = read.seconds("start", non_negative());
  if (read.has("release")) extras.release = read.seconds("release", non_negative());
  return read.finish();
}

/// The positions of the tasks by id.
class Positions {
 public:
  explicit Positions(std::span<const std::string> ids) : ids_{ids} {
    positions_.reserve(ids.size());
  }

  Status add_all() {
    for (std::size_t task = 0; task < ids_.size(); ++task) {
      const auto [first, is_new] = positions_.emplace(ids_[task], task);
      if (is_new) continue;
      return fail(ErrorCode::bad_value, fmt::format("/tasks/{}/id", task),
                  fmt::format("found {}, which is task {} already, expected a different id",
                              in_quotes(ids_[task]), first->second));
    }
    return {};
  }

  Result<std::size_t> find(const std::string& id, std::size_t task, std::size_t parent) const {
    const auto found = positions_.find(id);
    if (found != positions_.end()) return found->second;
    const std::vector<std::string_view> known(ids_.begin(), ids_.end());
    const std::string_view near = closest(id, known);
    return fail(
        ErrorCode::unknown_name, fmt::format("/tasks/{}/parents/{}", task, parent),
        fmt::format("found {}, expected the id of a task{}", in_quotes(id),
                    near.empty() ? "" : fmt::format("; did you mean {}?", in_quotes(near))));
  }

 private:
  std::span<const std::string> ids_;
  std::unordered_map<std::string_view, std::size_t> positions_;
};

Value task_value(const Instance& instance, std::size_t task) {
  Value out = Value::object();
  if (!instance.ids.empty()) out.set("id", instance.ids[task]);
  if (!instance.groups.empty()) out.set("group", instance.groups[task]);
  out.set("speedup", to_value(instance.tasks[task]));
  Value parents = Value::array();
  for (const TaskIndex parent : instance.graph.parents(task)) parents.push(instance.name(parent));
  out.set("parents", std::move(parents));
  if (instance.release(task) > 0) out.set("release", instance.release(task));
  if (instance.given.empty()) return out;
  const GivenTask& given = instance.given[task];
  if (given.allocations.size() == 1) {
    out.set("allocation", given.allocations.front());
  } else if (!given.allocations.empty()) {
    out.set("allocation", Value::list(given.allocations));
  }
  if (given.start > 0) out.set("start", given.start);
  return out;
}

}  // namespace

bool describes_generator(const Value& parameters) {
  if (is_workflow(parameters)) return false;
  const Value* tasks = parameters.find("tasks");
  return tasks == nullptr || tasks->array_items() == nullptr;
}

Result<Instance> link(std::vector<TaskRecord> records, std::int64_t processors) {
  Instance instance;
  instance.processors = processors;
  std::vector<std::string> ids;
  ids.reserve(records.size());
  instance.tasks.reserve(records.size());
  bool has_ids = false;
  for (std::size_t task = 0; task < records.size(); ++task) {
    has_ids = has_ids || !records[task].id.empty();
    ids.push_back(records[task].id.empty() ? std::to_string(task) : std::move(records[task].id));
    instance.tasks.push_back(std::move(records[task].speedup));
    if (!records[task].group.empty()) instance.groups.resize(records.size());
    if (!instance.groups.empty()) instance.groups[task] = std::move(records[task].group);
  }
  Positions positions(ids);
  HOLDFAST_CHECK(positions.add_all());
  DagBuilder build;
  for (std::size_t task = 0; task < records.size(); ++task) {
    build.add_task();
    const auto& parents = records[task].parents;
    for (std::size_t k = 0; k < parents.size(); ++k) {
      HOLDFAST_TRY(parent, positions.find(parents[k], task, k));
      build.add_parent(parent);
    }
  }
  HOLDFAST_TRY(graph, std::move(build).build([&](std::size_t task) { return ids[task]; }));
  instance.graph = std::move(graph);
  if (has_ids) instance.ids = std::move(ids);
  return instance;
}

Result<Instance> read_instance(const Value& document) {
  ObjectReader read(document, "");
  Instance plain;  // the plain numbers of the instance
  instance_fields().read(read, plain);
  std::vector<TaskRecord> records;
  std::vector<TaskExtras> extras;
  if (is_workflow(document)) {
    for (const auto& [name, value] : *document.members()) read.ignore(name);
    HOLDFAST_CHECK(read.finish());
    HOLDFAST_TRY(measured, read_workflow_tasks(document, plain.processors));
    records = std::move(measured);
  } else {
    read.each("tasks", [&](const Value& value, const std::string& where) {
      return read_task(value, where, records.emplace_back(), extras.emplace_back());
    });
  }
  std::vector<std::int64_t> failures = read.integers("failures", non_negative());
  if (read.has("failures") && failures.empty()) {
    read.refuse("failures", "found an empty array, expected one number for each task");
  }
  std::vector<std::vector<double>> strikes;
  read.with("strikes", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(listed, read_strikes(value, where));
    strikes = std::move(listed);
    return {};
  });
  // Fields that the generator of worst cases writes for people.
  for (const std::string_view field : {"reference", "bound", "worst_case"}) {
    read.ignore(field);
  }
  HOLDFAST_CHECK(read.finish());

  HOLDFAST_TRY(instance, link(std::move(records), plain.processors));
  instance.error_model = plain.error_model;
  instance.error_rate = plain.error_rate;
  instance.checkpoint = plain.checkpoint;
  instance.recovery = plain.recovery;
  instance.failures = std::move(failures);
  instance.strikes = std::move(strikes);
  if (std::ranges::any_of(extras, [](const auto& task) { return task.given.has_value(); })) {
    for (auto& task : extras) {
      instance.given.push_back(std::move(task.given).value_or(GivenTask{}));
    }
  }
  if (std::ranges::any_of(extras, [](const auto& task) { return task.release > 0; })) {
    for (const auto& task : extras) instance.releases.push_back(task.release);
  }
  HOLDFAST_CHECK(check(instance));
  return instance;
}

Result<GeneratorParameters> read_generator(const Value& parameters,
                                           const std::filesystem::path& directory) {
  GeneratorParameters out;
  ObjectReader read(parameters, "");
  generator_fields().read(read, out);
  read_log_of(read, directory, LoggedOrder::logged, out);
  // With higher rates, an attempt of the longest task would almost never succeed.
  constexpr double kMostErrors = 13.8;  // ln(1e6)
  const double longest =
      out.log == nullptr ? longest_work(out.works) : most_work(*out.log, out.speedup);
  const ErrorLaw law{out.error_model, out.error_rate, out.checkpoint, out.recovery};
  if (read.ok()) HOLDFAST_CHECK(check_saves(law, out.processors));
  if (read.ok() && !law.saves() && out.error_rate * longest > kMostErrors) {
    read.refuse("error_rate", fmt::format("found {}, expected at most {:.3g}: tasks of {:.3g} s "
                                          "would fail more than 1e6 times",
                                          out.error_rate, kMostErrors / longest, longest));
  }
  HOLDFAST_CHECK(read.finish());
  return out;
}

Value to_value(const Instance& instance) {
  Value document = Value::object();
  instance_fields().write(instance, document);
  Value tasks = Value::array();
  for (std::size_t task = 0; task < instance.size(); ++task) tasks.push(task_value(instance, task));
  document.set("tasks", std::move(tasks));
  if (!instance.failures.empty()) document.set("failures", Value::list(instance.failures));
  if (!instance.strikes.empty()) document.set("strikes", strikes_value(instance.strikes));
  return document;
}

Value to_value(const GeneratorParameters& parameters) {
  Value document = Value::object();
  generator_fields().write(parameters, document);
  if (parameters.log != nullptr) document.set("log", to_value(*parameters.log));
  if (parameters.speedup) document.set("speedup", to_value(*parameters.speedup));
  return document;
}

std::vector<std::string> warnings(const Instance& instance) {
  const auto name = [&](std::size_t task) { return instance.name(task); };
  if (std::string text = duplicate_warning(instance.graph, name); !text.empty()) {
    return {std::move(text)};
  }
  return {};
}

}  // namespace holdfast::taskgraph
