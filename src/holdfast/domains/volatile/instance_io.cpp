#include "holdfast/domains/volatile/instance_io.hpp"

#include "holdfast/domains/volatile/document_parts.hpp"
#include "holdfast/domains/volatile/fields.hpp"

#include <string_view>
#include <utility>

namespace holdfast::volatile_workers {

Value matrix_value(const TransitionMatrix& matrix) {
  Value rows = Value::array();
  for (const auto& row : matrix) rows.push(Value::list(row));
  return rows;
}

Result<Instance> read_instance(const Value& document) {
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

Value to_value(const Instance& instance) {
  Value document = Value::object();
  instance_fields().write(instance, document);
  Value workers = Value::array();
  for (const Worker& worker : instance.workers) {
    Value row = Value::object({{"speed", worker.speed}, {"max_tasks", worker.max_tasks}});
    if (worker.markov) row.set("markov", matrix_value(*worker.markov));
    if (worker.initial != InitialState::up) {
      row.set("initial", kInitialStates[static_cast<std::size_t>(worker.initial)]);
    }
    if (instance.seen_slots > 0) {
      row.set("seen_up", worker.seen_up);
      row.set("up_for", worker.up_for);
    }
    workers.push(std::move(row));
  }
  document.set("workers", std::move(workers));
  if (instance.holding_times) {
    document.set("holding_times", instance.holding_times->description());
  }
  if (instance.seen_slots > 0) document.set("seen_slots", instance.seen_slots);
  if (!instance.states.empty()) document.set("states", Value::list(instance.states));
  if (!instance.assignment.empty()) {
    document.set("assignment", Value::list(instance.assignment));
  }
  return document;
}

Result<Prediction> read_prediction(const Value& document) {
  Prediction out;
  Instance instance;
  ObjectReader read(document, "");
  for (const std::string_view name : names_of_all()) {  // fields of the job have no effect here
    if (name != "workers") read.ignore(name);
  }
  for (const std::string_view name : {"states", "assignment"}) read.ignore(name);
  out.workload = read.integer_or("workload", 1, kSlots);
  read_workers(read, instance, 2);
  HOLDFAST_CHECK(read.finish());
  if (instance.workers.empty()) {
    return fail(ErrorCode::bad_value, "/workers", "found no worker, expected at least one");
  }
  for (std::size_t q = 0; q < instance.workers.size(); ++q) {
    if (!instance.workers[q].markov) {
      return fail(ErrorCode::bad_value, pointer_to("/workers", q) + "/markov", "is missing");
    }
    out.chains.emplace_back(*instance.workers[q].markov);
  }
  return out;
}

Result<Instance> read_offline(const Value& document) {
  Instance instance;
  ObjectReader read(document, "");
  read_states(read, instance);
  const std::int64_t speed = read.integer_or("speed", 1, kCount);
  const bool is_listed = read.has("workers");
  if (!is_listed) instance.iterations = 1;
  read_job(read, instance);
  if (is_listed) {
    read_workers(read, instance, 3);
  } else {
    for (const std::string_view name : names_of_drawn()) read.ignore(name);
    instance.workers.assign(instance.states.size(),
                            {.speed = speed, .max_tasks = instance.tasks, .markov = {}});
  }
  read.ignore("assignment");
  read.ignore("holding_times");
  HOLDFAST_CHECK(read.finish());
  if (instance.states.empty()) {
    return fail(ErrorCode::bad_value, "/states", "is missing; offline takes states that are known");
  }
  HOLDFAST_CHECK(check(instance));
  return instance;
}

}  // namespace holdfast::volatile_workers
