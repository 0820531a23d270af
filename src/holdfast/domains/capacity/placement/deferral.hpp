#pragma once

#include "holdfast/domains/capacity/placement/board.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace holdfast::capacity {

/// The jobs whose plans need not be made yet. A change of the capacity drops all plans, and then a backlog of thousands of jobs
/// is placed again; the next change drops nearly all of these plans before they are used. So a job that cannot start now may be
/// deferred: it waits in a list, in the order of the plans, and only the parts of its plan that decisions need are computed.
///
///     cores of     a search sees what runs (R) and the plans that were made (P), not the deferred jobs (a, b)
///     machine m
///        |RRRRRRRRRR|        +-----------+         The slot is right if no deferred job starts on m
///        |RRRRRRRRRR|  [a]   |   slot    |         before its end. b may start there later and a may start on
///        |RRRRR|PPPPPPPPPP|  |           | [b]     another machine: then they do not matter. So before a slot is
///        +-----+----+----+---+-----------+----->   accepted, is_settled() plans exactly those jobs, like a, that
///        now                start       end        start on m before its end; each of their slots is settled first.
///
/// A search that does not see some plans finds a start that is right or too early, never too late. So a start that it rejects
/// is rejected for good. docs/decisions/0052 proves that the runs are the same as if each plan were made at once.
///
/// This class itself defers nothing. Its subclasses do: a queue for each machine (`queue_deferral.hpp`), a lane for each pack
/// of machines, and one lane for all machines up to a horizon (`lane_deferral.hpp`).
class Deferral {
 public:
  explicit Deferral(Board& board) : board_{board} {}
  virtual ~Deferral() = default;

  /// Drops all plans and all deferred jobs.
  virtual void clear() { wake_ = kNever; }

  /// Defers the first tasks of a backlog for as long as that needs no search, and returns how many it deferred.
  /// @param limit  the largest stretch at which a job may wait for its target
  virtual std::size_t set_aside(std::span<const std::size_t> /*backlog*/, const Scale&,
                                double /*limit*/, std::int64_t /*now*/) {
    return 0;
  }
  /// Returns true if the job certainly starts by `latest` if it waits for its target, wherever the other deferred jobs go.
  virtual bool surely_starts_by(std::int64_t /*latest*/, const PlacementRequest&,
                                std::int64_t /*target*/, std::int64_t /*now*/) {
    return false;
  }
  /// Returns true if a job may be deferred because it cannot start on any machine before the horizon.
  [[nodiscard]] virtual bool has_horizon(std::int64_t /*now*/) const { return false; }
  /// Defers the job.
  virtual void put_off(const PlacementRequest&, std::int64_t /*target*/, std::int64_t /*now*/) {}

  /// Returns true if the slot is the one that the search would find if all plans were made. Otherwise it makes the plans that
  /// could be in the way, and the search must be repeated.
  [[nodiscard]] virtual bool is_settled(const Slot&, std::int64_t /*now*/) { return true; }
  /// Records that a job which was not deferred has been placed on the machine.
  virtual void disturb(std::int64_t /*machine*/) {}

  /// Returns a time before which no deferred job starts; kNever if there is none.
  [[nodiscard]] std::int64_t wake() const { return wake_; }
  /// Makes all plans that start before the horizon.
  virtual void plan_to_horizon(std::int64_t /*now*/) {}

  /// Returns true if the machine of some deferred job has not been decided yet.
  [[nodiscard]] virtual bool leaves_machines_open() const { return false; }
  /// Returns true if a deferred job may go to this machine.
  [[nodiscard]] virtual bool may_fill(std::int64_t /*machine*/) const { return false; }
  /// Plans the first job of each list.
  virtual void plan_first(std::int64_t /*now*/) {}

 protected:
  /// Returns true if a plan that was made while this slot was being checked has taken the slot.
  [[nodiscard]] bool is_taken(const Slot* asked) const {
    return asked != nullptr && !board_.starts.is_free(*asked);
  }

  Board& board_;
  std::int64_t wake_ = kNever;
};

/// Returns the kind of deferral that suits the policy.
[[nodiscard]] std::unique_ptr<Deferral> make_deferral(Board& board);

}  // namespace holdfast::capacity
