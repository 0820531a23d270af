#pragma once

#include "holdfast/domains/capacity/placement/availability_profile.hpp"
#include "holdfast/domains/capacity/placement/lane.hpp"
#include "holdfast/domains/capacity/placement/openings.hpp"
#include "holdfast/domains/capacity/placement/queue.hpp"
#include "holdfast/domains/capacity/placement/staircases.hpp"
#include "holdfast/domains/capacity/placement/start_bounds.hpp"
#include "holdfast/domains/capacity/placement/task_set.hpp"
#include "holdfast/domains/capacity/strategy.hpp"

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
  /// A start so much sooner than latest_start() is within the limit, rounding or not.
  static constexpr std::int64_t kRounding = 2;
  struct Plan {
    std::int64_t start;
    std::uint32_t task;
    std::int32_t machine;
  };
  /// Plans in the order in which they come due, the last first: that of a heap.
  struct Later {
    bool by_machine;  // among equal starts: by machine (author), then by task
    bool operator()(const Plan& a, const Plan& b) const {
      if (a.start != b.start) return a.start > b.start;
      if (by_machine && a.machine != b.machine) return a.machine > b.machine;
      return a.task > b.task;
    }
  };
  /// What the searches need to know of a task, side by side: backlogs of thousands are gone through at each change.
  struct Wish {
    StartBounds::Row bounds;  // by machine: no start before
    StartBounds::Place place;
    std::int64_t length;  // of its next run
    double full_length;
    double due;  // it ends at its release if it starts then
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
  // No later start keeps the stretch within the limit. The test itself is the quotient, stretch_at().
  [[nodiscard]] static std::int64_t latest_start(const Wish& wish, double limit) {
    return static_cast<std::int64_t>(wish.due + limit * wish.full_length) + 1;
  }
  /// From categories to the machines in use.
  struct Scale {
    double count;
    std::int64_t last;
    std::int64_t unit;
    [[nodiscard]] std::int64_t target_of(const Wish& wish) const {
      return unit * std::min(last, static_cast<std::int64_t>(wish.category * count));
    }
  };
  [[nodiscard]] Scale scale() const {
    const bool in_packs = rules_.kind == TargetKind::packed && rules_.author;
    const std::int64_t count = in_packs ? std::max<std::int64_t>(1, used_ / rules_.pack) : used_;
    return {static_cast<double>(count), count - 1, in_packs ? rules_.pack : 1};
  }
  [[nodiscard]] std::int64_t target_of(const Wish& wish) const {
    const std::int64_t target = scale().target_of(wish);
    return rules_.kind == TargetKind::packed && !rules_.author ? target - target % rules_.pack
                                                               : target;
  }
  [[nodiscard]] std::int64_t known_start(const Wish& wish, std::int64_t machine, std::int64_t now,
                                         std::int64_t limit, std::int64_t not_before = 0);
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
  void note_plan(std::size_t task, std::int64_t machine, std::int64_t start) {
    const auto number = static_cast<std::uint32_t>(task);
    const auto where = static_cast<std::int32_t>(machine);
    if (start < horizon_) return note_soon({start, number, where});
    later_.emplace_back(start, number, where);
    later_wake_ = std::min(later_wake_, start);
  }
  void note_soon(const Plan& plan);
  [[nodiscard]] Later later() const { return {rules_.author}; }
  void put_off(const Wish& wish, std::int64_t machine, std::int64_t now);
  [[nodiscard]] bool surely_starts_by(std::int64_t latest, const Wish& wish, std::int64_t machine,
                                      std::int64_t now);
  /// Where a task would run.
  struct Slot {
    std::int64_t machine;
    std::int64_t start;
    std::int64_t length;
    std::int64_t cores;
  };
  /// Has one of the plans that were made for its sake taken the slot?
  [[nodiscard]] bool is_taken(const Slot* asked) const {
    return asked != nullptr && !is_free(asked->machine, asked->start, asked->length, asked->cores);
  }
  [[nodiscard]] bool is_settled(const Slot& slot, std::int64_t now);
  void plan_due(std::int64_t now);
  void take_later();
  [[nodiscard]] std::int64_t look_ahead(std::int64_t time, std::int64_t now) const;

  // Tasks that wait for one machine: target_queues.cpp.
  [[nodiscard]] Queue& queue_of(std::int64_t machine) {
    return queues_[static_cast<std::size_t>(machine)];
  }
  [[nodiscard]] bool surely_starts_on(std::int64_t machine, std::int64_t time, std::int64_t cores,
                                      std::int64_t now) {
    Queue& queue = queue_of(machine);
    if (!queue.has_end()) {
      queue.set_end(availability_[static_cast<std::size_t>(machine)].end_of(widest_, now));
    }
    return now <= time && queue.surely_starts_by(time, cores, room_.instance().cores);
  }
  void put_on_queue(const Wish& wish, std::int64_t machine, std::int64_t wake) {
    queue_of(machine).push({wish.length, wish.task, wish.cores, wish.place}, wake);
    ++plans_on_[static_cast<std::size_t>(machine)];
    wake_ = std::min(wake_, wake);
  }
  void queue_backlog(std::int64_t now);
  [[nodiscard]] std::int64_t start_on(std::int64_t machine, const StartBounds::Place& place,
                                      std::int64_t cores, std::int64_t length, std::int64_t from,
                                      std::int64_t limit);
  void plan(std::int64_t machine, std::size_t at, std::int64_t start);
  void plan_until(std::int64_t machine, std::size_t until, std::int64_t now);
  bool settle(std::int64_t machine, std::size_t until, std::int64_t time, const Slot* asked,
              std::int64_t now);
  [[nodiscard]] bool is_settled(std::int64_t machine, std::size_t at, const Slot& slot,
                                std::int64_t now);

  // Tasks that wait for one of several machines: target_lanes.cpp.
  [[nodiscard]] Lane& lane_of(std::int64_t machine) {
    return lanes_[lane_index_[static_cast<std::size_t>(machine)]];
  }
  [[nodiscard]] const Lane& lane_of(std::int64_t machine) const {
    return lanes_[lane_index_[static_cast<std::size_t>(machine)]];
  }
  void lane_backlog(std::int64_t now);
  [[nodiscard]] Lane::Entry entry_of(const Wish& wish, std::int64_t machine) const {
    return {.bounds = wish.bounds,
            .length = wish.length,
            .task = wish.task,
            .cores = wish.cores,
            .used = static_cast<std::int32_t>(used_),
            .from = static_cast<std::int32_t>(machine)};
  }
  void put_on_lane(const Wish& wish, std::int64_t machine, std::int64_t wake) {
    lane_of(machine).push(entry_of(wish, machine), wake);
    wake_ = std::min(wake_, wake);
  }
  [[nodiscard]] bool surely_starts_in_pack(std::int64_t machine, std::int64_t time,
                                           std::int64_t now);
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> machines_of(const Lane& lane,
                                                                  const Lane::Entry& entry) const;
  [[nodiscard]] bool may_start_before(std::int64_t time, std::int64_t machine, const Lane& lane,
                                      const Lane::Entry& entry) const;
  [[nodiscard]] Choice start_before(std::int64_t time, std::int64_t machine, const Lane& lane,
                                    std::size_t at, std::int64_t now);
  [[nodiscard]] Choice choose_on_lane(Lane& lane, std::size_t at, Choice best, std::int64_t now);
  void plan(Lane& lane, std::size_t at, Choice choice);
  void keep_plan(std::size_t task, std::int64_t machine, std::int64_t start);
  enum class Prospect : std::uint8_t { none, open, sure };
  [[nodiscard]] Prospect prospect_of(std::int64_t machine, std::int64_t now) const;
  void plan_next(Lane& lane, std::int64_t now);
  bool settle(Lane& lane, std::size_t until, std::int64_t time, std::int64_t machine,
              const Slot* asked, std::int64_t now);
  [[nodiscard]] bool is_settled(Lane& lane, std::size_t at, const Slot& slot, std::int64_t now);
  [[nodiscard]] std::int64_t start_in_pack(const Lane& lane, const Wish& wish, std::int64_t now,
                                           std::int64_t limit) const;
  void count_empty();
  void place_backlog(std::int64_t now);
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
  std::vector<AvailabilityProfile> availability_;
  std::int64_t empty_ = 0;  // while a re-allocation goes on: machines in use with nothing on them
  std::vector<std::int64_t> plans_on_;  // tasks that are to start there: planned or in its queue
  std::vector<std::int64_t> marks_;     // reasons to count a machine as full (author)
  std::vector<std::int64_t> shown_;     // busy cores as the author's evaluations see them
  StartBounds bounds_;
  // Finer, where tasks wait in queues and one machine is asked after another; else empty.
  Staircases stairs_{0, 0};
  std::vector<Wish> wishes_;  // by task
  Openings openings_;
  std::vector<Plan> plans_;  // a heap by Later, but while a re-allocation fills it
  std::vector<Plan> later_;  // those beyond the horizon, in no order: most are dropped unread
  std::int64_t later_wake_ = kNever;  // the first of them starts then
  bool is_filling_ = false;
  TaskSet waiting_;          // planned, in queues, on lanes, or with no machine alive
  bool by_horizon_;          // one lane, for the author's ASAP
  std::int64_t lane_width_;  // machines of a lane
  bool has_queues_;          // one for each machine, and no lanes
  std::vector<Queue> queues_;
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
