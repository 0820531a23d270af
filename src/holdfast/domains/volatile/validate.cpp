#include "holdfast/domains/volatile/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace holdfast::volatile_workers {
namespace {

tl::unexpected<Error> wrong(std::int64_t slot, std::string message) {
  return fail(ErrorCode::bad_value, fmt::format("slot {}", slot), std::move(message));
}

// What one worker holds according to the model.
struct Holdings {
  bool program = false;
  std::int64_t program_slots = 0;
  std::int64_t data_slots = 0;
};

class Checker {
 public:
  Checker(const Instance& instance, Availability& availability, const History& history,
          bool keep_data)
      : instance_{instance},
        availability_{availability},
        history_{history},
        keep_data_{keep_data},
        holds_(instance.workers.size()),
        before_(instance.workers.size(), 0),
        doing_(instance.workers.size()) {}

  Status run(const Metrics& metrics) {
    const std::int64_t end = metrics.makespan.value_or(std::min(
        instance_.slot_limit, metrics.exhausted ? availability_.end() : instance_.slot_limit));
    for (slot_ = 0; slot_ < end; ++slot_) {
      while (availability_.until(record_) <= slot_) {
        if (!availability_.reach(++record_)) return wrong(slot_, "goes on after the known states");
      }
      HOLDFAST_CHECK(take_losses());
      HOLDFAST_CHECK(take_adoption());
      HOLDFAST_CHECK(collect());
      HOLDFAST_CHECK(advance());
    }
    if (next_adoption_ != history_.adoptions.size()) return wrong(slot_, "adopts after the end");
    if (next_interval_ != history_.intervals.size()) return wrong(slot_, "acts after the end");
    const Metrics found{.makespan = metrics.makespan,
                        .lower_bound = metrics.lower_bound,
                        .optimum = metrics.optimum,
                        .completed_iterations = iterations_,
                        .configurations = static_cast<std::int64_t>(history_.adoptions.size()),
                        .attempts_lost = losses_,
                        .exhausted = metrics.exhausted};
    if (found != metrics) return wrong(slot_, "the metrics are not those of the slots");
    const bool is_done = instance_.iterations > 0 && iterations_ == instance_.iterations;
    if (metrics.makespan.has_value() != is_done) return wrong(slot_, "ends at the wrong time");
    return {};
  }

 private:
  bool is(std::size_t q, WorkerState state) const {
    return availability_.state(record_, q) == state;
  }
  bool enrolled(std::size_t q) const { return current_ && current_->assignment[q] > 0; }

  Status take_losses() {
    bool is_lost = false;
    for (std::size_t q = 0; q < holds_.size(); ++q) {
      if (!is(q, WorkerState::down)) continue;
      holds_[q] = {};
      is_lost |= enrolled(q);
    }
    if (!is_lost) return {};
    current_ = nullptr;  // `before_` still names its members: they may keep what they hold
    ++losses_;
    return {};
  }

  Status take_adoption() {
    const auto& adoptions = history_.adoptions;
    if (next_adoption_ == adoptions.size() || adoptions[next_adoption_].slot != slot_) return {};
    const Adoption& adoption = adoptions[next_adoption_++];
    std::int64_t tasks = 0;
    workload_ = 0;
    for (std::size_t q = 0; q < holds_.size(); ++q) {
      const std::int64_t x = adoption.assignment[q];
      tasks += x;
      workload_ = std::max(workload_, x * instance_.workers[q].speed);
      if (x < 0 || x > instance_.workers[q].max_tasks) return wrong(slot_, "too many tasks");
      if (x > 0 && !is(q, WorkerState::up)) return wrong(slot_, "enrols a worker that is not up");
      const bool stays = x > 0 && before_[q] && keep_data_;
      if (!stays) {
        holds_[q].data_slots = 0;
        if (!holds_[q].program) holds_[q].program_slots = 0;
      }
      before_[q] = x > 0 ? 1 : 0;
    }
    if (tasks != instance_.tasks) return wrong(slot_, "gives out another number of tasks");
    current_ = &adoption;
    computed_ = 0;
    if (next_adoption_ < adoptions.size() && adoptions[next_adoption_].slot <= slot_) {
      return wrong(slot_, "adopts two configurations in one slot");
    }
    return {};
  }

  // Collects from the intervals what each worker does in this slot.
  Status collect() {
    for (auto& activity : doing_) {
      if (activity && activity->end <= slot_) activity.reset();
    }
    for (; next_interval_ < history_.intervals.size() &&
           history_.intervals[next_interval_].start == slot_;
         ++next_interval_) {
      const ActivityInterval& interval = history_.intervals[next_interval_];
      if (doing_[interval.worker]) return wrong(slot_, "a worker does two things at once");
      if (interval.end <= interval.start) return wrong(slot_, "an empty interval");
      doing_[interval.worker] = interval;
    }
    for (std::size_t q = 0; q < doing_.size(); ++q) {
      if (!doing_[q]) continue;
      if (!is(q, WorkerState::up)) return wrong(slot_, fmt::format("worker {} is not up", q));
      if (!enrolled(q) ||
          doing_[q]->configuration != static_cast<std::int64_t>(next_adoption_) - 1) {
        return wrong(slot_, fmt::format("worker {} acts without being enrolled", q));
      }
    }
    return {};
  }

  bool needs(std::size_t q) const {
    return needs_program(q) ||
           holds_[q].data_slots < current_->assignment[q] * instance_.data_slots;
  }
  bool needs_program(std::size_t q) const {
    return !holds_[q].program && holds_[q].program_slots < instance_.program_slots;
  }

  Status advance() {
    if (current_ == nullptr) return {};
    bool is_communication = false, all_up = true;
    std::int64_t open = 0, busy = 0;
    for (std::size_t q = 0; q < holds_.size(); ++q) {
      busy += doing_[q] ? 1 : 0;
      if (!enrolled(q)) continue;
      all_up &= is(q, WorkerState::up);
      if (!needs(q)) continue;
      is_communication = true;
      open += is(q, WorkerState::up) ? 1 : 0;
    }
    return is_communication ? receive(open, busy) : compute(all_up, busy);
  }

  Status receive(std::int64_t open, std::int64_t busy) {
    if (busy != std::min(open, instance_.concurrent_communications)) {
      return wrong(slot_, fmt::format("{} workers receive, expected {}", busy,
                                      std::min(open, instance_.concurrent_communications)));
    }
    for (std::size_t q = 0; q < doing_.size(); ++q) {
      if (!doing_[q]) continue;
      if (!needs(q)) return wrong(slot_, fmt::format("worker {} needs nothing", q));
      const Activity expected = needs_program(q) ? Activity::program : Activity::data;
      if (doing_[q]->activity != expected) return wrong(slot_, "receives in the wrong order");
      if (expected == Activity::data) {
        ++holds_[q].data_slots;
      } else if (++holds_[q].program_slots == instance_.program_slots) {
        holds_[q].program = true;
      }
    }
    return {};
  }

  Status compute(bool all_up, std::int64_t busy) {
    std::int64_t members = 0;
    for (std::size_t q = 0; q < doing_.size(); ++q) {
      members += enrolled(q) ? 1 : 0;
      if (doing_[q] && doing_[q]->activity != Activity::compute) {
        return wrong(slot_, "receives what it has");
      }
    }
    if (busy != (all_up ? members : 0)) return wrong(slot_, "not all members compute together");
    if (!all_up || ++computed_ < workload_) return {};
    ++iterations_;
    current_ = nullptr;
    std::fill(before_.begin(), before_.end(), 0);
    for (Holdings& holdings : holds_) holdings.data_slots = 0;
    return {};
  }

  const Instance& instance_;
  Availability& availability_;
  const History& history_;
  bool keep_data_;
  std::vector<Holdings> holds_;
  std::vector<std::uint8_t> before_;
  std::vector<std::optional<ActivityInterval>> doing_;
  std::int64_t slot_ = 0;
  std::size_t record_ = 0, next_adoption_ = 0, next_interval_ = 0;
  const Adoption* current_ = nullptr;
  std::int64_t workload_ = 0, computed_ = 0, iterations_ = 0, losses_ = 0;
};

}  // namespace

Status validate(const Instance& instance, Availability& availability, const History& history,
                const Metrics& metrics, bool keep_data) {
  if (!availability.reach(0)) return {};
  return Checker(instance, availability, history, keep_data).run(metrics);
}

}  // namespace holdfast::volatile_workers
