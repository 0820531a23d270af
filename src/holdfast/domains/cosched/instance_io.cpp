#include "holdfast/domains/cosched/instance_io.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/cosched/fields.hpp"
#include "holdfast/models/failures/mtbf.hpp"
#include "holdfast/models/speedup/speedup_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace holdfast::cosched {
namespace {

Result<Profile> read_profile(const Value& object, const std::string& where, double fraction) {
  const Value* model = object.find("model");
  const std::string* name = model == nullptr ? nullptr : model->string();
  if (name == nullptr || *name != "mlog") {
    HOLDFAST_TRY(speedup, read_speedup(object, where));
    return Profile{std::move(speedup)};
  }
  ObjectReader read(object, where);
  read.ignore("model");
  const MLogProfile profile{read.number_or("sequential_fraction", fraction, between(0, 1))};
  HOLDFAST_CHECK(read.finish());
  return Profile{profile};
}

// Reads one task; where `state` is given, its live state too.
Result<Task> read_task(const Value& object, const std::string& where, std::size_t index,
                       double fraction, TaskState* state, std::vector<std::int64_t>* owned) {
  ObjectReader read(object, where);
  Task task;
  task.id = read.text_or("id", fmt::format("{}", index));
  task.data = read.number("data", {.minimum = 1, .above_minimum = true});
  task.profile = MLogProfile{fraction};
  read.with("speedup", [&](const Value& value, const std::string& place) -> Status {
    HOLDFAST_TRY(profile, read_profile(value, place, fraction));
    task.profile = std::move(profile);
    return {};
  });
  if (state != nullptr) {
    state->processors = read.integer("allocation", non_negative());
    state->running = state->processors > 0;
    state->left = read.number_or("fraction", 1, between(0, 1));
    state->since = read.seconds_or("since", 0);
    read.each_or_none("owned", [&](const Value& value, const std::string& place) -> Status {
      HOLDFAST_TRY(processor, read_integer(value, place, non_negative()));
      owned->push_back(processor);
      return {};
    });
  }
  HOLDFAST_CHECK(read.finish());
  return task;
}

// A field that is not the platform's alone: what tasks without a profile have.
double read_platform(ObjectReader& read, Instance& instance) {
  for (const std::string_view name : {"holdfast", "reference"}) read.ignore(name);
  platform_fields().read(read, instance);
  read_platform_mtbf(read, instance.processors, instance.mtbf);
  return read.number_or("sequential_fraction", MLogProfile{}.sequential_fraction, between(0, 1));
}

void read_scenario(ObjectReader& read, Instance& instance) {
  if (read.has("failures")) instance.failures.emplace();
  read.each_or_none("failures", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(failure, read_pair(value, where, "[time, processor]", Unit::seconds,
                                    non_negative(), non_negative()));
    instance.failures->push_back({failure.first, failure.second});
    return {};
  });
  read.each_or_none("allocations", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(allocation, read_integers(value, where, non_negative()));
    instance.given.push_back(std::move(allocation));
    return {};
  });
}

void read_event(ObjectReader& read, LiveState& state) {
  read.required("event", [&](const Value& value, const std::string& where) -> Status {
    ObjectReader event(value, where);
    if (event.has("failure")) {
      state.failed_processor = event.integer("failure", non_negative());
      if (*state.failed_processor >= state.instance.processors) {
        event.refuse("failure",
                     fmt::format("found processor {}, expected one from 0 to {}",
                                 *state.failed_processor, state.instance.processors - 1));
      }
    } else {
      const std::string id = event.text("completion");
      for (std::size_t i = 0; i < state.instance.tasks.size(); ++i) {
        if (state.instance.tasks[i].id == id) state.completed = i;
      }
      if (state.completed == kNoTask) {
        event.refuse("completion",
                     fmt::format("found {}, expected the id of a task", in_quotes(id)));
      }
    }
    return event.finish();
  });
}

Status check_live(const LiveState& state) {
  std::int64_t used = 0;
  for (std::size_t i = 0; i < state.tasks.size(); ++i) {
    const std::int64_t count = state.tasks[i].processors;
    if (count % 2 != 0) {
      return fail(ErrorCode::bad_value, pointer_to("/tasks", i) + "/allocation",
                  fmt::format("found {}, expected an even number", count));
    }
    used += count;
  }
  if (used <= state.instance.even_processors()) return {};
  return fail(ErrorCode::bad_value, "/tasks",
              fmt::format("found {} processors in all, expected at most {}", used,
                          state.instance.even_processors()));
}

// Owned processors where the document lists them; the rule from all-free otherwise.
Status set_owners(LiveState& state, const std::vector<std::vector<std::int64_t>>& owned) {
  state.owners = Ownership(state.instance.even_processors(), state.tasks.size());
  const bool is_listed =
      std::any_of(owned.begin(), owned.end(), [](const auto& l) { return !l.empty(); });
  Allocation allocation;
  for (std::size_t i = 0; i < state.tasks.size(); ++i) {
    allocation.push_back(state.tasks[i].processors);
    if (!is_listed) continue;
    if (static_cast<std::int64_t>(owned[i].size()) != state.tasks[i].processors) {
      return fail(ErrorCode::bad_value, pointer_to("/tasks", i) + "/owned",
                  fmt::format("found {} processors, expected as many as its allocation, {}",
                              owned[i].size(), state.tasks[i].processors));
    }
    for (const std::int64_t processor : owned[i]) {
      if (processor >= state.instance.even_processors()) {
        return fail(ErrorCode::bad_value, pointer_to("/tasks", i) + "/owned",
                    fmt::format("found processor {}, expected one from 0 to {}", processor,
                                state.instance.even_processors() - 1));
      }
    }
    state.owners.set(i, owned[i]);
  }
  if (!is_listed) state.owners.assign(allocation);
  return {};
}

Value profile_value(const Profile& profile) {
  if (const auto* mlog = std::get_if<MLogProfile>(&profile)) {
    return Value::object({{"model", "mlog"}, {"sequential_fraction", mlog->sequential_fraction}});
  }
  return to_value(std::get<Speedup>(profile));
}

// Nothing fails and nothing is saved: then nothing is said of either.
template <class S>
void leave_out_failures(const S& described, Value& document) {
  if (!described.fault_free) return;
  for (const std::string_view name : {"mtbf", "downtime", "checkpoint_unit_cost"}) {
    document.erase(name);
  }
}

}  // namespace

bool describes_generator(const Value& parameters) {
  const Value* tasks = parameters.find("tasks");
  return tasks == nullptr || tasks->array_items() == nullptr;
}

Result<Instance> read_instance(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "cosched-instance"));
  Instance instance;
  ObjectReader read(document, "");
  const double fraction = read_platform(read, instance);
  read.each("tasks", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(task, read_task(value, where, instance.tasks.size(), fraction, nullptr, nullptr));
    instance.tasks.push_back(std::move(task));
    return {};
  });
  read_scenario(read, instance);
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check(instance));
  return instance;
}

Result<GeneratorParameters> read_generator(const Value& parameters) {
  GeneratorParameters out;
  ObjectReader read(parameters, "");
  generator_fields().read(read, out);
  read_platform_mtbf(read, out.processors, out.mtbf);
  if (auto status = check_checkpoint_cost(out.checkpoint_unit_cost, out.fault_free);
      read.ok() && !status) {
    read.refuse(std::move(status).error());
  }
  if (read.ok() && out.maximum_data < out.minimum_data) {
    read.refuse("maximum_data", fmt::format("found {}, expected at least minimum_data, {}",
                                            out.maximum_data, out.minimum_data));
  }
  if (read.ok() && out.processors < 2 * out.tasks) {
    read.refuse("processors",
                fmt::format("found {}, expected at least {}: a pair for each of {} tasks",
                            out.processors, 2 * out.tasks, out.tasks));
  }
  HOLDFAST_CHECK(read.finish());
  return out;
}

Value to_value(const Instance& instance) {
  Value document =
      Value::object({{"holdfast", Value::object({{"kind", "cosched-instance"}, {"version", 1}})}});
  platform_fields().write(instance, document);
  leave_out_failures(instance, document);
  Value tasks = Value::array();
  for (const Task& task : instance.tasks) {
    tasks.push(Value::object(
        {{"id", task.id}, {"data", task.data}, {"speedup", profile_value(task.profile)}}));
  }
  document.set("tasks", std::move(tasks));
  if (instance.failures) {
    Value failures = Value::array();
    for (const Failure& failure : *instance.failures) {
      failures.push(Value(Value::Array{failure.time, failure.processor}));
    }
    document.set("failures", std::move(failures));
  }
  if (!instance.given.empty()) {
    Value allocations = Value::array();
    for (const auto& allocation : instance.given) allocations.push(Value::list(allocation));
    document.set("allocations", std::move(allocations));
  }
  return document;
}

Value to_value(const GeneratorParameters& parameters) {
  Value document = Value::object();
  generator_fields().write(parameters, document);
  leave_out_failures(parameters, document);
  return document;
}

Result<LiveState> read_live_state(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "cosched-instance"));
  LiveState state;
  std::vector<std::vector<std::int64_t>> owned;
  ObjectReader read(document, "");
  const double fraction = read_platform(read, state.instance);
  state.now = read.seconds("now");
  read.each("tasks", [&](const Value& value, const std::string& where) -> Status {
    TaskState task_state;
    HOLDFAST_TRY(task, read_task(value, where, state.instance.tasks.size(), fraction, &task_state,
                                 &owned.emplace_back()));
    state.instance.tasks.push_back(std::move(task));
    state.tasks.push_back(task_state);
    return {};
  });
  read_event(read, state);
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check(state.instance));
  HOLDFAST_CHECK(check_live(state));
  HOLDFAST_CHECK(set_owners(state, owned));
  return state;
}

}  // namespace holdfast::cosched
