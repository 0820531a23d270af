#include "holdfast/domains/volatile/lower_bound.hpp"

#include "holdfast/domains/volatile/offline.hpp"
#include "holdfast/domains/volatile/transfer_bound.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace holdfast::volatile_workers {
namespace {

constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostSlots = 65'536;  // slots of an iteration in which sets are searched
constexpr std::int64_t kLooksPerSet = 100;

std::int64_t divided_up(std::int64_t a, std::int64_t b) {
  return a / b + (a % b > 0 ? 1 : 0);
}

class Relaxation {
 public:
  Relaxation(const Instance& instance, Availability& availability, std::int64_t effort)
      : instance_{instance}, availability_{availability}, effort_{effort} {
    sets_.most_nodes = effort / kLooksPerSet;
    for (const Worker& worker : instance.workers) {
      for (std::int64_t x = 1; x <= std::min(worker.max_tasks, instance.tasks); ++x)
        workloads_.push_back(x * worker.speed);
    }
    std::sort(workloads_.begin(), workloads_.end());
    workloads_.erase(std::unique(workloads_.begin(), workloads_.end()), workloads_.end());
    std::erase_if(workloads_, [this](std::int64_t workload) {
      std::int64_t room = 0;
      for (const Worker& worker : instance_.workers) room += tasks_within(worker, workload);
      return room < instance_.tasks;
    });
  }

  std::optional<MakespanBound> makespan() {
    if (instance_.iterations <= 0 || workloads_.empty()) return std::nullopt;
    MakespanBound out{.slots = 0,
                      .is_optimum = instance_.program_slots + instance_.data_slots == 0};
    for (std::int64_t i = 0; i < instance_.iterations; ++i) {
      const std::int64_t sent = communication(i == 0);
      if (effort_ <= 0) {
        out.slots += sent - communication(false) + (instance_.iterations - i) * least_iteration();
        out.is_optimum = false;
        return out;
      }
      const std::int64_t start = out.slots + sent;
      const std::int64_t end = earliest_end(start);
      if (end == kNoEnd) return std::nullopt;
      const auto of_one_set = end_of_one_set(start, end);
      if (of_one_set == kNoEnd) return std::nullopt;
      out.is_optimum = out.is_optimum && of_one_set;
      out.slots = of_one_set.value_or(end);
    }
    return out;
  }

  // The slots of an iteration if all workers are up and have the program.
  [[nodiscard]] std::int64_t least_iteration() const {
    return communication(false) + workloads_.front();
  }

 private:
  [[nodiscard]] std::int64_t tasks_within(const Worker& worker, std::int64_t workload) const {
    return std::min({worker.max_tasks, instance_.tasks, workload / worker.speed});
  }

  // The least number of slots in which the master sends. It is at least the slots for everything through all ports, those for
  // one worker without the program, and those for the worker with the most tasks.
  [[nodiscard]] std::int64_t communication(bool with_program) const {
    const std::int64_t program = with_program ? instance_.program_slots : 0;
    const std::int64_t all = instance_.tasks * instance_.data_slots + program;
    const std::int64_t most_loaded = divided_up(instance_.tasks, std::ssize(instance_.workers));
    return std::max({divided_up(all, instance_.concurrent_communications),
                     program + instance_.data_slots, most_loaded * instance_.data_slots});
  }

  // The slot after the earliest end of an iteration that may compute from `start` on, if workers may be exchanged in every
  // slot.
  std::int64_t earliest_end(std::int64_t start) {
    while (availability_.reach(record_ + 1) && availability_.slot(record_ + 1) <= start) ++record_;
    std::int64_t best = kNoEnd;
    for (const std::int64_t workload : workloads_) {
      if (best != kNoEnd && start + workload >= best) break;
      best = std::min(best, end_of(workload, start, best));
    }
    return best;
  }

  // The same if one set of workers does the whole iteration; nothing if too many sets would have to be tried.
  // @param before  no set ends earlier
  std::optional<std::int64_t> end_of_one_set(std::int64_t start, std::int64_t before) {
    for (std::int64_t slots = before - start + 64; !sets_.is_over(); slots *= 2) {
      const std::int64_t seen = std::min({slots, kMostSlots, instance_.slot_limit - start});
      const KnownStates states(availability_, start, seen);
      const auto found =
          best_iteration(states, instance_, instance_.tasks, 0, sets_, before - start - 1);
      if (sets_.is_over()) break;
      if (found) return start + found->finish + 1;
      if (states.slots() < slots && seen < kMostSlots) return kNoEnd;
      if (seen == kMostSlots) break;
    }
    return std::nullopt;
  }

  std::int64_t end_of(std::int64_t workload, std::int64_t start, std::int64_t before) {
    std::int64_t left = workload;
    for (std::size_t record = record_; availability_.reach(record); ++record) {
      const std::int64_t from = std::max(start, availability_.slot(record));
      if (from + left >= before) return kNoEnd;
      const std::int64_t until = std::min(availability_.until(record), instance_.slot_limit);
      if (until <= from) {
        if (from >= instance_.slot_limit) return kNoEnd;
        continue;
      }
      if (!has_room(record, workload)) continue;
      if (until - from >= left) return from + left;
      left -= until - from;
    }
    return kNoEnd;
  }

  bool has_room(std::size_t record, std::int64_t workload) {
    std::int64_t room = 0;
    effort_ -= std::ssize(instance_.workers);
    for (std::size_t q = 0; q < instance_.workers.size() && room < instance_.tasks; ++q) {
      if (availability_.state(record, q) == WorkerState::up)
        room += tasks_within(instance_.workers[q], workload);
    }
    return room >= instance_.tasks;
  }

  const Instance& instance_;
  Availability& availability_;
  std::int64_t effort_;
  Effort sets_;
  std::vector<std::int64_t> workloads_;  // workloads within which the workers can do all tasks
  std::size_t record_ = 0;               // record of the last start
};

}  // namespace

std::optional<MakespanBound> bound_of_one_transfer(const Instance& instance,
                                                   Availability& availability,
                                                   std::int64_t effort) {
  return Relaxation(instance, availability, effort).makespan();
}

std::optional<MakespanBound> lower_bound(const Instance& instance, Availability& availability,
                                         std::int64_t effort) {
  auto bound = bound_of_one_transfer(instance, availability, effort);
  if (!bound || instance.program_slots == 0) return bound;
  const std::int64_t least = Relaxation(instance, availability, effort).least_iteration();
  const auto with_losses = transfer_bound(instance, availability, least, effort);
  if (!with_losses) return std::nullopt;
  bound->slots = std::max(bound->slots, *with_losses);
  return bound;
}

}  // namespace holdfast::volatile_workers
