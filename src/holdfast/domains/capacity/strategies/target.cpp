#include "holdfast/domains/capacity/strategies/target.hpp"

#include <algorithm>
#include <cassert>

namespace holdfast::capacity {

Target::Target(Room& room, TargetRules rules)
    : room_{room},
      rules_{rules},
      search_{rules.author                       ? &Target::choose_by_author
              : rules.kind == TargetKind::packed ? &Target::choose_in_pack
                                                 : &Target::choose_by_text},
      availability_(static_cast<std::size_t>(room.instance().machines)),
      plans_on_(availability_.size(), 0),
      marks_(availability_.size(), 0),
      shown_(availability_.size(), 0),
      bounds_(room.tasks(), availability_.size(), room.instance().begin,
              rules.author && rules.kind == TargetKind::stretch ? 1 : StartBounds::kMostLengths),
      openings_(bounds_, availability_),
      waiting_(room.tasks().size()),
      by_horizon_{rules.author && rules.kind != TargetKind::stretch} {
  const auto machines = static_cast<std::int64_t>(availability_.size());
  // Further, or more, than there are makes no difference.
  rules_.distance = std::min(rules.distance, machines);
  rules_.pack = std::min(rules.pack, machines + 1);
  lane_width_ = by_horizon_ ? machines + 1 : rules.kind == TargetKind::packed ? rules_.pack : 1;
  has_queues_ = !by_horizon_ && lane_width_ == 1;
  if (has_queues_) {
    queues_.resize(availability_.size());
    stairs_ = Staircases(availability_.size(), bounds_.core_classes());
  } else {
    for (std::int64_t m = 0; m < machines; ++m) {
      if (m % lane_width_ == 0) lanes_.emplace_back(m, lane_width_);
      lane_index_.push_back(lanes_.size() - 1);
    }
  }
  for (const Task& task : room.tasks()) widest_ = std::max(widest_, task.cores);
  wishes_.reserve(room.tasks().size());
  for (std::size_t task = 0; task < room.tasks().size(); ++task) wishes_.push_back(wish_of(task));
}

void Target::open(std::int64_t now) {
  used_ = std::min(room_.instance().safe_machines, room_.alive_count());
  // With no safe machine the text says nothing: one is in use as soon as one is alive.
  if (used_ == 0 && room_.alive_count() > 0) used_ = 1;
  for (std::int64_t m = 0; m < room_.instance().machines; ++m) rebuild(m, now);
}

void Target::resume(std::int64_t now, std::int64_t used, double largest_stretch) {
  used_ = used;
  largest_stretch_ = largest_stretch;
  for (std::int64_t m = 0; m < room_.instance().machines; ++m) rebuild(m, now);
}

void Target::add_plan(std::size_t task, std::int64_t machine, std::int64_t start) {
  waiting_.insert(task);
  keep_plan(task, machine, start);
}

void Target::keep_plan(std::size_t task, std::int64_t machine, std::int64_t start) {
  reserve(machine, start, task);
  ++plans_on_[static_cast<std::size_t>(machine)];
  note_plan(task, machine, start);
}

void Target::note_soon(const Plan& plan) {
  plans_.push_back(plan);
  if (!is_filling_) std::push_heap(plans_.begin(), plans_.end(), later());
}

void Target::reserve(std::int64_t machine, std::int64_t start, std::size_t task) {
  const Wish& wish = wishes_[task];
  availability_[static_cast<std::size_t>(machine)].reserve(start, start + wish.length, wish.cores);
  openings_.touch(machine, start);
}

bool Target::is_free(std::int64_t machine, std::int64_t start, std::int64_t length,
                     std::int64_t cores) const {
  return availability_[static_cast<std::size_t>(machine)].is_free(start, cores, length);
}

void Target::place(const Wish& wish, Choice choice, std::int64_t now) {
  assert(choice.machine >= 0);
  if (choice.start == kLater) return put_off(wish, choice.machine, now);
  if (looks_empty(choice.machine)) --empty_;
  if (has_queues_) {
    queue_of(choice.machine).forget_end();
  } else {
    lane_of(choice.machine).forget_tail();
  }
  if (rules_.author) {
    largest_stretch_ = std::max(largest_stretch_, stretch_at(wish, choice.start));
  }
  if (choice.start > now) return keep_plan(wish.task, choice.machine, choice.start);
  AvailabilityProfile& availability = availability_[static_cast<std::size_t>(choice.machine)];
  static_cast<void>(availability.free_at(now));  // drops what is over
  reserve(choice.machine, now, wish.task);
  waiting_.erase(wish.task);
  room_.start(wish.task, choice.machine, now);
  if (rules_.author) show(choice.machine, now);
}

void Target::start_planned(std::int64_t now) {
  plan_due(now);
  while (!plans_.empty() && plans_.front().start == now) {
    std::pop_heap(plans_.begin(), plans_.end(), later());
    const Plan plan = plans_.back();
    plans_.pop_back();
    waiting_.erase(plan.task);
    --plans_on_[static_cast<std::size_t>(plan.machine)];
    room_.start(plan.task, plan.machine, now);
    if (!rules_.author) continue;
    show(plan.machine, now);
    update_use_by_author(now);
  }
}

void Target::on_end(const Room::Ended& ended, std::int64_t now) {
  if (rules_.author) {
    show(ended.machine, now);
    update_use_by_author(now);
    return;
  }
  const Wish& wish = wishes_[ended.task];
  largest_stretch_ = std::max(largest_stretch_, stretch_at(wish, now - wish.length));
}

void Target::before_arrivals(bool has_ends, std::int64_t now) {
  if (has_ends && !rules_.author) update_use(now);
}

void Target::on_arrival(std::size_t task, std::int64_t now) {
  waiting_.insert(task);
  if (room_.alive_count() == 0) return;
  if (rules_.author && room_.task(task).is_carried_in()) return carry_in(task, now);
  const std::int64_t before = waiting_.size();
  place(wishes_[task], (this->*search_)(wishes_[task], now, rules_.defers), now);
  if (!rules_.author) {
    update_use(now);
  } else if (waiting_.size() < before) {
    update_use_by_author(now);  // at every start
  }
}

void Target::on_added(std::span<const std::int64_t> machines, std::int64_t before,
                      std::int64_t now) {
  for (const std::int64_t machine : machines) rebuild(machine, now);
  if (before == 0) {
    used_ =
        std::max<std::int64_t>(1, std::min(room_.instance().safe_machines, room_.alive_count()));
    return reallocate({}, now);
  }
  if (rules_.author) {
    update_use_by_author(now);
    reallocate({}, now);
    release_marks(now);
  } else if (used_ == before && tendency(used_, now) > 0) {
    update_use(now);
    reallocate({}, now);
  }
}

void Target::on_removed(std::span<const std::int64_t> machines, std::span<const std::size_t> killed,
                        std::int64_t now) {
  for (const std::int64_t machine : machines) rebuild(machine, now);
  used_ = std::min(used_, room_.alive_count());
  reallocate(killed, now);
  if (room_.alive_count() == 0) return;
  if (rules_.author) {
    release_marks(now);
  } else {
    update_use(now);
  }
}

// All plans are dropped; killed and waiting tasks are placed anew, in order of release.
void Target::reallocate(std::span<const std::size_t> killed, std::int64_t now) {
  plans_.clear();
  later_.clear();
  later_wake_ = kNever;
  for (Queue& queue : queues_) queue.clear();
  for (Lane& lane : lanes_) lane.clear();
  wake_ = kNever;
  // Most likely the next change comes as soon as this one came after the last.
  horizon_ = last_change_ < now ? now + (now - last_change_) + 2 : 0;
  last_change_ = now;
  for (const std::size_t task : killed) {
    waiting_.insert(task);
    wishes_[task] = wish_of(task);  // it begins again with its full length
  }
  backlog_.clear();
  if (room_.alive_count() > 0) waiting_.list(backlog_);
  for (std::int64_t m = 0; m < room_.instance().machines; ++m) {
    const bool had_plans = plans_on_[static_cast<std::size_t>(m)] > 0;
    plans_on_[static_cast<std::size_t>(m)] = 0;
    marks_[static_cast<std::size_t>(m)] = 0;
    if (had_plans) rebuild(m, now);
  }
  count_empty();
  if (rules_.kind != TargetKind::stretch) {
    openings_.open(now, by_horizon_ ? horizon_ : now + 1, used_, rules_.distance);
  }
  is_filling_ = true;
  place_backlog(now);
  is_filling_ = false;
  std::make_heap(plans_.begin(), plans_.end(), later());
  if (!rules_.author) return;
  for (std::int64_t m = 0; m < room_.instance().machines; ++m) show(m, now);
}

void Target::place_backlog(std::int64_t now) {
  if (rules_.defers && used_ > 0 && rules_.kind == TargetKind::stretch) return queue_backlog(now);
  if (rules_.defers && used_ > 0 && by_horizon_ && now + 1 < horizon_) return lane_backlog(now);
  for (const std::size_t task : backlog_) {
    place(wishes_[task], (this->*search_)(wishes_[task], now, rules_.defers), now);
  }
}

void Target::count_empty() {
  empty_ = 0;
  for (std::int64_t m = 0; m < used_; ++m) empty_ += looks_empty(m) ? 1 : 0;
}

void Target::rebuild(std::int64_t machine, std::int64_t now) {
  AvailabilityProfile& availability = availability_[static_cast<std::size_t>(machine)];
  ends_.clear();
  for (const Room::Running& run : room_.running(machine)) {
    ends_.emplace_back(run.end, room_.task(run.task).cores);
  }
  std::sort(ends_.begin(), ends_.end());
  availability.reset(now, room_.free(machine));
  for (const auto& [end, cores] : ends_) availability.release(end, cores);
  bounds_.clear(static_cast<std::size_t>(machine));
  if (has_queues_) stairs_.clear(static_cast<std::size_t>(machine));
  openings_.forget(machine);
}

// The author's rule for jobs that run when the window opens: the first machine in use where they start at once, or not
// at all; machine 0 then counts as full until the next re-allocation.
void Target::carry_in(std::size_t task, std::int64_t now) {
  const Wish& wish = wishes_[task];
  for (std::int64_t m = 0; m < used_; ++m) {
    if (!can_start(wish, m, now)) continue;
    place(wish, {m, now}, now);
    update_use_by_author(now);
    return;
  }
  waiting_.erase(task);
  ++dropped_;
  ++marks_[0];
}

// What the author's evaluations see of a machine is as of the last start or end there: at an instant at which several
// runs end on one machine, the first end shows them all, and the starts of that instant too.
void Target::show(std::int64_t machine, std::int64_t now) {
  const auto m = static_cast<std::size_t>(machine);
  shown_[m] = room_.instance().cores - availability_[m].free_at(now);
}

double Target::use_of(std::int64_t machine) const {
  const auto m = static_cast<std::size_t>(machine);
  // Without a branch on the machine: of dozens at each event some are full and some are not.
  const bool is_full = (plans_on_[m] | marks_[m]) != 0;
  const std::int64_t cores = room_.instance().cores;
  if (rules_.author) {
    return static_cast<double>(is_full ? cores : shown_[m]) / static_cast<double>(cores);
  }
  return 1 - static_cast<double>(is_full ? 0 : room_.free(machine)) / static_cast<double>(cores);
}

// +1: more machines should be used, -1: fewer, 0: as many. A task on a lane makes the machine that it will go to count
// as full: where that could change the answer, plans are made until it cannot.
int Target::tendency(std::int64_t least, std::int64_t now) {
  const auto answer = [&](double sum) {
    const double use = sum / static_cast<double>(used_);
    if (use < rules_.shrink_below && used_ > least) return -1;
    return use > rules_.grow_above && used_ < room_.alive_count() ? 1 : 0;
  };
  if (wake_ == kNever || has_queues_) {
    double sum = 0;
    for (std::int64_t m = 0; m < used_; ++m) sum += use_of(m);
    return answer(sum);
  }
  for (;;) {
    double low = 0, high = 0;
    for (std::int64_t m = 0; m < used_; ++m) {
      const double use = use_of(m);
      const Prospect prospect = use == 1 ? Prospect::none : prospect_of(m, now);
      low += prospect == Prospect::sure ? 1 : use;
      high += prospect == Prospect::none ? use : 1;
    }
    if (answer(low) == answer(high)) return answer(low);
    for (Lane& lane : lanes_) plan_next(lane, now);
  }
}

void Target::update_use(std::int64_t now) {
  const std::int64_t alive = room_.alive_count();
  used_ = std::min(used_, alive);
  if (used_ == 0) return;
  const std::int64_t least =
      std::max<std::int64_t>(1, std::min(room_.instance().safe_machines, alive));
  const int first = tendency(least, now);
  for (int next = first; first != 0 && next == first; next = tendency(least, now)) used_ += first;
}

bool Target::update_use_by_author(std::int64_t now) {
  const std::int64_t least = std::max<std::int64_t>(1, room_.instance().safe_machines);
  // His loop can go back and forth for ever with few machines; here it stops where it would turn.
  const int first = tendency(least, now);
  for (int next = first; first != 0 && next == first; next = tendency(least, now)) {
    used_ += first;
    if (used_ == (first < 0 ? least : room_.alive_count())) return false;
  }
  return first == 0;
}

// After a re-allocation every running task is treated as one that is about to start: its machine counts as full until
// it is released, machine by machine, with an evaluation after each. M_use jumps up, then shrinks to the first value
// with enough use.
void Target::release_marks(std::int64_t now) {
  const std::int64_t machines = room_.instance().machines;
  for (std::int64_t m = 0; m < machines; ++m) {
    marks_[static_cast<std::size_t>(m)] = static_cast<std::int64_t>(room_.running(m).size());
  }
  bool is_settled = update_use_by_author(now);
  for (std::int64_t m = 0; m < machines; ++m) {
    for (std::int64_t& left = marks_[static_cast<std::size_t>(m)]; left > 0;) {
      --left;
      // As long as the machine counts as full, an evaluation that changed nothing would change nothing again.
      if (left == 0 || !is_settled) is_settled = update_use_by_author(now);
    }
  }
}

}  // namespace holdfast::capacity
