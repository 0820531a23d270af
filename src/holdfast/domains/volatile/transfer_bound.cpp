#include "holdfast/domains/volatile/transfer_bound.hpp"

#include "holdfast/domains/volatile/offline.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace holdfast::volatile_workers {
namespace {

constexpr std::int64_t kUnending = std::numeric_limits<std::int64_t>::max();

constexpr std::int64_t kMostOfOne = 65'536;  // slots of an iteration in which sets are searched
constexpr std::int64_t kLooksPerNode = 250;
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kFew = 8;
constexpr std::int64_t kShareOfSets = 32;  // what the search for sets may take of the effort

constexpr std::int64_t kGone = std::numeric_limits<std::int64_t>::min();

std::int64_t rounded_up(std::int64_t a, std::int64_t b) {
  return a / b + (a % b > 0 ? 1 : 0);
}

// One worker at the beginning of one slot.
struct Moment {
  bool is_up = false;
  std::int32_t last_down = -1;     // its last slot down, this one included; -1: none
  std::int32_t up = 0;             // slots before this one in which it was up
  std::int32_t up_since_down = 0;  // of these, those after its last slot down
};

// The states of all workers, slot after slot, as far as they are asked for.
class Slots {
 public:
  Slots(const Instance& instance, Availability& availability)
      : workers_{instance.workers.size()},
        program_{instance.program_slots},
        last_{instance.slot_limit},
        availability_{availability},
        now_(workers_) {}

  // Returns the workers at the beginning of a slot; nullptr if the states end before.
  const Moment* at(std::int64_t slot) {
    while (slot >= known_) {
      if (!append()) return nullptr;
    }
    return moments_.data() + static_cast<std::size_t>(slot) * workers_;
  }
  [[nodiscard]] std::int64_t known() const { return known_; }
  // The first known slot after that one in which some worker has been up for as long as the program takes, since it was down.
  [[nodiscard]] std::optional<std::int64_t> completion_after(std::int64_t slot) const {
    const auto place = std::upper_bound(completions_.begin(), completions_.end(), slot);
    return place == completions_.end() ? std::nullopt : std::optional(*place);
  }

 private:
  bool append() {
    if (known_ >= last_ || !availability_.reach(record_)) return false;
    while (availability_.until(record_) <= known_) {
      if (!availability_.reach(++record_)) return false;
    }
    bool completes = false;
    for (std::size_t q = 0; q < workers_; ++q) {
      Moment& moment = now_[q];
      const WorkerState state = availability_.state(record_, q);
      moment.is_up = state == WorkerState::up;
      if (state == WorkerState::down) {
        moment.last_down = static_cast<std::int32_t>(known_);
        moment.up_since_down = 0;
      }
      moments_.push_back(moment);
      if (!moment.is_up) continue;
      ++moment.up;
      completes |= ++moment.up_since_down == program_;
    }
    if (completes) completions_.push_back(known_);
    ++known_;
    return true;
  }

  std::size_t workers_;
  std::int64_t program_, last_, known_ = 0;
  Availability& availability_;
  std::size_t record_ = 0;
  std::vector<Moment> now_;
  std::vector<Moment> moments_;  // [slot][worker]
  std::vector<std::int64_t> completions_;
};

// When as many iterations as its place says can have ended, and the last slot in which a program was then completed.
struct Label {
  std::int64_t end = 0;
  std::int64_t program = -1;
};

class Phases {
 public:
  Phases(const Instance& instance, Availability& availability, std::int64_t least,
         std::int64_t effort)
      : instance_{instance},
        slots_{instance, availability},
        least_{least},
        most_effort_{effort},
        effort_{effort} {
    sets_.most_nodes = effort / kLooksPerNode;
    std::uint32_t q = 0;
    for (const Worker& worker : instance.workers) {
      for (std::int64_t x = 1; x <= std::min(worker.max_tasks, instance.tasks); ++x) {
        workloads_.push_back(x * worker.speed);
        choices_.push_back({q, x});
      }
      ++q;
    }
    std::sort(workloads_.begin(), workloads_.end());
    workloads_.erase(std::unique(workloads_.begin(), workloads_.end()), workloads_.end());
    counted_.resize(workloads_.size());
    const std::int64_t most_loaded = rounded_up(instance.tasks, std::ssize(instance.workers));
    const std::int64_t ports = instance.concurrent_communications;
    const std::int64_t data = instance.tasks * instance.data_slots;
    data_ = std::max(rounded_up(data, ports), most_loaded * instance.data_slots);
    all_ = std::max(rounded_up(data + instance.program_slots, ports), data_);
  }

  std::optional<std::int64_t> run() {
    // A search of a few pairs shows which others need no look.
    const auto of_few = search(kUnending, kFew);
    effort_ = most_effort_;
    const auto of_slots = search(of_few.value_or(kUnending), kAll);
    if (!of_slots || *of_slots == kUnending) return std::nullopt;
    // The same with one set of workers for each iteration.
    look_at_sets();
    const auto limit = search(kUnending, kFew);
    look_at_sets();
    const auto of_sets = search(limit.value_or(kUnending), kAll);
    if (!of_sets || *of_sets == kUnending) return std::nullopt;
    return std::max(*of_slots, *of_sets);
  }

 private:
  void look_at_sets() {
    by_sets_ = true;
    effort_ = most_effort_ / kShareOfSets;
  }

  // @param limit  a result that is possible: only smaller ones are of interest
  // @param width  pairs that are kept after each iteration; the result is a bound if these are all
  std::optional<std::int64_t> search(std::int64_t limit, std::size_t width) {
    find_last_ends(limit);
    std::vector<Label> labels{{}}, next;
    for (std::int64_t k = 0; k < instance_.iterations;) {
      const std::int64_t first = labels.front().end;
      before_ = before_of_[static_cast<std::size_t>(k)];
      find_programs(first, width);
      next.clear();
      iterate(labels, next);
      if (effort_ <= 0 && by_sets_) {
        by_sets_ = false;  // this iteration again, and the others, without sets
        effort_ = most_effort_;
        continue;
      }
      if (effort_ <= 0) return end_of_rest(first, k);
      if (next.empty()) return limit == kUnending ? std::nullopt : std::optional(limit);
      std::reverse(next.begin(), next.end());
      keep_useful(next);
      if (next.size() > width) next.resize(width);
      labels.swap(next);
      ++k;
    }
    return labels.front().end;
  }

  // For each iteration, the first end after which the others cannot end before the limit.
  void find_last_ends(std::int64_t limit) {
    before_of_.assign(static_cast<std::size_t>(instance_.iterations), limit);
    if (limit == kUnending) return;
    for (std::size_t k = before_of_.size(); k-- > 1;) {
      std::int64_t fits = -1, late = before_of_[k];
      before_ = late;
      while (late - fits > 1 && effort_ > 0) {
        const std::int64_t middle = fits + (late - fits) / 2;
        const bool is_early = end_of_any(middle) < before_;
        if (effort_ > 0) (is_early ? fits : late) = middle;
      }
      before_of_[k - 1] = late;
    }
  }

  // The end of the iterations from number k on, if `start` is the earliest end of those before, without a search.
  std::int64_t end_of_rest(std::int64_t start, std::int64_t k) {
    effort_ = most_effort_ / kShareOfSets;
    before_ = kUnending;
    for (; k < instance_.iterations; ++k) {
      const std::int64_t end = end_of_any(start);
      if (effort_ <= 0) break;
      if (end == kUnending) return kUnending;
      start = end;
    }
    return start + (instance_.iterations - k) * least_;
  }

  // The slots in which an iteration from `start` on may complete its last program.
  void find_programs(std::int64_t start, std::size_t width) {
    programs_.clear();
    std::int64_t program = start + instance_.program_slots - 1;
    while (program != kUnending && effort_ > 0 && programs_.size() < width &&
           (before_ == kUnending || program + 1 + workloads_.front() < before_)) {
      programs_.push_back(program);
      program = completion_after(program);
    }
  }

  // Adds one iteration to all pairs. The latest programs come first: after that, only those that end sooner are of interest.
  // @param labels  in order of program and of end
  // @param[out] next  in the opposite order
  void iterate(const std::vector<Label>& labels, std::vector<Label>& next) {
    const std::int64_t first = labels.front().end;
    std::size_t with = labels.size(), after = programs_.size();
    while (with + after > 0) {
      const bool keeps =
          after == 0 || (with > 0 && labels[with - 1].program >= programs_[after - 1]);
      const Label from = keeps ? labels[--with] : Label{first, programs_[--after]};
      if (from.program < 0) continue;
      const std::int64_t end =
          keeps ? end_with(from.end, from.program) : end_after(from.end, from.program);
      if (end >= before_) continue;
      next.push_back({end, from.program});
      before_ = end;
    }
  }

  // Drops each pair whose later program serves nobody who is left when it ends.
  void keep_useful(std::vector<Label>& labels) {
    std::size_t kept = 1;
    for (std::size_t i = 1; i < labels.size(); ++i) {
      if (serves_more(labels[i], labels[kept - 1].program)) labels[kept++] = labels[i];
    }
    labels.resize(kept);
  }

  // Whether some worker may have the program then, but would not if the last one were completed already at `earlier`.
  bool serves_more(const Label& label, std::int64_t earlier) {
    if (look(label.end) == nullptr || look(label.program + 1) == nullptr) return true;
    const Moment* const now = slots_.at(label.end);
    const Moment* const then = slots_.at(label.program + 1);
    const Moment* const before = slots_.at(earlier + 1);
    for (std::size_t q = 0; q < instance_.workers.size(); ++q) {
      const bool may_have =
          then[q].up_since_down >= instance_.program_slots && now[q].last_down == then[q].last_down;
      const bool had = before[q].up_since_down >= instance_.program_slots &&
                       now[q].last_down == before[q].last_down;
      if (may_have && !had) return true;
    }
    return false;
  }

  std::int64_t completion_after(std::int64_t slot) {
    while (true) {
      if (const auto found = slots_.completion_after(slot)) return *found;
      if (look(slots_.known()) == nullptr) return kUnending;
    }
  }

  // The workers at the beginning of a slot; nullptr if the states, or the effort, end before.
  const Moment* look(std::int64_t slot) {
    effort_ -= workers();
    if (slot >= slots_.known() && slot - slots_.known() > effort_ / workers()) effort_ = 0;
    return effort_ > 0 ? slots_.at(slot) : nullptr;
  }

  // f: the slot after the earliest end of an iteration that begins at `start` and completes no program.
  std::int64_t end_with(std::int64_t start, std::int64_t program) {
    holders_.clear();
    const Moment* const then = look(program + 1);
    if (then == nullptr) return kUnending;
    for (std::size_t q = 0; q < instance_.workers.size(); ++q) {
      if (then[q].last_down <= program && then[q].up_since_down >= instance_.program_slots)
        holders_.push_back(q);
    }
    return end_of(start, start + data_, [&](std::size_t q, const Moment& m) -> std::int64_t {
      return m.last_down <= program ? m.up - at_start_[q].up : kGone;
    });
  }

  // The same for one that completes its last program in the slot `program`.
  std::int64_t end_after(std::int64_t start, std::int64_t program) {
    return end_from(start, std::max(program + 1, start + all_));
  }
  // The same, whether it completes a program or not.
  std::int64_t end_of_any(std::int64_t start) { return end_from(start, start + data_); }

  std::int64_t end_from(std::int64_t start, std::int64_t from) {
    holders_.resize(instance_.workers.size());
    std::iota(holders_.begin(), holders_.end(), 0);
    return end_of(start, from, [&](std::size_t q, const Moment& m) -> std::int64_t {
      const std::int64_t besides = m.up_since_down - instance_.program_slots;
      return m.last_down >= start ? besides
                                  : std::min<std::int64_t>(besides, m.up - at_start_[q].up);
    });
  }

  // The slot after the first one by which, for some W, W slots from `from` on allow all tasks within W.
  // @param received  slots in which a worker can have received data; negative if it cannot have the program, and kGone if it
  //                  cannot have it later either
  template <class Received>
  std::int64_t end_of(std::int64_t start, std::int64_t from, const Received& received) {
    const Moment* const begin = look(start);
    if (begin == nullptr) return kUnending;
    at_start_.assign(begin, begin + workers());
    std::fill(counted_.begin(), counted_.end(), 0);
    for (std::int64_t slot = from; slot + 1 < before_; ++slot) {
      const Moment* const now = look(slot);
      if (now == nullptr || !offer(now, received)) return kUnending;
      count_slot();
      if (!is_done(slot - from + 1)) continue;
      return by_sets_ ? end_of_one_set(from, slot + 1, received) : slot + 1;
    }
    return kUnending;
  }

  // Collects the tasks that each worker can do in a slot. @returns false if those that may have the program are too few
  template <class Received>
  bool offer(const Moment* now, const Received& received) {
    offers_.clear();
    std::int64_t left = 0;
    for (const std::size_t q : holders_) {
      const std::int64_t data = received(q, now[q]);
      if (data == kGone) continue;
      const Worker& worker = instance_.workers[q];
      const std::int64_t room = std::min(worker.max_tasks, instance_.tasks);
      left += room;
      if (!now[q].is_up || data < 0) continue;
      const std::int64_t x =
          instance_.data_slots == 0 ? room : std::min(room, data / instance_.data_slots);
      if (x > 0) offers_.push_back({worker.speed, x});
    }
    return left >= instance_.tasks;
  }

  // The same if one set of workers does the whole iteration; `least` if too many sets would have to be tried.
  // @param least  no set ends before
  template <class Received>
  std::int64_t end_of_one_set(std::int64_t from, std::int64_t least, const Received& received) {
    for (std::int64_t seen = least - from + 16; !sets_.is_over(); seen *= 2) {
      const std::int64_t until = std::min({seen, kMostOfOne, before_ - 1 - from});
      KnownStates states(choices_.size(), until);
      const bool is_all = take(states, from, received);
      const auto found = best_set(states, least - from - 1);
      if (sets_.is_over() || effort_ <= 0 || (!found && until == kMostOfOne)) break;
      if (found) return std::max(least, from + *found + 1);
      if (!is_all || until < seen) return kUnending;
    }
    return least;
  }

  // Enters in which slots each worker may compute each number of tasks, as far as the states go.
  // @returns false if they end before
  template <class Received>
  bool take(KnownStates& states, std::int64_t from, const Received& received) {
    std::vector<std::uint8_t> may_hold(instance_.workers.size(), 0);
    for (const std::size_t q : holders_) may_hold[q] = 1;
    for (std::int64_t slot = 0; slot < states.slots(); ++slot) {
      const Moment* const now = look(from + slot);
      if (now == nullptr) return false;
      for (std::size_t c = 0; c < choices_.size(); ++c) {
        const auto& [q, tasks] = choices_[c];
        if (may_hold[q] == 0) continue;
        if (now[q].last_down == from + slot) states.set_down(c, slot);
        if (now[q].is_up && received(q, now[q]) >= tasks * instance_.data_slots)
          states.set_up(c, slot);
      }
    }
    return true;
  }

  // The slot in which the best set ends, over all workloads.
  std::optional<std::int64_t> best_set(const KnownStates& states, std::int64_t at_best) {
    std::optional<std::int64_t> best;
    Question question{.tasks = {}, .needed = instance_.tasks, .at_best = at_best};
    for (const Choice& choice : choices_) question.owners.push_back(choice.worker);
    for (const std::int64_t workload : workloads_) {
      if (best && *best <= at_best) break;
      question.workload = workload;
      question.tasks.clear();
      for (const Choice& choice : choices_) {
        const bool fits = choice.tasks * instance_.workers[choice.worker].speed <= workload;
        question.tasks.push_back(fits ? choice.tasks : 0);
      }
      const auto found = earliest(states, question, best.value_or(states.slots()), sets_);
      if (found) best = found->finish;
    }
    return best;
  }

  // A worker that does so many tasks.
  struct Choice {
    std::uint32_t worker = 0;
    std::int64_t tasks = 1;
  };
  struct Offer {
    std::int64_t speed = 1, tasks = 1;
  };

  // The slot counts for the least workload within which the offers do all tasks, and for all larger ones.
  void count_slot() {
    std::int64_t room = 0;
    for (const Offer& offer : offers_) room += offer.tasks;
    if (room < instance_.tasks) return;
    const auto place =
        std::partition_point(workloads_.begin(), workloads_.end(), [this](std::int64_t workload) {
          std::int64_t tasks = 0;
          for (const Offer& offer : offers_) tasks += std::min(offer.tasks, workload / offer.speed);
          return tasks < instance_.tasks;
        });
    ++counted_[static_cast<std::size_t>(place - workloads_.begin())];
  }

  [[nodiscard]] bool is_done(std::int64_t elapsed) const {
    std::int64_t slots = 0;
    for (std::size_t j = 0; j < workloads_.size() && workloads_[j] <= elapsed; ++j) {
      slots += counted_[j];
      if (slots >= workloads_[j]) return true;
    }
    return false;
  }

  [[nodiscard]] std::int64_t workers() const { return std::ssize(instance_.workers); }

  const Instance& instance_;
  Slots slots_;
  std::int64_t least_, most_effort_, effort_;
  bool by_sets_ = false;             // one set does the whole iteration
  std::int64_t before_ = kUnending;  // only ends before it are of interest
  Effort sets_;
  std::vector<std::int64_t> before_of_;  // [iterations]
  std::vector<std::int64_t> programs_;
  std::vector<Choice> choices_;
  std::int64_t data_ = 0;  // slots in which the master sends in any iteration
  std::int64_t all_ = 0;   // and in one that completes a program
  std::vector<std::int64_t> workloads_;
  std::vector<std::int64_t> counted_;  // slots that count from that workload on
  std::vector<std::size_t> holders_;
  std::vector<Moment> at_start_;
  std::vector<Offer> offers_;
};

}  // namespace

std::optional<std::int64_t> transfer_bound(const Instance& instance, Availability& availability,
                                           std::int64_t least, std::int64_t effort) {
  if (instance.program_slots == 0 || instance.iterations <= 0) return std::nullopt;
  return Phases(instance, availability, least, effort).run();
}

}  // namespace holdfast::volatile_workers
