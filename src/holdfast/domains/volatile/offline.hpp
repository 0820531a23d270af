#pragma once

#include "holdfast/domains/volatile/availability.hpp"
#include "holdfast/domains/volatile/instance.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::volatile_workers {

/// Known states as bits, 64 slots to a word.
class KnownStates {
 public:
  explicit KnownStates(std::span<const std::string> states);
  /// So many slots from `from` on, or fewer where they end before; slot 0 is `from`.
  KnownStates(Availability& availability, std::int64_t from, std::int64_t slots);
  [[nodiscard]] std::size_t workers() const { return workers_; }
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::int64_t slots() const { return slots_; }
  [[nodiscard]] const std::uint64_t* up(std::size_t worker) const {
    return up_.data() + worker * words_;
  }
  [[nodiscard]] const std::uint64_t* down(std::size_t worker) const {
    return down_.data() + worker * words_;
  }

 private:
  std::size_t workers_, words_;
  std::int64_t slots_;
  std::vector<std::uint64_t> up_, down_;
};

/// Returns the first slot in which a set finishes W slots of work that it begins at `start` or later: some
/// window that ends there holds W slots with all up and none with a member down.
/// @param up    [words] slots in which all are up
/// @param down  [words] slots in which somebody is down
/// @param before  only finishes before this slot matter
[[nodiscard]] std::optional<std::int64_t> finish_slot(const std::uint64_t* up,
                                                      const std::uint64_t* down, std::int64_t start,
                                                      std::int64_t workload, std::int64_t before);

/// What one iteration may take in the best case.
struct Question {
  std::vector<std::int64_t> tasks;  ///< per worker: how many it does within the workload
  std::int64_t needed = 1;          ///< tasks in all
  std::int64_t workload = 1;        ///< W: common slots up
  std::int64_t start = 0;
  std::int64_t at_best =
      -1;  ///< nobody finishes before this slot: who reaches it need not search on
};
struct Found {
  std::int64_t finish = 0;  ///< its last slot
  std::vector<std::uint32_t> members;
};

/// How much work a search may do before it gives up, and how much it did.
struct Effort {
  std::int64_t most_nodes = 200'000'000;
  std::int64_t nodes = 0;
  [[nodiscard]] bool is_over() const { return nodes > most_nodes; }
};

/// Returns the set of workers that finishes first, by branch and bound: in order of their own finishes, a
/// partial set's finish bounds that of all larger ones. Exact unless effort.is_over(). NP-hard:
/// Theorem 4.1 of Casanova et al. 2012.
/// @param before  only finishes before this slot matter
[[nodiscard]] std::optional<Found> earliest(const KnownStates& states, const Question& question,
                                            std::int64_t before, Effort& effort);

/// Returns one iteration of the instance from `start`, by the best workload: every W that some number of
/// tasks of some worker takes.
/// @param most_tasks  largest number of tasks of one worker (1, or the instance's)
/// @param at_best     nobody finishes before this slot
[[nodiscard]] std::optional<Found> best_iteration(const KnownStates& states,
                                                  const Instance& instance, std::int64_t most_tasks,
                                                  std::int64_t start, Effort& effort,
                                                  std::int64_t at_best = -1);

/// Returns all iterations, one after the other without communication: starting each as early as possible
/// is optimal, because an iteration that may start earlier never ends later.
/// @returns the finishes that there are: fewer than asked for where the states end
[[nodiscard]] std::vector<Found> best_iterations(const KnownStates& states,
                                                 const Instance& instance, std::int64_t most_tasks,
                                                 std::int64_t iterations, Effort& effort);

/// Returns the most slots in which exactly that many workers are up together, down being the same as
/// reclaimed: exact-node-cardinality bi-clique.
[[nodiscard]] std::int64_t most_common_up(const KnownStates& states, std::int64_t workers,
                                          Effort& effort);

}  // namespace holdfast::volatile_workers
