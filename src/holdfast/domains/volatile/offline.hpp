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
  /// Takes `slots` slots starting at `from`, or fewer if the states end before. Slot 0 is `from`.
  KnownStates(Availability& availability, std::int64_t from, std::int64_t slots);
  /// No worker is up or down in any of these slots.
  KnownStates(std::size_t workers, std::int64_t slots);
  void set_up(std::size_t worker, std::int64_t slot) { set(up_, worker, slot); }
  void set_down(std::size_t worker, std::int64_t slot) { set(down_, worker, slot); }
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
  void set(std::vector<std::uint64_t>& bits, std::size_t worker, std::int64_t slot) const {
    bits[worker * words_ + static_cast<std::size_t>(slot / 64)] |= std::uint64_t{1} << (slot % 64);
  }

  std::size_t workers_, words_;
  std::int64_t slots_;
  std::vector<std::uint64_t> up_, down_;
};

/// Returns the first slot in which a set finishes W slots of work that it begins at `start` or later: some window that ends
/// there contains W slots with all members up, and none with a member down.
/// @param up    [words] slots in which all members are up
/// @param down  [words] slots in which a member is down
/// @param before  only results before this slot are of interest
[[nodiscard]] std::optional<std::int64_t> finish_slot(const std::uint64_t* up,
                                                      const std::uint64_t* down, std::int64_t start,
                                                      std::int64_t workload, std::int64_t before);

/// A question about the best case of one iteration.
struct Question {
  std::vector<std::int64_t> tasks;  ///< tasks that each worker does within the workload
  std::int64_t needed = 1;          ///< total number of tasks
  std::int64_t workload = 1;        ///< W: slots in which all are up together
  std::int64_t start = 0;
  /// No set finishes before this slot, so the search can stop at a set that finishes then.
  std::int64_t at_best = -1;
  /// Rows of the states with the same number here exclude each other; empty: none do.
  std::vector<std::uint32_t> owners = {};
};
struct Found {
  std::int64_t finish = 0;  ///< its last slot
  std::vector<std::uint32_t> members;
};

/// The effort that a search may spend before it gives up, and the effort spent so far.
struct Effort {
  std::int64_t most_nodes = 200'000'000;
  std::int64_t nodes = 0;
  [[nodiscard]] bool is_over() const { return nodes > most_nodes; }
};

/// Returns the set of workers that finishes first, by branch and bound. Workers are tried in order of their own finishes, and
/// the finish of a partial set bounds that of all larger ones. The result is exact unless effort.is_over(). The problem is
/// NP-hard: Theorem 4.1 of Casanova et al. 2012.
/// @param before  only results before this slot are of interest
[[nodiscard]] std::optional<Found> earliest(const KnownStates& states, const Question& question,
                                            std::int64_t before, Effort& effort);

/// Returns the best result for one iteration of the instance from `start`, over all workloads W that some number of tasks of
/// some worker takes.
/// @param most_tasks  largest number of tasks of one worker (1, or the instance's)
/// @param at_best     no set finishes before this slot
[[nodiscard]] std::optional<Found> best_iteration(const KnownStates& states,
                                                  const Instance& instance, std::int64_t most_tasks,
                                                  std::int64_t start, Effort& effort,
                                                  std::int64_t at_best = -1);

/// Returns all iterations, one after the other without communication. Starting each as early as possible is optimal, because an
/// iteration that may start earlier never ends later.
/// @returns the results found; fewer than asked for if the states end
[[nodiscard]] std::vector<Found> best_iterations(const KnownStates& states,
                                                 const Instance& instance, std::int64_t most_tasks,
                                                 std::int64_t iterations, Effort& effort);

/// Returns the largest number of slots in which exactly that many workers are up together (exact-node-cardinality bi-clique).
/// A worker that is down counts the same as one that is reclaimed.
[[nodiscard]] std::int64_t most_common_up(const KnownStates& states, std::int64_t workers,
                                          Effort& effort);

}  // namespace holdfast::volatile_workers
