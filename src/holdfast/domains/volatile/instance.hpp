#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/kernel/availability.hpp"
#include "holdfast/models/availability/chain.hpp"
#include "holdfast/models/failures/law.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::volatile_workers {

/// The state in which a worker starts; `stationary` draws it from the long-run shares of its chain.
enum class InitialState : std::uint8_t { up, reclaimed, down, stationary };
/// The names of these states, in the same order.
inline constexpr auto kInitialStates =
    std::to_array<std::string_view>({"up", "reclaimed", "down", "stationary"});

struct Worker {
  std::int64_t speed = 1;      ///< w: slots that one task takes
  std::int64_t max_tasks = 1;  ///< mu: tasks that it can hold; 0: none
  /// Rows and columns are in the order up, reclaimed, down. The rules that consider risks need it.
  std::optional<TransitionMatrix> markov;
  InitialState initial = InitialState::up;
  std::int64_t seen_up = 0;  ///< number of the instance's seen_slots in which the worker was up
  std::int64_t up_for = 0;   ///< slots for which it had been up just before slot 0
};

/// A tightly coupled application on a pool of workers that come and go. Time is slotted: the user decides how long a slot is,
/// and all times are whole numbers of slots.
struct Instance {
  std::int64_t tasks = 1;        ///< m: tasks of one iteration, computed in lock-step
  std::int64_t iterations = 10;  ///< 0: as many as slot_limit allows
  /// ncom: largest number of workers to which the master sends at the same time.
  std::int64_t concurrent_communications = 1;
  std::int64_t program_slots = 0;  ///< Tprog
  std::int64_t data_slots = 0;     ///< Tdata, per task
  std::int64_t slot_limit = 1'000'000;
  std::vector<Worker> workers;
  /// One string per worker with one letter per slot (u, r, d). It fixes the availability.
  std::vector<std::string> states;
  /// Law of the holding times, scaled to the means of the chain; absent: geometric (Markov).
  std::optional<Law> holding_times;
  std::int64_t seen_slots = 0;  ///< slots before the run that rules without a chain have observed
  std::vector<std::int64_t> assignment;  ///< tasks per worker, for the strategy `as-given`

  [[nodiscard]] bool is_fixed() const { return !states.empty(); }
};

/// The largest number of workers. The rules' memory for sets of workers grows with its square: 2 GB at this number.
inline constexpr std::int64_t kLargestPool = 10'000;
/// The memory of one thread for that many workers, in bytes, measured for `e-ie` and `y-ie` with 5 tasks.
inline constexpr double kMemoryOfLargestPool = 2e9;

/// Checks all rules for valid instances, and scales matrix rows to sum to 1.
/// @returns bad_value with the JSON pointer of the field, or infeasible if the workers cannot hold the tasks
[[nodiscard]] Status check(Instance& instance);

/// Returns the state for a letter u, r or d.
[[nodiscard]] std::optional<WorkerState> state_of_letter(char letter);

/// Returns the first worker without a matrix, which the strategies that consider risks need; nothing if all have one.
[[nodiscard]] std::optional<std::size_t> worker_without_chain(const Instance& instance);

}  // namespace holdfast::volatile_workers
