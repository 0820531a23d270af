#pragma once

#include "holdfast/algorithms/pending.hpp"
#include "holdfast/domains/capacity/strategy.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::capacity {

/// The differences between the variants of first fit.
struct FirstFitRules {
  /// A random permutation of the machines; empty for FirstFitAware. In the text's reading it gives the order in which machines
  /// go off, in the author's (and for machines that differ in size) the order in which they are tried; the distribution of
  /// results is the same.
  std::vector<std::int64_t> permutation;
  /// True: an arriving job starts only if it needs strictly fewer cores than are free on some machine (an error of the author's
  /// program).
  bool strict = false;
  /// True: after each single end the whole queue is tried on all machines (author), not only on the machine that has cores
  /// again.
  bool rescan_all = false;
  /// True: the permutation is the order in which machines are tried (author, and machines that differ in size).
  bool permutation_is_try_order = false;
  /// True: a job that runs when the window opens starts at once or is given up (author).
  bool drop_carried_in = false;
};

/// Chooses the first machine, in order of number, with enough free cores; other jobs wait in a queue by (release, position).
/// Source: Perotin's thesis, section 4.5.2.
class FirstFit final : public Strategy {
 public:
  FirstFit(ClusterState& cluster, FirstFitRules rules);

  std::int64_t ranked(std::int64_t rank) const override;
  void open(std::int64_t now) override;
  void on_end(const ClusterState::Ended& ended, std::int64_t now) override;
  void after_ends(std::span<const std::int64_t> dying, std::int64_t now) override;
  void on_added(std::span<const std::int64_t> machines, std::int64_t before,
                std::int64_t now) override;
  void on_removed(std::span<const std::int64_t> machines, std::span<const std::size_t> killed,
                  std::int64_t now) override;
  void before_arrivals(bool has_ends, std::int64_t now) override;
  void on_arrival(std::size_t task, std::int64_t now) override;
  void enqueue(std::size_t task) override { wait(task); }
  Answer answer(std::size_t task, std::int64_t now) override;
  std::int64_t waiting() const override { return waiting_; }
  std::int64_t dropped() const override { return dropped_; }

 private:
  void start(std::size_t task, std::int64_t machine, std::int64_t now);
  void wait(std::size_t task);
  /// Takes the first waiting task that needs at most that many cores out of the queue, and returns it.
  [[nodiscard]] std::optional<std::size_t> take(std::int64_t cores);
  /// Returns the largest number of free cores on a machine that is on; 0 if none is.
  [[nodiscard]] std::int64_t largest_free() const;
  /// Returns the first machine, in the order in which they are tried, that has that many free cores.
  /// @pre there is one
  [[nodiscard]] std::int64_t first_with(std::int64_t cores) const;
  /// Sorts machines by the order in which they are tried.
  void sort_by_position(std::vector<std::int64_t>& machines) const;
  void refresh(std::int64_t machine);
  void fill(std::int64_t machine, std::int64_t now);
  void fill_all(std::int64_t now);
  /// Returns true if the job is given up unless it starts at once.
  [[nodiscard]] bool must_fit(std::size_t task) const;
  /// Returns the machine on which an arriving job starts, if there is one.
  [[nodiscard]] std::optional<std::int64_t> machine_for(std::size_t task) const;

  ClusterState& cluster_;
  FirstFitRules rules_;
  std::vector<std::int64_t> machine_at_;  // [position in the order of trial] machine
  std::vector<std::size_t> position_of_;
  // By position: the busy cores of a machine that is on, plus one. It finds the first machine with enough free cores.
  PendingTree taken_;
  PendingTree queue_;  // by task, in the order of the queue
  std::int64_t waiting_ = 0;
  std::int64_t dropped_ = 0;
  std::vector<std::int64_t> freed_;  // machines on which a run ended at this instant
};

}  // namespace holdfast::capacity
