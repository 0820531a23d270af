#pragma once

#include "holdfast/domains/capacity/placement/deferral.hpp"
#include "holdfast/domains/capacity/placement/lane.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// Deferral with lanes, which are lists of jobs that may each go to one of several machines. This is the base of both kinds.
class LaneDeferral : public Deferral {
 public:
  /// @param width  number of machines of a lane; the last lane may have fewer
  LaneDeferral(Board& board, std::int64_t width);

  void clear() override;
  [[nodiscard]] bool is_settled(const Slot& slot, std::int64_t now) override;
  void plan_to_horizon(std::int64_t now) override;
  [[nodiscard]] bool leaves_machines_open() const override { return wake_ != kNever; }
  [[nodiscard]] bool may_fill(std::int64_t machine) const override;
  void plan_first(std::int64_t now) override;

 protected:
  /// Returns where the job goes according to the plans made so far, if it starts before `best`.
  [[nodiscard]] virtual Choice choose(Lane& lane, std::size_t at, Choice best,
                                      std::int64_t now) = 0;
  /// Returns the machine on which jobs must be settled before a slot there is accepted, or Lane::kAll.
  [[nodiscard]] virtual std::int64_t settled_on(std::int64_t machine) const = 0;

  [[nodiscard]] Lane& lane_of(std::int64_t machine) {
    return lanes_[lane_index_[static_cast<std::size_t>(machine)]];
  }
  void push(const PlacementRequest& request, const Vicinity& machines, std::int64_t wake) {
    lane_of(machines.center)
        .push({.bounds = request.bounds,
               .length = request.length,
               .task = request.task,
               .cores = request.cores,
               .machines = machines},
              wake);
    wake_ = std::min(wake_, wake);
  }

 private:
  [[nodiscard]] bool may_start_before(std::int64_t time, std::int64_t machine,
                                      const Lane::Entry& entry) const;
  [[nodiscard]] Choice start_before(std::int64_t time, std::int64_t machine, Lane& lane,
                                    std::size_t at, std::int64_t now);
  void plan(Lane& lane, std::size_t at, Choice choice);
  bool settle(Lane& lane, std::size_t until, std::int64_t time, std::int64_t machine,
              const Slot* asked, std::int64_t now);
  [[nodiscard]] bool is_settled_before(Lane& lane, std::size_t at, const Slot& slot,
                                       std::int64_t now);

  std::vector<Lane> lanes_;
  std::vector<std::size_t> lane_index_;  // by machine
};

/// Deferral with a lane for each pack of machines. A job is deferred once it is certain that it will wait for the pack of its
/// target.
class PackDeferral final : public LaneDeferral {
 public:
  explicit PackDeferral(Board& board) : LaneDeferral{board, board.rules.pack} {}

  bool surely_starts_by(std::int64_t latest, const PlacementRequest& request, std::int64_t target,
                        std::int64_t now) override;
  void put_off(const PlacementRequest& request, std::int64_t target, std::int64_t now) override;

 private:
  [[nodiscard]] Choice choose(Lane& lane, std::size_t at, Choice best, std::int64_t now) override;
  [[nodiscard]] std::int64_t settled_on(std::int64_t) const override { return Lane::kAll; }
};

/// Deferral with one lane for all machines. A job is deferred if it starts on no machine near its target before the next
/// expected change of the capacity. Policies that compare all nearby machines need not know more about it before then.
class HorizonDeferral final : public LaneDeferral {
 public:
  explicit HorizonDeferral(Board& board)
      : LaneDeferral{board, board.room.instance().machines + 1} {}

  std::size_t set_aside(std::span<const std::size_t> backlog, const Scale& scale, double limit,
                        std::int64_t now) override;
  [[nodiscard]] bool has_horizon(std::int64_t now) const override {
    return now + 1 < board_.horizon;
  }
  void put_off(const PlacementRequest& request, std::int64_t target, std::int64_t now) override;

 private:
  [[nodiscard]] Choice choose(Lane& lane, std::size_t at, Choice best, std::int64_t now) override;
  [[nodiscard]] std::int64_t settled_on(std::int64_t machine) const override { return machine; }
};

}  // namespace holdfast::capacity
