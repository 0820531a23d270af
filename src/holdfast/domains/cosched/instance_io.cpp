#include "holdfast/domains/cosched/instance_io.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/models/failures/mtbf.hpp"
#include "holdfast/models/speedup/speedup_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace holdfast::cosched {
namespace {

constexpr std::string_view kHundredYears = "100y";

// A pair at least, and as many as a run can hold: each has a place in the table of owners.
constexpr Range kProcessors{.minimum = 2, .maximum = 1e8};

constexpr auto kFields = std::to_array<Parameter>({
    {.name = "processors",
     .summary = "processors of the machine",
     .kind = Kind::integer,
     .range = kProcessors,
     .fallback = "1000"},
    {.name = "mtbf",
     .summary = "mean time between failures of one processor",
     .unit = Unit::seconds,
     .range = positive(),
     .fallback = kHundredYears},
    {.name = "platform_mtbf",
     .summary =
         "of the whole machine, in place of the mtbf: one processor's is 'processors' times that",
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "downtime",
     .summary = "from a failure to the start of the recovery",
     .unit = Unit::seconds,
     .range = non_negative(),
     .fallback = "60s"},
    {.name = "checkpoint_unit_cost",
     .summary = "processor-seconds to save one data unit",
     .range = non_negative(),
     .fallback = "1"},
    {.name = "redistribution_unit_cost",
     .summary = "multiplies the cost of moving data; 0 makes moves free",
     .range = non_negative(),
     .fallback = "1"},
    {.name = "sequential_fraction",
     .summary = "of tasks with the default profile",
     .range = between(0, 1),
     .fallback = "0.08"},
    {.name = "fault_free", .summary = "no failures and no checkpoints", .kind = Kind::flag},
    {.name = "tasks",
     .summary = "how many random tasks, where no instance lists them",
     .kind = Kind::integer,
     .range = at_least(1),
     .fallback = "100"},
    {.name = "minimum_data",
     .summary = "of random tasks, data units",
     .range = {.minimum = 1, .above_minimum = true},
     .fallback = "1.5e6"},
    {.name = "maximum_data",
     .summary = "of random tasks, data units",
     .range = {.minimum = 1, .above_minimum = true},
     .fallback = "2.5e6"},
});

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

Result<Failure> read_failure(const Value& value, const std::string& where) {
  const Value::Array* pair = value.array_items();
  if (pair == nullptr || pair->size() != 2) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected [time, processor]", value.described()));
  }
  HOLDFAST_TRY(time, read_quantity((*pair)[0], where + "/0", Unit::seconds, non_negative()));
  HOLDFAST_TRY(processor, read_integer((*pair)[1], where + "/1", non_negative()));
  return Failure{time, processor};
}

void read_platform(ObjectReader& read, Instance& instance) {
  for (const std::string_view name : {"holdfast", "reference"}) read.ignore(name);
  instance.processors = read.integer("processors", kProcessors);
  instance.mtbf = read_mtbf(read, instance.processors).value_or(100 * kYear);
  instance.downtime = read.seconds_or("downtime", 60, non_negative());
  instance.checkpoint_unit_cost = read.number_or("checkpoint_unit_cost", 1, non_negative());
  instance.redistribution_unit_cost = read.number_or("redistribution_unit_cost", 1, non_negative());
  instance.fault_free = read.flag_or("fault_free", false);
}

void read_scenario(ObjectReader& read, Instance& instance) {
  read.with("failures", [&](const Value& value, const std::string& where) -> Status {
    const Value::Array* items = value.array_items();
    if (items == nullptr) {
      return fail(ErrorCode::bad_value, where,
                  fmt::format("found {}, expected a list of [time, processor]", value.described()));
    }
    instance.failures.emplace();
    for (std::size_t i = 0; i < items->size(); ++i) {
      HOLDFAST_TRY(failure, read_failure((*items)[i], pointer_to(where, i)));
      instance.failures->push_back(failure);
    }
    return {};
  });
  read.each_or_none("allocations", [&](const Value& value, const std::string& where) -> Status {
    const Value document = Value::object({{"allocation", value}});
    ObjectReader row(document, "");
    std::vector<std::int64_t> allocation;
    row.each("allocation", [&](const Value& item, const std::string&) -> Status {
      HOLDFAST_TRY(count, read_integer(item, where, non_negative()));
      allocation.push_back(count);
      return {};
    });
    HOLDFAST_CHECK(row.finish());
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

void set_platform(Value& document, std::int64_t processors, double mtbf, double downtime,
                  double checkpoint, double redistribution, bool fault_free) {
  document.set("processors", processors);
  if (!fault_free) {
    document.set("mtbf", mtbf);
    document.set("downtime", downtime);
    document.set("checkpoint_unit_cost", checkpoint);
  }
  document.set("redistribution_unit_cost", redistribution);
  if (fault_free) document.set("fault_free", true);
}

}  // namespace

std::span<const Parameter> fields() {
  return kFields;
}

bool describes_generator(const Value& parameters) {
  const Value* tasks = parameters.find("tasks");
  return tasks == nullptr || tasks->array_items() == nullptr;
}

Result<Instance> read_instance(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "cosched-instance"));
  Instance instance;
  ObjectReader read(document, "");
  read_platform(read, instance);
  const double fraction = read.number_or("sequential_fraction", 0.08, between(0, 1));
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
  out.processors = read.integer_or("processors", out.processors, kProcessors);
  out.mtbf = read_mtbf(read, out.processors).value_or(out.mtbf);
  out.downtime = read.seconds_or("downtime", out.downtime, non_negative());
  out.fault_free = read.flag_or("fault_free", false);
  out.checkpoint_unit_cost = read.number_or("checkpoint_unit_cost", out.checkpoint_unit_cost,
                                            out.fault_free ? non_negative() : positive());
  out.redistribution_unit_cost =
      read.number_or("redistribution_unit_cost", out.redistribution_unit_cost, non_negative());
  out.sequential_fraction =
      read.number_or("sequential_fraction", out.sequential_fraction, between(0, 1));
  out.tasks = read.integer_or("tasks", out.tasks, between(1, 1e7));
  const Range above_one{.minimum = 1, .above_minimum = true};
  out.minimum_data = read.number_or("minimum_data", out.minimum_data, above_one);
  out.maximum_data = read.number_or("maximum_data", out.maximum_data, above_one);
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
  set_platform(document, instance.processors, instance.mtbf, instance.downtime,
               instance.checkpoint_unit_cost, instance.redistribution_unit_cost,
               instance.fault_free);
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

Value to_value(const GeneratorParameters& p) {
  Value document = Value::object();
  set_platform(document, p.processors, p.mtbf, p.downtime, p.checkpoint_unit_cost,
               p.redistribution_unit_cost, p.fault_free);
  document.set("tasks", p.tasks);
  document.set("minimum_data", p.minimum_data);
  document.set("maximum_data", p.maximum_data);
  document.set("sequential_fraction", p.sequential_fraction);
  return document;
}

Result<LiveState> read_live_state(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "cosched-instance"));
  LiveState state;
  std::vector<std::vector<std::int64_t>> owned;
  ObjectReader read(document, "");
  read_platform(read, state.instance);
  const double fraction = read.number_or("sequential_fraction", 0.08, between(0, 1));
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
