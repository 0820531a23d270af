#include "holdfast/domains/volatile/live_state.hpp"

#include "holdfast/domains/volatile/document_parts.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast::volatile_workers {
namespace {

void read_live_worker(ObjectReader& worker, std::size_t q, LiveState& state) {
  if (worker.has("state")) {
    state.states[q] = static_cast<WorkerState>(worker.choice("state", kWorkerStates));
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

}  // namespace

Result<LiveState> read_live_state(const Value& document) {
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
    return fail(ErrorCode::bad_value, pointer_to("/workers", *worker) + "/markov",
                "is missing; a plan weighs risks by it");
  }
  return state;
}

}  // namespace holdfast::volatile_workers
