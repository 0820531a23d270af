#pragma once

#include "holdfast/domains/capacity/openings.hpp"
#include "holdfast/domains/capacity/skyline.hpp"
#include "holdfast/domains/capacity/start_bounds.hpp"
#include "holdfast/domains/capacity/strategies/lane.hpp"
#include "holdfast/domains/capacity/strategy.hpp"
#include "holdfast/domains/capacity/task_set.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace holdfast::capacity {

enum class TargetKind : std::uint8_t { stretch, asap, packed };

struct TargetRules {
  TargetKind kind = TargetKind::asap;
  std::int64_t distance = 10;  ///< D+
  std::int64_t pack = 5;       ///< machines of a pack (kind packed)
  double grow_above = 0.95;    ///< M_use grows while the mean use is above ...
  double shrink_below = 0.8;   ///< ... and shrinks while it is below
  bool defers = true;  ///< puts off plans that nothing depends on yet; the same runs, sooner
  bool author =
      false;  ///< the author's searches, order of evaluations and treatment of carried-in jobs
};

/// The three risk-aware policies: a job's category gives the machine it should run on, long jobs on safe machines; it may
/// wait there, or go to a machine near by. The number of machines in use follows the load.
/// Source: Perotin's thesis, sections 4.5.3 to 4.5.5; specification 3.3 to 3.5 and 3.8.
class Target final : public Strategy {
 public:
  Target(Room& room, TargetRules rules);

  void open(std::int64_t now) override;
  void on_end(const Room::Ended& ended, std::int64_t now) override;
  void on_added(std::span<const std::int64_t> machines, std::int64_t before,
                std::int64_t now) override;
  void on_removed(std::span<const std::int64_t> machines, std::span<const std::size_t> killed,
                  std::int64_t now) override;
  std::int64_t next_planned() override {
    return std::min({wake_, later_wake_, plans_.empty() ? kNever : plans_.front().start});
  }
  void start_planned(std::int64_t now) override;
  void before_arrivals(bool has_ends, std::int64_t now) override;
  void on_arrival(std::size_t task, std::int64_t now) override;
  std::int64_t waiting() const override { return waiting_.size(); }
  std::int64_t dropped() const override { return dropped_; }

  struct Choice {
    std::int64_t machine = -1;  ///< -1: none is alive
    std::int64_t start = kNever;
  };
  /// Where a task would go now, without placing it.
  [[nodiscard]] Choice choose(std::size_t task, std::int64_t now);
  /// floor(C M_use), at most M_use - 1; for packed, the first machine of its pack.
  [[nodiscard]] std::int64_t target_of(std::size_t task) const { return target_of(wishes_[task]); }

  /// Sets up a live state instead of open(): machines in use, largest stretch, and jobs planned or running.
  void resume(std::int64_t now, std::int64_t used, double largest_stretch);
  void add_plan(std::size_t task, std::int64_t machine, std::int64_t start);
  /// Are the cores free on the machine on [start, start + length)?
  [[nodiscard]] bool is_free(std::int64_t machine, std::int64_t start, std::int64_t length,
                             std::int64_t cores) const;

 private:
  /// The start of a choice that may be put off: after now, and found when something depends on it.
  static constexpr std::int64_t kLater = kNever - 1;
  struct Plan {
    std::int64_t start;
    std::int64_t order;  // among equal starts: task, or machine (author)
    std::size_t task;
    std::int64_t machine;
    bool operator>(const Plan& other) const {
      if (start != other.start) return start > other.start;
      if (order != other.order) return order > other.order;
      return task > other.task;
    }
  };
  /// What the searches need to know of a task, side by side: backlogs of thousands are gone through at each change.
  struct Wish {
    StartBounds::Row bounds;  // by machine: no start before
    StartBounds::Place place;
    std::int64_t length;  // of its next run
    std::int64_t full_length;
    std::int64_t release;
    double category;
    std::int32_t cores;
    std::uint32_t task;
  };
  /// The turn of a task that waits on a lane: its search begins where it was known not to start before.
  struct Turn {
    const Lane* lane = nullptr;
    std::size_t at = 0;
    [[nodiscard]] std::int64_t not_before(std::int64_t machine) const {
      return lane == nullptr ? 0 : lane->settled_at(at, machine);
    }
  };
  /// Which of two machines with the same earliest start is taken.
  enum class Ties : std::uint8_t { nearest, lowest };

  [[nodiscard]] Wish wish_of(std::size_t task) const;
  [[nodiscard]] static double stretch_at(const Wish& wish, std::int64_t start);
  [[nodiscard]] static std::int64_t latest_start(const Wish& wish, double limit);
  [[nodiscard]] std::int64_t target_of(const Wish& wish) const;
  [[nodiscard]] std::int64_t known_start(const Wish& wish, std::int64_t machine, std::int64_t now,
                                         std::int64_t limit, std::int64_t not_before = 0,
                                         std::int64_t asked_until = kNever);
  [[nodiscard]] std::int64_t earliest(const Wish& wish, std::int64_t machine, std::int64_t now,
                                      std::int64_t limit = kNever);
  [[nodiscard]] bool can_start(const Wish& wish, std::int64_t machine, std::int64_t now);
  void reserve(std::int64_t machine, std::int64_t start, std::size_t task);
  [[nodiscard]] bool looks_empty(std::int64_t machine) const;
  [[nodiscard]] std::int64_t first_startable(const Wish& wish, std::int64_t from, std::int64_t now);
  [[nodiscard]] Choice smallest_known_start(const Wish& wish, std::int64_t from, Choice best,
                                            Ties ties, std::int64_t now, Turn turn);
  [[nodiscard]] Choice smallest_start(const Wish& wish, std::int64_t from, Choice best, Ties ties,
                                      std::int64_t now);
  [[nodiscard]] Choice choose_by_text(const Wish& wish, std::int64_t now, bool may_put_off);
  [[nodiscard]] Choice choose_in_pack(const Wish& wish, std::int64_t now, bool may_put_off);
  [[nodiscard]] std::int64_t accepted_start(const Wish& wish, std::int64_t machine,
                                            std::int64_t latest, double limit, std::int64_t now,
                                            bool may_put_off);
  [[nodiscard]] Choice choose_by_author(const Wish& wish, std::int64_t now, bool may_put_off);

  void place(const Wish& wish, Choice choice, std::int64_t now);
  // Plans that are put off: target_lanes.cpp.
  [[nodiscard]] Lane& lane_of(std::int64_t machine) {
    return lanes_[lane_index_[static_cast<std::size_t>(machine)]];
  }
  [[nodiscard]] const Lane& lane_of(std::int64_t machine) const {
    return lanes_[lane_index_[static_cast<std::size_t>(machine)]];
  }
  [[nodiscard]] bool surely_starts_by(std::int64_t latest, const Wish& wish, std::int64_t machine,
                                      std::int64_t now);
  [[nodiscard]] bool fits_by_area(Lane& lane, std::int64_t limit, std::int64_t cores,
                                  std::int64_t now) const;
  [[nodiscard]] bool surely_waits(const Wish& wish, std::int64_t target, std::int64_t now);
  void put_off(const Wish& wish, std::int64_t machine, std::int64_t now);
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> machines_of(const Lane& lane,
                                                                  const Lane::Entry& entry) const;
  [[nodiscard]] bool may_start_before(std::int64_t time, std::int64_t machine, const Lane& lane,
                                      const Lane::Entry& entry) const;
  [[nodiscard]] bool would_start_before(std::int64_t time, std::int64_t machine, const Lane& lane,
                                        std::size_t at, std::int64_t now);
  [[nodiscard]] Choice choose_on_lane(Lane& lane, std::size_t at, std::int64_t limit,
                                      std::int64_t now);
  void plan(Lane& lane, std::size_t at, Choice choice);
  void plan_until(Lane& lane, std::size_t until, std::int64_t now);
  void keep_plan(std::size_t task, std::int64_t machine, std::int64_t start);
  enum class Prospect : std::uint8_t { none, open, sure };
  [[nodiscard]] Prospect prospect_of(std::int64_t machine, std::int64_t now) const;
  void plan_next(Lane& lane, std::int64_t now);
  /// Where a task would run.
  struct Slot {
    std::int64_t machine;
    std::int64_t start;
    std::int64_t length;
    std::int64_t cores;
  };
  bool settle(Lane& lane, std::size_t until, std::int64_t time, std::int64_t machine,
              const Slot* asked, std::int64_t now);
  [[nodiscard]] bool is_settled(Lane& lane, std::size_t at, const Slot& slot, std::int64_t now);
  [[nodiscard]] std::int64_t start_on(const Lane& lane, const Wish& wish, std::int64_t used,
                                      std::int64_t now) const;
  void plan_due(std::int64_t now);
  void take_later();
  void count_empty();
  void reallocate(std::span<const std::size_t> killed, std::int64_t now);
  void rebuild(std::int64_t machine, std::int64_t now);
  void carry_in(std::size_t task, std::int64_t now);

  [[nodiscard]] double use_of(std::int64_t machine) const;
  [[nodiscard]] int tendency(std::int64_t least, std::int64_t now);
  void update_use(std::int64_t now);
  /// Tells whether nothing had to change.
  bool update_use_by_author(std::int64_t now);
  void release_marks(std::int64_t now);
  void show(std::int64_t machine, std::int64_t now);

  Room& room_;
  TargetRules rules_;
  Choice (Target::*search_)(const Wish&, std::int64_t, bool);  // by kind and profile
  std::int64_t used_ = 0;                                      // M_use
  double largest_stretch_ = 1;                                 // S+
  std::vector<Skyline> skylines_;
  std::int64_t empty_ = 0;  // while a re-allocation goes on: machines in use with nothing on them
  std::vector<std::int64_t> plans_on_;  // planned tasks that have not started, per machine
  std::vector<std::int64_t> marks_;     // reasons to count a machine as full (author)
  std::vector<std::int64_t> shown_;     // busy cores as the author's evaluations see them
  StartBounds bounds_;
  std::vector<Wish> wishes_;  // by task
  Openings openings_;
  std::vector<Plan> plans_;  // a heap by Plan::operator>, but while a re-allocation fills it
  std::vector<Plan> later_;  // those beyond the horizon, in no order: most are dropped unread
  std::int64_t later_wake_ = kNever;  // the first of them starts then
  bool is_filling_ = false;
  TaskSet waiting_;          // planned, on lanes, or with no machine alive
  bool by_horizon_;          // one lane, for the author's ASAP
  std::int64_t lane_width_;  // machines of a lane
  std::vector<Lane> lanes_;
  std::vector<std::size_t> lane_index_;                      // by machine
  std::int64_t widest_ = 1;                                  // most cores of a task
  std::int64_t wake_ = kNever;                               // no lane wakes before
  std::int64_t horizon_ = 0;                                 // until then tasks may be put off
  std::int64_t last_change_ = kNever;                        // the last re-allocation
  std::vector<std::size_t> backlog_;                         // scratch of reallocate()
  std::vector<std::pair<std::int64_t, std::int64_t>> ends_;  // scratch of rebuild()
  std::int64_t dropped_ = 0;
};

}  // namespace holdfast::capacity
