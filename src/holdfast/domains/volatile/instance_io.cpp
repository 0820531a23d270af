#include "holdfast/domains/volatile/instance_io.hpp"

#include "holdfast/models/failures/law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace holdfast::volatile_workers {
namespace {

constexpr auto kInitial =
    std::to_array<std::string_view>({"up", "reclaimed", "down", "stationary"});
constexpr auto kLaws = std::to_array<std::string_view>({"weibull", "lognormal", "gamma"});
constexpr auto kUnavailable = std::to_array<std::string_view>({"down", "reclaimed"});
constexpr double kMostSlots = 1e12;
constexpr double kMostTasks = 1048576;
constexpr Range kCount{.minimum = 1, .maximum = kMostSlots};
constexpr Range kSlots{.minimum = 0, .maximum = kMostSlots};

constexpr auto kFields = std::to_array<Parameter>({
    {.name = "tasks",
     .summary = "tasks of one iteration, computed in lock-step",
     .kind = Kind::integer,
     .range = between(1, kMostTasks),
     .fallback = "5"},
    {.name = "iterations",
     .summary = "iterations to finish; 0: as many as the slot limit allows",
     .kind = Kind::integer,
     .range = kSlots,
     .fallback = "10"},
    {.name = "concurrent_communications",
     .summary = "workers that the master feeds at a time",
     .kind = Kind::integer,
     .range = kCount,
     .fallback = "5"},
    {.name = "program_slots",
     .summary = "slots to send the program to a worker",
     .kind = Kind::integer,
     .range = kSlots},
    {.name = "data_slots",
     .summary = "slots to send the data of one task",
     .kind = Kind::integer,
     .range = kSlots},
    {.name = "slot", .summary = "length of a slot", .unit = Unit::seconds, .range = positive()},
    {.name = "master_bandwidth",
     .summary = "of the master; with link_bandwidth instead of concurrent_communications",
     .unit = Unit::bytes_per_second,
     .range = positive()},
    {.name = "link_bandwidth",
     .summary = "of a worker's link",
     .unit = Unit::bytes_per_second,
     .range = positive()},
    {.name = "program_size",
     .summary = "instead of program_slots",
     .unit = Unit::bytes,
     .range = non_negative()},
    {.name = "data_size",
     .summary = "of one task, instead of data_slots",
     .unit = Unit::bytes,
     .range = non_negative()},
    {.name = "slot_limit",
     .summary = "slots after which a run has failed",
     .kind = Kind::integer,
     .range = kCount,
     .fallback = "1000000"},
    {.name = "workers",
     .summary = "how many random workers, where no instance lists them",
     .kind = Kind::integer,
     .range = between(1, 1e6),
     .fallback = "20"},
    {.name = "minimum_speed",
     .summary = "random workers take from this to ten times as many slots per task",
     .kind = Kind::integer,
     .range = between(1, 1e9),
     .fallback = "1"},
    {.name = "minimum_stay",
     .summary = "random workers: least probability to stay in a state",
     .range = between(0, 1),
     .fallback = "0.9"},
    {.name = "maximum_stay",
     .summary = "random workers: largest probability to stay in a state",
     .range = between(0, 1),
     .fallback = "0.99"},
    {.name = "initial",
     .summary = "state of random workers in slot 0",
     .kind = Kind::choice,
     .fallback = "up",
     .choices = kInitial},
    {.name = "sample",
     .summary = "another sample of random workers with the same seed",
     .kind = Kind::integer,
     .range = between(0, 4294967295.0),
     .fallback = "0"},
    {.name = "availability",
     .summary = "recorded availability from which workers and their states are drawn",
     .kind = Kind::file,
     .pointer = "/availability/file"},
    {.name = "unavailable",
     .summary = "what a worker is that a two-state record does not say to be up",
     .kind = Kind::choice,
     .choices = kUnavailable,
     .pointer = "/availability/unavailable"},
    {.name = "history",
     .summary = "slots before a run to which chains are fitted (default: half of the record)",
     .kind = Kind::integer,
     .range = between(1, 1e8),
     .pointer = "/availability/history"},
    {.name = "holding_times",
     .summary = "law of the time in a state, with the means of the chain; default: geometric",
     .kind = Kind::choice,
     .choices = kLaws,
     .pointer = "/holding_times/distribution"},
    {.name = "holding_shape",
     .summary = "shape of a weibull or gamma law of holding times",
     .range = positive(),
     .pointer = "/holding_times/shape"},
    {.name = "holding_log_sd",
     .summary = "standard deviation of the logarithm, lognormal law of holding times",
     .range = positive(),
     .pointer = "/holding_times/log_sd"},
});

// A law of holding times is scaled to the means of the chain: only its shape is asked for.
std::optional<Law> read_holding_times(ObjectReader& read) {
  std::optional<Law> law;
  read.with("holding_times", [&](const Value& value, const std::string& where) -> Status {
    Value document = value;
    if (document.members() != nullptr && document.find("mtbf") == nullptr) {
      document.set("mtbf", 1);
    }
    HOLDFAST_TRY(found, read_law(document, where));
    law = found;
    return {};
  });
  return law;
}

Value holding_value(const Law& law) {
  return law.description();
}

// Slots from sizes and bandwidths, where the document gives these. Source: Casanova et al. 2012, section 3.
struct Physical {
  std::optional<double> slot, master, link, program, data;
};

Physical read_physical(ObjectReader& read) {
  return {.slot = read.optional_quantity("slot", Unit::seconds, positive()),
          .master = read.optional_quantity("master_bandwidth", Unit::bytes_per_second, positive()),
          .link = read.optional_quantity("link_bandwidth", Unit::bytes_per_second, positive()),
          .program = read.optional_quantity("program_size", Unit::bytes, non_negative()),
          .data = read.optional_quantity("data_size", Unit::bytes, non_negative())};
}

std::int64_t slots_for(ObjectReader& read, std::string_view name, double size,
                       const Physical& physical) {
  if (!physical.link || !physical.slot) {
    read.refuse(name, "expected link_bandwidth and slot beside it");
    return 0;
  }
  const double slots = std::ceil(size / (*physical.link * *physical.slot));
  if (!(slots <= kMostSlots)) {
    read.refuse(name, fmt::format("found a transfer of {:g} slots, expected at most {:g}", slots,
                                  kMostSlots));
    return 0;
  }
  return static_cast<std::int64_t>(slots);
}

std::optional<std::int64_t> transfer_slots(ObjectReader& read, std::string_view slots_name,
                                           std::string_view size_name,
                                           const std::optional<double>& size,
                                           const Physical& physical) {
  if (!size) {
    if (!read.has(slots_name)) return std::nullopt;
    return read.integer(slots_name, kSlots);
  }
  if (read.has(slots_name)) {
    read.refuse(size_name, fmt::format("found beside {}, expected one of the two", slots_name));
  }
  return slots_for(read, size_name, *size, physical);
}

std::int64_t ports(ObjectReader& read, const Physical& physical, std::int64_t fallback) {
  if (!physical.master) {
    return read.integer_or("concurrent_communications", fallback, kCount);
  }
  if (read.has("concurrent_communications") || !physical.link) {
    read.refuse("master_bandwidth",
                physical.link ? "found beside concurrent_communications, expected one of the two"
                              : "expected link_bandwidth beside it");
    return 1;
  }
  const double count = std::floor(*physical.master / *physical.link);
  if (!(count >= 1 && count <= kMostSlots)) {
    read.refuse("master_bandwidth",
                fmt::format("found {:g} times the bandwidth of a link, expected at least once",
                            *physical.master / *physical.link));
    return 1;
  }
  return static_cast<std::int64_t>(count);
}

Result<TransitionMatrix> read_matrix(const Value& value, const std::string& where, int rows_read) {
  const Value::Array* rows = value.array_items();
  const auto least = static_cast<std::size_t>(rows_read);
  if (rows == nullptr || rows->size() < least || rows->size() > 3) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected a list of {} rows", value.described(), rows_read));
  }
  TransitionMatrix matrix{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const std::string place = pointer_to(where, i);
    const Value::Array* row = (*rows)[i].array_items();
    if (row == nullptr || row->size() != 3) {
      return fail(ErrorCode::bad_value, place,
                  fmt::format("found {}, expected three probabilities: up, reclaimed, down",
                              (*rows)[i].described()));
    }
    for (std::size_t j = 0; j < 3; ++j) {
      HOLDFAST_TRY(probability,
                   read_quantity((*row)[j], pointer_to(place, j), Unit::none, between(0, 1)));
      if (i < least) matrix[i][j] = probability;
    }
  }
  return checked_matrix(matrix, where, rows_read);
}

Result<Worker> read_worker(const Value& object, const std::string& where, std::int64_t tasks,
                           int rows) {
  ObjectReader read(object, where);
  Worker worker;
  read.ignore("id");
  worker.speed = read.integer_or("speed", 1, kCount);
  worker.max_tasks = read.integer_or("max_tasks", tasks, kSlots);
  worker.initial = static_cast<InitialState>(read.choice_or("initial", kInitial, 0));
  worker.seen_up = read.integer_or("seen_up", 0, kSlots);
  worker.up_for = read.integer_or("up_for", 0, kSlots);
  read.with("markov", [&](const Value& value, const std::string& place) -> Status {
    HOLDFAST_TRY(matrix, read_matrix(value, place, rows));
    worker.markov = matrix;
    return {};
  });
  HOLDFAST_CHECK(read.finish());
  return worker;
}

void read_workers(ObjectReader& read, Instance& instance, int rows) {
  read.each("workers", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(worker, read_worker(value, where, instance.tasks, rows));
    instance.workers.push_back(worker);
    return {};
  });
}

void read_states(ObjectReader& read, Instance& instance) {
  read.each_or_none("states", [&](const Value& value, const std::string& where) -> Status {
    if (value.string() == nullptr) {
      return fail(ErrorCode::bad_value, where,
                  fmt::format("found {}, expected a text of u, r and d", value.described()));
    }
    instance.states.push_back(*value.string());
    return {};
  });
}

void read_job(ObjectReader& read, Instance& instance) {
  read.ignore("holdfast");
  read.ignore("reference");
  read.ignore("bound");
  instance.tasks = read.integer("tasks", between(1, kMostTasks));
  instance.iterations = read.integer_or("iterations", instance.iterations, kSlots);
  const Physical physical = read_physical(read);
  instance.concurrent_communications = ports(read, physical, instance.tasks);
  instance.program_slots =
      transfer_slots(read, "program_slots", "program_size", physical.program, physical).value_or(0);
  instance.data_slots =
      transfer_slots(read, "data_slots", "data_size", physical.data, physical).value_or(0);
  instance.slot_limit = read.integer_or("slot_limit", instance.slot_limit, kCount);
  instance.seen_slots = read.integer_or("seen_slots", 0, kSlots);
}

void read_assignment(ObjectReader& read, Instance& instance) {
  read.each_or_none("assignment", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(tasks, read_integer(value, where, non_negative()));
    instance.assignment.push_back(tasks);
    return {};
  });
}

void read_live_worker(ObjectReader& worker, std::size_t q, LiveState& state) {
  if (worker.has("state")) {
    constexpr auto kStates = std::to_array<std::string_view>({"up", "reclaimed", "down"});
    state.states[q] = static_cast<WorkerState>(worker.choice("state", kStates));
    worker.ignore("up");
  } else {
    state.states[q] = worker.flag_or("up", true) ? WorkerState::up : WorkerState::reclaimed;
  }
  const std::int64_t program = state.instance.program_slots;
  state.has_program[q] = worker.flag_or("has_program", program == 0) ? 1 : 0;
  state.program_received[q] = worker.integer_or("program_received", 0, kSlots);
  state.data_received[q] = worker.integer_or("data_received", 0, kSlots);
  state.running[q] = worker.integer_or("tasks", 0, kSlots);
  if (state.program_received[q] > program) {
    worker.refuse("program_received",
                  fmt::format("found {}, expected at most {}", state.program_received[q], program));
  }
  if (state.running[q] > state.instance.workers[q].max_tasks) {
    worker.refuse("tasks", fmt::format("found {}, expected at most {}", state.running[q],
                                       state.instance.workers[q].max_tasks));
  }
}

Status read_live_workers(const Value& value, const std::string& where, LiveState& state) {
  const std::size_t p = state.instance.workers.size();
  const Value::Array* rows = value.array_items();
  if (rows == nullptr || rows->size() != p) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected a list with one object for each of {} workers",
                            value.described(), p));
  }
  for (std::size_t q = 0; q < p; ++q) {
    ObjectReader worker((*rows)[q], pointer_to(where, q));
    read_live_worker(worker, q, state);
    HOLDFAST_CHECK(worker.finish());
  }
  return {};
}

Value matrix_value(const TransitionMatrix& matrix) {
  Value rows = Value::array();
  for (const auto& row : matrix) rows.push(Value::list(row));
  return rows;
}

void set_job(Value& document, std::int64_t tasks, std::int64_t iterations, std::int64_t ports_used,
             std::int64_t slot_limit) {
  document.set("tasks", tasks);
  document.set("iterations", iterations);
  document.set("concurrent_communications", ports_used);
  document.set("slot_limit", slot_limit);
}

}  // namespace

std::span<const Parameter> fields() {
  return kFields;
}

bool describes_generator(const Value& parameters) {
  const Value* workers = parameters.find("workers");
  return workers == nullptr || workers->array_items() == nullptr;
}

Result<Instance> read_instance(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "volatile-instance"));
  Instance instance;
  ObjectReader read(document, "");
  read_job(read, instance);
  read_workers(read, instance, 3);
  read_states(read, instance);
  read_assignment(read, instance);
  instance.holding_times = read_holding_times(read);
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check(instance));
  return instance;
}

Result<GeneratorParameters> read_generator(const Value& parameters,
                                           const std::filesystem::path& directory) {
  GeneratorParameters out;
  ObjectReader read(parameters, "");
  out.tasks = read.integer_or("tasks", out.tasks, between(1, kMostTasks));
  out.iterations = read.integer_or("iterations", out.iterations, kSlots);
  const Physical physical = read_physical(read);
  out.concurrent_communications = ports(read, physical, out.concurrent_communications);
  out.program_slots =
      transfer_slots(read, "program_slots", "program_size", physical.program, physical);
  out.data_slots = transfer_slots(read, "data_slots", "data_size", physical.data, physical);
  out.slot_limit = read.integer_or("slot_limit", out.slot_limit, kCount);
  out.workers = read.integer_or("workers", out.workers, between(1, 1e6));
  out.minimum_speed = read.integer_or("minimum_speed", out.minimum_speed, between(1, 1e9));
  out.minimum_stay = read.number_or("minimum_stay", out.minimum_stay, between(0, 1));
  out.maximum_stay = read.number_or("maximum_stay", out.maximum_stay, between(0, 1));
  if (read.ok() && out.maximum_stay < out.minimum_stay) {
    read.refuse("maximum_stay", fmt::format("found {}, expected at least minimum_stay, {}",
                                            out.maximum_stay, out.minimum_stay));
  }
  out.initial = static_cast<InitialState>(read.choice_or("initial", kInitial, 0));
  out.sample = static_cast<std::uint64_t>(read.integer_or("sample", 0, between(0, 4294967295.0)));
  out.holding_times = read_holding_times(read);
  if (read.ok()) {
    HOLDFAST_TRY(recorded, read_recorded_pool(read, physical.slot, directory));
    out.recorded = std::move(recorded);
  }
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_TRY(probe, generate(out, 1, 0));
  HOLDFAST_CHECK(check(probe));
  return out;
}

Value to_value(const Instance& instance) {
  Value document =
      Value::object({{"holdfast", Value::object({{"kind", "volatile-instance"}, {"version", 1}})}});
  set_job(document, instance.tasks, instance.iterations, instance.concurrent_communications,
          instance.slot_limit);
  document.set("program_slots", instance.program_slots);
  document.set("data_slots", instance.data_slots);
  Value workers = Value::array();
  for (const Worker& worker : instance.workers) {
    Value row = Value::object({{"speed", worker.speed}, {"max_tasks", worker.max_tasks}});
    if (worker.markov) row.set("markov", matrix_value(*worker.markov));
    if (worker.initial != InitialState::up) {
      row.set("initial", kInitial[static_cast<std::size_t>(worker.initial)]);
    }
    if (instance.seen_slots > 0) {
      row.set("seen_up", worker.seen_up);
      row.set("up_for", worker.up_for);
    }
    workers.push(std::move(row));
  }
  document.set("workers", std::move(workers));
  if (instance.holding_times) {
    document.set("holding_times", holding_value(*instance.holding_times));
  }
  if (instance.seen_slots > 0) document.set("seen_slots", instance.seen_slots);
  if (!instance.states.empty()) document.set("states", Value::list(instance.states));
  if (!instance.assignment.empty()) {
    document.set("assignment", Value::list(instance.assignment));
  }
  return document;
}

Value to_value(const GeneratorParameters& parameters) {
  Value document = Value::object();
  set_job(document, parameters.tasks, parameters.iterations, parameters.concurrent_communications,
          parameters.slot_limit);
  document.set("program_slots", parameters.program_slots.value_or(5 * parameters.minimum_speed));
  document.set("data_slots", parameters.data_slots.value_or(parameters.minimum_speed));
  document.set("workers", parameters.workers);
  document.set("minimum_speed", parameters.minimum_speed);
  document.set("minimum_stay", parameters.minimum_stay);
  document.set("maximum_stay", parameters.maximum_stay);
  document.set("initial", kInitial[static_cast<std::size_t>(parameters.initial)]);
  document.set("sample", static_cast<std::int64_t>(parameters.sample));
  if (parameters.recorded) {
    const RecordedPool& pool = *parameters.recorded;
    document.set("slot", pool.slot);
    document.set(
        "availability",
        Value::object({{"digest", pool.digest},
                       {"unavailable", kUnavailable[pool.unavailable == WorkerState::down ? 0 : 1]},
                       {"history", pool.history}}));
  }
  if (parameters.holding_times) {
    document.set("holding_times", holding_value(*parameters.holding_times));
  }
  return document;
}

Result<Prediction> read_prediction(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "volatile-instance"));
  Prediction out;
  Instance instance;
  ObjectReader read(document, "");
  for (const Parameter& field : kFields) {  // of the job: nothing of it matters here
    if (field.name != "workers") read.ignore(field.name);
  }
  for (const std::string_view name : {"holdfast", "states", "assignment"}) read.ignore(name);
  out.workload = read.integer_or("workload", 1, kSlots);
  read_workers(read, instance, 2);
  HOLDFAST_CHECK(read.finish());
  if (instance.workers.empty()) {
    return fail(ErrorCode::bad_value, "/workers", "found no worker, expected at least one");
  }
  for (std::size_t q = 0; q < instance.workers.size(); ++q) {
    if (!instance.workers[q].markov) {
      return fail(ErrorCode::bad_value, pointer_to("/workers", q), "the field 'markov' is missing");
    }
    out.chains.emplace_back(*instance.workers[q].markov);
  }
  return out;
}

Result<LiveState> read_live_state(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "volatile-instance"));
  LiveState state;
  ObjectReader read(document, "");
  read_job(read, state.instance);
  read_workers(read, state.instance, 2);
  for (const std::string_view name : {"states", "assignment", "holding_times"}) read.ignore(name);
  state.elapsed = read.integer_or("elapsed", 0, kSlots);
  state.done = read.integer_or("done", 0, kSlots);
  const std::size_t p = state.instance.workers.size();
  state.states.assign(p, WorkerState::up);
  state.has_program.assign(p, state.instance.program_slots == 0 ? 1 : 0);
  state.program_received.assign(p, 0);
  state.data_received.assign(p, 0);
  state.running.assign(p, 0);
  if (read.ok()) {
    HOLDFAST_CHECK(check(state.instance));
    read.with("state", [&](const Value& value, const std::string& where) {
      return read_live_workers(value, where, state);
    });
  }
  HOLDFAST_CHECK(read.finish());
  std::int64_t running = 0;
  for (const std::int64_t tasks : state.running) running += tasks;
  if (running == 0) {
    state.running.clear();
  } else if (running != state.instance.tasks) {
    return fail(
        ErrorCode::bad_value, "/state",
        fmt::format("found {} tasks running, expected {} or none", running, state.instance.tasks));
  }
  if (const auto worker = worker_without_chain(state.instance)) {
    return fail(ErrorCode::bad_value, pointer_to("/workers", *worker),
                "the field 'markov' is missing; a plan weighs risks by it");
  }
  return state;
}

Result<Instance> read_offline(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "volatile-instance"));
  Instance instance;
  ObjectReader read(document, "");
  read_states(read, instance);
  const std::int64_t speed = read.integer_or("speed", 1, kCount);
  if (read.has("workers")) {
    read_job(read, instance);
    read_workers(read, instance, 3);
  } else {
    for (const Parameter& field : kFields) {
      if (field.name != "tasks" && field.name != "iterations") read.ignore(field.name);
    }
    for (const std::string_view name : {"holdfast", "reference", "bound"}) read.ignore(name);
    instance.tasks = read.integer("tasks", between(1, kMostTasks));
    instance.iterations = read.integer_or("iterations", 1, kCount);
    instance.workers.assign(instance.states.size(),
                            {.speed = speed, .max_tasks = instance.tasks, .markov = {}});
  }
  read.ignore("assignment");
  read.ignore("holding_times");
  HOLDFAST_CHECK(read.finish());
  if (instance.states.empty()) {
    return fail(ErrorCode::bad_value, "/states",
                "the field 'states' is missing; offline takes states that are known");
  }
  HOLDFAST_CHECK(check(instance));
  return instance;
}

}  // namespace holdfast::volatile_workers
