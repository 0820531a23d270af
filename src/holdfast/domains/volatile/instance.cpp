#include "holdfast/domains/volatile/instance.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/volatile/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace holdfast::volatile_workers {
namespace {

// With at most this many slots, sums over tasks and workers stay far below the limit of 64 bits.
constexpr std::int64_t kSafeSlots = std::int64_t{1} << 40;

tl::unexpected<Error> bad(std::string where, std::string message) {
  return fail(ErrorCode::bad_value, std::move(where), std::move(message));
}

Status check_worker(Worker& worker, std::size_t index, std::int64_t tasks) {
  const std::string where = pointer_to("/workers", index);
  if (!(worker.speed >= 1 && worker.speed <= kSafeSlots / tasks)) {
    return bad(where + "/speed", fmt::format("found {}, expected from 1 to {} slots per task",
                                             worker.speed, kSafeSlots / tasks));
  }
  if (worker.max_tasks < 0) {
    return bad(where + "/max_tasks", fmt::format("found {}, expected 0 or more", worker.max_tasks));
  }
  worker.max_tasks = std::min(worker.max_tasks, tasks);
  if (!worker.markov) return {};
  HOLDFAST_TRY(matrix, checked_matrix(*worker.markov, where + "/markov"));
  worker.markov = matrix;
  return {};
}

Status check_states(const Instance& instance) {
  if (instance.states.empty()) {
    for (std::size_t q = 0; q < instance.workers.size(); ++q) {
      if (instance.workers[q].markov) continue;
      return bad(pointer_to("/workers", q) + "/markov",
                 "is missing; without 'states' the availability is drawn from "
                 "it");
    }
    return {};
  }
  if (instance.states.size() != instance.workers.size()) {
    return bad("/states", fmt::format("found {} strings, expected one for each of {} workers",
                                      instance.states.size(), instance.workers.size()));
  }
  for (std::size_t q = 0; q < instance.states.size(); ++q) {
    const std::string& letters = instance.states[q];
    if (letters.size() != instance.states.front().size()) {
      return bad(pointer_to("/states", q),
                 fmt::format("found {} slots, expected {} as for the first worker", letters.size(),
                             instance.states.front().size()));
    }
    for (std::size_t t = 0; t < letters.size(); ++t) {
      if (state_of_letter(letters[t])) continue;
      return bad(pointer_to("/states", q),
                 fmt::format("found {} in slot {}, expected u, r or d",
                             in_quotes(std::string_view(letters).substr(t, 1)), t));
    }
  }
  return {};
}

Status check_assignment(const Instance& instance) {
  if (instance.assignment.empty()) return {};
  if (instance.assignment.size() != instance.workers.size()) {
    return bad("/assignment", fmt::format("found {} numbers, expected one for each of {} workers",
                                          instance.assignment.size(), instance.workers.size()));
  }
  std::int64_t sum = 0;
  for (std::size_t q = 0; q < instance.assignment.size(); ++q) {
    const std::int64_t tasks = instance.assignment[q];
    if (tasks < 0 || tasks > instance.workers[q].max_tasks) {
      return bad(pointer_to("/assignment", q), fmt::format("found {}, expected from 0 to {}", tasks,
                                                           instance.workers[q].max_tasks));
    }
    sum += tasks;
  }
  if (sum == instance.tasks) return {};
  return bad("/assignment", fmt::format("found {} tasks in all, expected {}", sum, instance.tasks));
}

}  // namespace

std::optional<WorkerState> state_of_letter(char letter) {
  switch (letter) {
    case 'u':
      return WorkerState::up;
    case 'r':
      return WorkerState::reclaimed;
    case 'd':
      return WorkerState::down;
    default:
      return std::nullopt;
  }
}

std::optional<std::size_t> worker_without_chain(const Instance& instance) {
  for (std::size_t q = 0; q < instance.workers.size(); ++q) {
    if (!instance.workers[q].markov) return q;
  }
  return std::nullopt;
}

Status check(Instance& instance) {
  HOLDFAST_CHECK(instance_fields().check(instance));
  if (instance.data_slots > kSafeSlots / instance.tasks) {
    return bad("/data_slots", fmt::format("found {}, expected at most {}", instance.data_slots,
                                          kSafeSlots / instance.tasks));
  }
  if (instance.workers.empty()) {
    return bad("/workers", "found no worker, expected at least one");
  }
  if (std::ssize(instance.workers) > kLargestPool) {
    return bad("/workers", fmt::format("found {} workers, expected at most {}",
                                       instance.workers.size(), kLargestPool));
  }
  std::int64_t room = 0;
  for (std::size_t q = 0; q < instance.workers.size(); ++q) {
    HOLDFAST_CHECK(check_worker(instance.workers[q], q, instance.tasks));
    room = std::min(room + instance.workers[q].max_tasks, instance.tasks);
  }
  HOLDFAST_CHECK(check_states(instance));
  HOLDFAST_CHECK(check_assignment(instance));
  if (room >= instance.tasks) return {};
  return fail(
      ErrorCode::infeasible, "/workers",
      fmt::format("all workers together hold {} tasks, an iteration has {}", room, instance.tasks));
}

}  // namespace holdfast::volatile_workers
