#include "holdfast/domains/moldable/list_run.hpp"

#include "holdfast/algorithms/list_schedule.hpp"
#include "holdfast/algorithms/priority_order.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace holdfast::moldable {
namespace {

// The mark of a slot that is held back: it takes no processors, and ends when its job is released.
constexpr std::uint32_t kHeld = std::uint32_t{1} << 31;

// The common part of both clients: the slots, and the record of attempts.
struct Client {
  const std::vector<ListPlan::Slot>& slots;
  std::vector<std::int64_t>& todo;
  std::vector<Attempt>* attempts;
  int batch;

  std::uint32_t processors(std::uint32_t slot) const {
    return (slot & kHeld) != 0 ? 0 : slots[slot].processors;
  }
  // Lets a job join the queue, if that is what has ended.
  template <class Pending>
  bool is_release(Pending& pending, std::uint32_t slot) const {
    if ((slot & kHeld) == 0) return false;
    pending.insert(slot & ~kHeld, slots[slot & ~kHeld].processors);
    return true;
  }

  double start(std::uint32_t index, double now) { return start(index, now, slots[index].time); }
  double start(std::uint32_t index, double now, double lasts) {
    const ListPlan::Slot& slot = slots[index];
    const double end = now + lasts;
    if (attempts != nullptr) {
      attempts->push_back({.job = slot.job,
                           .processors = slot.processors,
                           .start = now,
                           .end = end,
                           .batch = batch});
    }
    return end;
  }

  // An attempt of that slot has been used; the job makes another one if it may.
  template <class Pending>
  void again(Pending& pending, std::uint32_t index) {
    const ListPlan::Slot& slot = slots[index];
    if (--todo[index] > 0) {
      pending.insert(index, slot.processors);
    } else if (slot.next != kNoSlot && todo[slot.next] > 0) {
      pending.insert(slot.next, slots[slot.next].processors);
    }
  }
};

/// Every slot holds the attempts that will be made there.
struct FixedClient : Client {
  template <class Pending>
  void complete(Pending& pending, std::uint32_t slot, double) {
    if (!is_release(pending, slot)) again(pending, slot);
  }
  template <class Pending>
  void settle(Pending&, double) const {}
};

/// Every slot holds the attempts that may be made there; their outcomes are found at their ends, lower
/// jobs first.
struct AdaptiveClient : Client {
  ErrorRealisation& errors;
  ListResult& result;
  std::vector<double>& times;  ///< [jobs] seconds that each job has run in this batch
  std::vector<std::uint32_t> ended = {};

  double duration(const ListPlan::Slot& slot) const {
    return errors.duration(slot.job, slot.processors, slot.time);
  }
  double start(std::uint32_t slot, double now) {
    return Client::start(slot, now, duration(slots[slot]));
  }
  template <class Pending>
  void complete(Pending& pending, std::uint32_t slot, double) {
    if (!is_release(pending, slot)) ended.push_back(slot);
  }
  template <class Pending>
  void settle(Pending& pending, double) {
    std::ranges::sort(ended, {}, [this](std::uint32_t slot) { return slots[slot].job; });
    for (const std::uint32_t slot : ended) {
      const ListPlan::Slot& it = slots[slot];
      const double lasted = duration(it);
      result.area += it.processors * lasted;
      result.longest = std::max(result.longest, times[it.job] += lasted);
      if (!errors.make_attempt(it.job, it.processors, it.time)) again(pending, slot);
    }
    ended.clear();
  }
};

}  // namespace

ListPlan::ListPlan(const State& state, const Allotment& allotment, Priority priority,
                   std::int64_t attempts)
    : releases_{state.releases}, attempts_{attempts}, bound_{allotment.bound} {
  // In order of jobs first; `next` is corrected once the final order is known.
  std::vector<Slot> slots;
  std::vector<double> keys;
  slots.reserve(allotment.runs.size());
  keys.reserve(allotment.runs.size());
  for (std::size_t k = 0; k < state.pending.size(); ++k) {
    const std::uint32_t job = state.pending[k];
    const auto runs = allotment.of(k);
    for (std::size_t part = 0; part < runs.size(); ++part) {
      const bool is_last = part + 1 == runs.size();
      const auto self = static_cast<std::uint32_t>(slots.size());
      slots.push_back({.time = state.jobs[job].time(runs[part].processors),
                       .processors = static_cast<std::uint32_t>(runs[part].processors),
                       .job = job,
                       .next = is_last ? kNoSlot : self + 1,
                       .attempts = runs[part].attempts});
      keys.push_back(priority_key(priority, slots.back().time, slots.back().processors));
    }
  }
  const std::vector<std::uint32_t> order = priority_order(keys);
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;

  slots_.reserve(slots.size());
  for (const std::uint32_t from : order) {
    Slot slot = slots[from];
    if (slot.next != kNoSlot) slot.next = place[slot.next];
    slots_.push_back(slot);
  }
  waiting_.assign(slots_.size(), kNoSlot);
  heads_.reserve(state.pending.size());
  for (std::size_t k = 0; k < state.pending.size(); ++k) {
    heads_.push_back(place[allotment.first[k]]);
    waiting_[heads_.back()] = slots_[heads_.back()].processors;
  }
  const bool is_common =
      heads_.size() == slots_.size() && std::ranges::all_of(slots_, [&](const Slot& slot) {
        return slot.processors == slots_.front().processors;
      });
  if (is_common) common_ = slots_.front().processors;
}

void ErrorRealisation::fix(std::span<const std::int64_t> failures) {
  groups_ = 0;
  strikes_.reset();
  failures_.assign(failures.begin(), failures.end());
  left_.resize(failures.size());
  std::ranges::transform(failures, left_.begin(), [](std::int64_t f) { return f + 1; });
}

void ErrorRealisation::deal(std::size_t jobs, const AdaptiveFailures& adaptive) {
  groups_ = adaptive.groups;
  strikes_.reset();
  failures_.assign(jobs, 0);
  left_.assign(jobs, 1);
  to_succeed_.clear();
  for (std::int64_t i = groups_; i-- > 0;) to_succeed_.push_back(std::int64_t{1} << i);
}

bool ErrorRealisation::deal_next(std::uint32_t job) {
  const std::int64_t attempt = failures_[job];  // counted from 0
  const bool succeeds = attempt >= groups_ || to_succeed_[static_cast<std::size_t>(attempt)]-- > 0;
  if (succeeds) {
    left_[job] = 0;
  } else {
    ++failures_[job];
  }
  return succeeds;
}

void ErrorRealisation::strike(std::size_t jobs, Strikes strikes) {
  groups_ = 0;
  strikes_ = std::move(strikes);
  failures_.assign(jobs, 0);
  left_.assign(jobs, 1);
}

bool ErrorRealisation::make_attempt(std::uint32_t job, std::int64_t processors, double time) {
  if (groups_ > 0) return deal_next(job);
  if (!strikes_) return --left_[job] == 0;
  if (!strikes_->fails(job, processors, time)) {
    left_[job] = 0;
    return true;
  }
  strikes_->advance(job);
  ++failures_[job];
  return false;
}

// Fills the queue with the jobs that have been released; the others wake up when they are.
void ListRunner::hold_back(const ListPlan& plan, double start) {
  waiting_.assign(plan.waiting().begin(), plan.waiting().end());
  for (const std::uint32_t head : plan.heads()) {
    const double release = plan.releases()[plan.slots()[head].job];
    if (!(release > start)) continue;
    waiting_[head] = kNoSlot;
    running_.push(release, head | kHeld);
  }
  tree_.fill(waiting_);
}

ListResult ListRunner::run(const ListPlan& plan, std::int64_t processors, double start, int batch,
                           ErrorRealisation& errors, std::vector<Attempt>* attempts) {
  const auto& slots = plan.slots();
  ListResult result;
  todo_.resize(slots.size());
  for (const std::uint32_t head : plan.heads()) {
    std::int64_t left = plan.attempts();
    if (!errors.is_adaptive()) {
      left = std::min(left, errors.left(slots[head].job));
      errors.spend(slots[head].job, left);
    }
    double time = 0;
    for (std::uint32_t at = head; at != kNoSlot; at = slots[at].next) {
      const std::int64_t here = std::min(left, slots[at].attempts);
      todo_[at] = here;
      left -= here;
      time += static_cast<double>(here) * slots[at].time;
      result.area += static_cast<double>(here) * slots[at].processors * slots[at].time;
    }
    assert(left == 0);
    result.longest = std::max(result.longest, time);
  }
  const Client base{slots, todo_, attempts, batch};
  const auto machine = static_cast<std::uint32_t>(processors);
  running_.reset(std::min<std::size_t>(slots.size(), 1024));
  const auto schedule = [&](auto& pending) {
    if (!errors.is_adaptive()) {
      FixedClient client{base};
      return list_schedule(machine, pending, running_, client, start);
    }
    result.area = result.longest = 0;
    std::vector<double> times(errors.failures().size(), 0.0);
    AdaptiveClient client{base, errors, result, times};
    return list_schedule(machine, pending, running_, client, start);
  };
  ListOutcome outcome;
  if (!plan.releases().empty()) {
    hold_back(plan, start);
    outcome = schedule(tree_);
  } else if (plan.common() != 0) {
    bitmap_ = PendingBitmap(plan.common(), slots.size());
    bitmap_.fill();
    outcome = schedule(bitmap_);
  } else {
    tree_.fill(plan.waiting());
    outcome = schedule(tree_);
  }
  result.end = outcome.end;
  result.least_busy = outcome.least_busy;
  return result;
}

}  // namespace holdfast::moldable
