#pragma once

#include "holdfast/domains/capacity/strategies/free_tree.hpp"
#include "holdfast/domains/capacity/strategies/waiting_queue.hpp"
#include "holdfast/domains/capacity/strategy.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::capacity {

struct FirstFitRules {
  /// A random permutation of the machines; empty: FirstFitAware. In the text's reading it says which machines go off
  /// first, in the author's the order in which they are tried: the same law.
  std::vector<std::int64_t> permutation;
  /// An arriving job starts only if it needs strictly fewer cores than the largest free space (the author's slip).
  bool strict = false;
  /// After each single end the whole queue is tried on all machines (the author's), not on the machine that got room.
  bool rescan_all = false;
  bool permutation_is_try_order = false;
  /// A job that runs when the window opens starts at once or is given up (the author's).
  bool drop_carried_in = false;
};

/// The first machine, in order of number, with enough free cores; else a queue by (release, position).
/// Source: Perotin's thesis, section 4.5.2; specification 3.2 and 3.8.
class FirstFit final : public Strategy {
 public:
  FirstFit(Room& room, FirstFitRules rules);

  std::int64_t ranked(std::int64_t rank) const override;
  void open(std::int64_t now) override;
  void on_end(const Room::Ended& ended, std::int64_t now) override;
  void after_ends(std::span<const std::int64_t> dying, std::int64_t now) override;
  void on_added(std::span<const std::int64_t> machines, std::int64_t before,
                std::int64_t now) override;
  void on_removed(std::span<const std::int64_t> machines, std::span<const std::size_t> killed,
                  std::int64_t now) override;
  void on_arrival(std::size_t task, std::int64_t now) override;
  Answer answer(std::size_t task, std::int64_t now) override;
  std::int64_t waiting() const override { return queue_.size(); }
  std::int64_t dropped() const override { return dropped_; }

 private:
  void start(std::size_t task, std::int64_t machine, std::int64_t now);
  void refresh(std::int64_t machine);
  void fill(std::int64_t machine, std::int64_t now);
  void fill_all(std::int64_t now);
  /// Is the job given up where it does not start at once?
  [[nodiscard]] bool must_fit(std::size_t task) const;
  /// Returns the machine on which a job that arrives starts, if there is one.
  [[nodiscard]] std::optional<std::int64_t> machine_for(std::size_t task) const;

  Room& room_;
  FirstFitRules rules_;
  std::vector<std::int64_t> machine_at_;  // position in the order of trial -> machine
  std::vector<std::size_t> position_of_;
  FreeTree tree_;
  WaitingQueue queue_;
  std::int64_t dropped_ = 0;
  std::vector<std::int64_t> freed_;  // machines on which a run ended at this instant
};

}  // namespace holdfast::capacity
