#pragma once

#include "holdfast/domains/capacity/placement/board.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace holdfast::capacity {

/// The jobs whose plans need not be made yet. A change of the capacity drops all plans and places a backlog of thousands of jobs
/// again, and the next change drops nearly all of these plans before they come due. So a job that cannot start now may be put
/// off: it waits in a list, in the order of the plans, and only what decisions need is computed of its plan.
///
///     cores of     a search sees what runs (R) and the plans that were made (P), not what was put off (a, b)
///     machine m
///        |RRRRRRRRRR|        +-----------+         The slot is right if no job that was put off starts on m
///        |RRRRRRRRRR|  [a]   |   slot    |         before its end. b may start there later and a may start on
///        |RRRRR|PPPPPPPPPP|  |           | [b]     another machine: then they do not matter. So before a slot is
///        +-----+----+----+---+-----------+----->   accepted, is_settled() plans exactly those jobs, like a, that
///        now                start       end        start on m before its end; each of their slots is settled first.
///
/// A search that does not see some plans finds a start that is right or too early, never too late: what it rejects stays
/// rejected. That the runs are those of making each plan at once is proved in docs/decisions/0052.
///
/// This class itself puts nothing off. Its subclasses do: a queue for each machine (`queue_deferral.hpp`), a lane for each
/// pack of machines, and one lane for all machines up to a horizon (`lane_deferral.hpp`).
class Deferral {
 public:
  explicit Deferral(Board& board) : board_{board} {}
  virtual ~Deferral() = default;

  /// Drops all plans, and all jobs that were put off.
  virtual void clear() { wake_ = kNever; }

  /// Puts off the first tasks of a backlog for as long as that needs no search, and returns how many.
  /// @param limit  the largest stretch at which a job may wait for its target
  virtual std::size_t set_aside(std::span<const std::size_t> /*backlog*/, const Scale&,
                                double /*limit*/, std::int64_t /*now*/) {
    return 0;
  }
  /// Returns true if the job certainly starts by `latest` when it waits for its target, wherever the other deferred jobs go.
  virtual bool surely_starts_by(std::int64_t /*latest*/, const PlacementRequest&,
                                std::int64_t /*target*/, std::int64_t /*now*/) {
    return false;
  }
  /// Returns true if a job may be put off because it starts on no machine before the horizon.
  [[nodiscard]] virtual bool has_horizon(std::int64_t /*now*/) const { return false; }
  /// Puts the job off.
  virtual void put_off(const PlacementRequest&, std::int64_t /*target*/, std::int64_t /*now*/) {}

  /// Returns true if the slot is the one that the search would find with all plans made. If not, it makes the plans that could be
  /// in the way, and the search has to be repeated.
  [[nodiscard]] virtual bool is_settled(const Slot&, std::int64_t /*now*/) { return true; }
  /// Notes that a job which was not put off has been placed on the machine.
  virtual void disturb(std::int64_t /*machine*/) {}

  /// Returns a time before which no deferred job starts; kNever if there is none.
  [[nodiscard]] std::int64_t wake() const { return wake_; }
  /// Makes all plans that start before the horizon.
  virtual void plan_to_horizon(std::int64_t /*now*/) {}

  /// Returns true if the machine of some deferred job is not decided yet.
  [[nodiscard]] virtual bool leaves_machines_open() const { return false; }
  /// Returns true if a deferred job may go to this machine.
  [[nodiscard]] virtual bool may_fill(std::int64_t /*machine*/) const { return false; }
  /// Plans the first job of each list.
  virtual void plan_first(std::int64_t /*now*/) {}

 protected:
  /// Returns true if one of the plans that were made for its sake has taken the slot.
  [[nodiscard]] bool is_taken(const Slot* asked) const {
    return asked != nullptr && !board_.starts.is_free(*asked);
  }

  Board& board_;
  std::int64_t wake_ = kNever;
};

/// Returns the deferral that suits the policy.
[[nodiscard]] std::unique_ptr<Deferral> make_deferral(Board& board);

}  // namespace holdfast::capacity
