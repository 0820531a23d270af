#pragma once

#include "holdfast/domains/capacity/room.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// Decides which machine gets which job. It sees the room (what runs where, which machines are alive) and the jobs that
/// have arrived; not the future of the capacity, nor later arrivals. Called at the instants at which something can be
/// decided, in the order that simulate() documents; starts jobs through Room::start().
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Machines that are switched on first come first: machine `order(k)` has risk rank k.
  [[nodiscard]] virtual std::int64_t ranked(std::int64_t rank) const { return rank; }
  /// The window opens with `room`'s machines on.
  virtual void open(std::int64_t /*now*/) {}
  /// One run has ended.
  virtual void on_end(const Room::Ended& ended, std::int64_t now) = 0;
  /// All runs of this instant have ended. `dying` machines go off at this same instant: starting there is vain.
  virtual void after_ends(std::span<const std::int64_t> /*dying*/, std::int64_t /*now*/) {}
  /// Machines came on, or went off with the tasks that ran on them.
  virtual void on_added(std::span<const std::int64_t> machines, std::int64_t before,
                        std::int64_t now) = 0;
  virtual void on_removed(std::span<const std::int64_t> machines,
                          std::span<const std::size_t> killed, std::int64_t now) = 0;
  /// Next start that was planned, or kNever.
  [[nodiscard]] virtual std::int64_t next_planned() { return kNever; }
  virtual void start_planned(std::int64_t /*now*/) {}
  /// Everything of this instant that comes before arrivals is done; `has_ends` says whether a run ended.
  virtual void before_arrivals(bool /*has_ends*/, std::int64_t /*now*/) {}
  virtual void on_arrival(std::size_t task, std::int64_t now) = 0;
  /// Tasks that have arrived and neither run nor are done.
  [[nodiscard]] virtual std::int64_t waiting() const = 0;
  /// Tasks that were given up.
  [[nodiscard]] virtual std::int64_t dropped() const { return 0; }

  /// Takes over a live state, for answer(), in place of open(): the machines in use and the largest stretch so far.
  virtual void resume(std::int64_t now, std::int64_t /*used*/, double /*largest_stretch*/) {
    open(now);
  }
  /// A start of a live state that was planned before. Tells whether the machine has the cores; a strategy that makes no plans
  /// does not look.
  virtual bool add_plan(std::size_t /*task*/, std::int64_t /*machine*/, std::int64_t /*start*/,
                        std::int64_t /*now*/) {
    return true;
  }
  struct Answer {
    std::optional<std::int64_t>
        target;  ///< machine of the job's category, where the strategy has one
    std::optional<std::int64_t> machine;  ///< absent: the job waits
    std::optional<std::int64_t> start;
  };
  /// Where the job would go now. It is not placed.
  [[nodiscard]] virtual Answer answer(std::size_t /*task*/, std::int64_t /*now*/) { return {}; }
};

}  // namespace holdfast::capacity
