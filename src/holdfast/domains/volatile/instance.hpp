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

/// In which state a worker starts; `stationary` draws it from the long-run shares of its chain.
enum class InitialState : std::uint8_t { up, reclaimed, down, stationary };
/// Their names, in the same order.
inline constexpr auto kInitialStates =
    std::to_array<std::string_view>({"up", "reclaimed", "down", "stationary"});

struct Worker {
  std::int64_t speed = 1;      ///< w: slots that one task takes
  std::int64_t max_tasks = 1;  ///< mu: tasks that it can hold; 0: none
  /// Rows and columns up, reclaimed, down. The rules that weigh risks need it.
  std::optional<TransitionMatrix> markov;
  InitialState initial = InitialState::up;
  std::int64_t seen_up = 0;  ///< seen up of the instance's seen_slots, those in which it was up
  std::int64_t up_for = 0;   ///< slots for which it had been up just before slot 0
};

/// A tightly coupled application on a pool of workers that come and go. Time is slotted: one slot is
/// whatever the user says, and all times are whole numbers of slots.
struct Instance {
  std::int64_t tasks = 1;                      ///< m: tasks of one iteration, computed in lock-step
  std::int64_t iterations = 10;                ///< 0: as many as slot_limit allows
  std::int64_t concurrent_communications = 1;  ///< ncom: workers the master feeds at a time
  std::int64_t program_slots = 0;              ///< Tprog
  std::int64_t data_slots = 0;                 ///< Tdata, per task
  std::int64_t slot_limit = 1'000'000;
  std::vector<Worker> workers;
  /// One string per worker, one letter per slot (u, r, d): fixes the availability.
  std::vector<std::string> states;
  /// Law of the holding times, scaled to the means of the chain; nothing: geometric (Markov).
  std::optional<Law> holding_times;
  std::int64_t seen_slots = 0;  ///< slots before the run that rules without a chain know of
  std::vector<std::int64_t> assignment;  ///< tasks per worker, for the strategy `as-given`

  [[nodiscard]] bool is_fixed() const { return !states.empty(); }
};

/// Workers of one problem. What the rules remember of sets of them grows with the square: 2 GB at this many.
inline constexpr std::int64_t kLargestPool = 10'000;
inline constexpr double kMemoryOfLargestPool =
    2e9;  ///< bytes of one thread, `e-ie` and `y-ie` with 5 tasks, measured

/// Every rule about what is a valid problem; matrices are made to sum to 1.
/// @returns bad_value with the JSON pointer of the field, or infeasible if the workers cannot
/// hold the tasks
[[nodiscard]] Status check(Instance& instance);

/// u, r or d.
[[nodiscard]] std::optional<WorkerState> state_of_letter(char letter);

/// Returns whether a strategy that weighs risks can be used: the first worker without a matrix, or nothing.
[[nodiscard]] std::optional<std::size_t> worker_without_chain(const Instance& instance);

}  // namespace holdfast::volatile_workers
