#include "holdfast/domains/volatile/offline.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

namespace holdfast::volatile_workers {
namespace {

using Word = std::uint64_t;

constexpr Word from_bit(std::int64_t bit) {
  return ~Word{0} << bit;
}

// The number of set bits. Where the processor's instruction cannot be assumed, std::popcount is a call, and slower.
constexpr std::int64_t ones(Word word) {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<std::int64_t>(word * 0x0101010101010101 >> 56);
}

// The position of the n-th set bit, n from 1.
std::int64_t nth_bit(Word word, std::int64_t n) {
  for (; n > 1; --n) word &= word - 1;
  return std::countr_zero(word);
}

class Search {
 public:
  Search(const KnownStates& states, const Question& question, std::int64_t before, Effort& effort)
      : states_{states}, question_{question}, effort_{effort}, before_{before} {
    for (std::uint32_t q = 0; q < states.workers(); ++q) {
      if (question.tasks[q] == 0) continue;
      const auto finish =
          finish_slot(states.up(q), states.down(q), question.start, question.workload, before);
      if (finish) order_.push_back({*finish, q});
    }
    std::sort(order_.begin(), order_.end());
    rest_.assign(order_.size() + 1, 0);
    for (std::size_t i = order_.size(); i-- > 0;) {
      rest_[i] = rest_[i + 1] + question.tasks[order_[i].worker];
    }
  }

  std::optional<Found> run() {
    std::vector<Word> up(states_.words(), ~Word{0}), down(states_.words(), 0);
    grow(0, 0, up, down);
    return best_;
  }

 private:
  struct Ranked {
    std::int64_t finish = 0;
    std::uint32_t worker = 0;
    friend auto operator<=>(const Ranked&, const Ranked&) = default;
  };

  [[nodiscard]] bool is_excluded(std::uint32_t q) const {
    return !question_.owners.empty() &&
           std::any_of(members_.begin(), members_.end(), [&](std::uint32_t member) {
             return question_.owners[member] == question_.owners[q];
           });
  }

  void grow(std::size_t from, std::int64_t tasks, const std::vector<Word>& up,
            const std::vector<Word>& down) {
    std::vector<Word> both(up.size()), any(up.size());
    for (std::size_t i = from; i < order_.size() && tasks + rest_[i] >= question_.needed; ++i) {
      if (order_[i].finish >= before_ || before_ <= question_.at_best || effort_.is_over()) return;
      const std::uint32_t q = order_[i].worker;
      if (is_excluded(q)) continue;
      ++effort_.nodes;
      for (std::size_t w = 0; w < up.size(); ++w) {
        both[w] = up[w] & states_.up(q)[w];
        any[w] = down[w] | states_.down(q)[w];
      }
      const auto finish =
          finish_slot(both.data(), any.data(), question_.start, question_.workload, before_);
      if (!finish) continue;
      members_.push_back(q);
      if (tasks + question_.tasks[q] >= question_.needed) {
        before_ = *finish;
        best_ = Found{*finish, members_};
      } else {
        grow(i + 1, tasks + question_.tasks[q], both, any);
      }
      members_.pop_back();
    }
  }

  const KnownStates& states_;
  const Question& question_;
  Effort& effort_;
  std::int64_t before_;
  std::vector<Ranked> order_;
  std::vector<std::int64_t> rest_;  // tasks that the workers from this place on can do
  std::vector<std::uint32_t> members_;
  std::optional<Found> best_;
};

class CommonSearch {
 public:
  CommonSearch(const KnownStates& states, std::int64_t workers, Effort& effort)
      : states_{states}, wanted_{workers}, effort_{effort}, order_(states.workers()) {
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return count(states.up(a)) > count(states.up(b));
    });
  }

  std::int64_t run() {
    grow(0, 0, std::vector<Word>(states_.words(), ~Word{0}));
    return best_;
  }

 private:
  std::int64_t count(const Word* words) const {
    std::int64_t sum = 0;
    for (std::size_t w = 0; w < states_.words(); ++w) sum += ones(words[w]);
    return sum;
  }

  void grow(std::size_t from, std::int64_t members, const std::vector<Word>& up) {
    std::vector<Word> both(up.size());
    const auto missing = static_cast<std::size_t>(wanted_ - members);
    for (std::size_t i = from; i + missing <= order_.size() && !effort_.is_over(); ++i) {
      ++effort_.nodes;
      for (std::size_t w = 0; w < up.size(); ++w) both[w] = up[w] & states_.up(order_[i])[w];
      const std::int64_t common = count(both.data());
      if (common <= best_) continue;
      if (missing == 1) {
        best_ = common;
      } else {
        grow(i + 1, members + 1, both);
      }
    }
  }

  const KnownStates& states_;
  std::int64_t wanted_;
  Effort& effort_;
  std::vector<std::size_t> order_;
  std::int64_t best_ = 0;
};

}  // namespace

KnownStates::KnownStates(std::span<const std::string> states)
    : workers_{states.size()},
      words_{states.empty() ? 0 : (states.front().size() + 63) / 64},
      slots_{states.empty() ? 0 : static_cast<std::int64_t>(states.front().size())},
      up_(workers_ * words_),
      down_(workers_ * words_) {
  for (std::size_t q = 0; q < workers_; ++q) {
    for (std::size_t t = 0; t < states[q].size(); ++t) {
      const Word bit = Word{1} << (t % 64);
      if (states[q][t] == 'u') up_[q * words_ + t / 64] |= bit;
      if (states[q][t] == 'd') down_[q * words_ + t / 64] |= bit;
    }
  }
}

KnownStates::KnownStates(std::size_t workers, std::int64_t slots)
    : workers_{workers},
      words_{static_cast<std::size_t>((slots + 63) / 64)},
      slots_{slots},
      up_(workers_ * words_),
      down_(workers_ * words_) {}

KnownStates::KnownStates(Availability& availability, std::int64_t from, std::int64_t slots)
    : workers_{availability.workers()}, words_{0}, slots_{0} {
  std::size_t record = 0;
  while (availability.reach(record) && availability.until(record) <= from) ++record;
  const std::size_t first = record;
  std::int64_t end = from;
  while (end < from + slots && availability.reach(record)) end = availability.until(record++);
  slots_ = std::min(end, from + slots) - from;
  words_ = static_cast<std::size_t>((slots_ + 63) / 64);
  up_.resize(workers_ * words_);
  down_.resize(workers_ * words_);
  for (std::size_t k = first; k < record; ++k) {
    const std::int64_t begin = std::max(availability.slot(k), from) - from;
    const std::int64_t until = std::min(availability.until(k) - from, slots_);
    for (std::size_t q = 0; q < workers_; ++q) {
      const WorkerState state = availability.state(k, q);
      if (state == WorkerState::reclaimed) continue;
      Word* row = (state == WorkerState::up ? up_ : down_).data() + q * words_;
      for (std::int64_t t = begin; t < until; ++t) row[t / 64] |= Word{1} << (t % 64);
    }
  }
}

std::optional<std::int64_t> finish_slot(const std::uint64_t* up, const std::uint64_t* down,
                                        std::int64_t start, std::int64_t workload,
                                        std::int64_t before) {
  std::int64_t done = 0;
  for (std::int64_t first = start / 64 * 64; first < before; first += 64) {
    const auto w = static_cast<std::size_t>(first / 64);
    const Word visible = first < start ? from_bit(start - first) : ~Word{0};
    Word common = up[w] & visible;
    Word loses = down[w] & visible;
    // Goes over the stretches between slots that lose everything.
    while (true) {
      const Word until = loses == 0 ? ~Word{0} : (loses & (~loses + 1)) - 1;
      const Word useful = common & until;
      const std::int64_t count = ones(useful);
      if (done + count >= workload) {
        const std::int64_t finish = first + nth_bit(useful, workload - done);
        return finish < before ? std::optional(finish) : std::nullopt;
      }
      if (loses == 0) {
        done += count;
        break;
      }
      done = 0;
      common &= ~until;
      loses &= loses - 1;
    }
  }
  return std::nullopt;
}

std::optional<Found> earliest(const KnownStates& states, const Question& question,
                              std::int64_t before, Effort& effort) {
  return Search(states, question, std::min(before, states.slots()), effort).run();
}

std::optional<Found> best_iteration(const KnownStates& states, const Instance& instance,
                                    std::int64_t most_tasks, std::int64_t start, Effort& effort,
                                    std::int64_t at_best) {
  std::set<std::int64_t> workloads;
  for (const Worker& worker : instance.workers) {
    const std::int64_t most = std::min(worker.max_tasks, most_tasks);
    for (std::int64_t tasks = 1; tasks <= most && tasks * worker.speed <= states.slots(); ++tasks) {
      workloads.insert(tasks * worker.speed);
    }
  }
  std::optional<Found> best;
  std::vector<std::int64_t> before_tasks;
  for (const std::int64_t workload : workloads) {
    if (best && best->finish <= at_best) break;
    Question question{.tasks = {},
                      .needed = instance.tasks,
                      .workload = workload,
                      .start = start,
                      .at_best = at_best};
    for (const Worker& worker : instance.workers) {
      question.tasks.push_back(std::min({worker.max_tasks, most_tasks, workload / worker.speed}));
    }
    if (question.tasks == before_tasks) continue;
    before_tasks = question.tasks;
    const auto found = earliest(states, question, best ? best->finish : states.slots(), effort);
    if (found) best = found;
  }
  return best;
}

std::vector<Found> best_iterations(const KnownStates& states, const Instance& instance,
                                   std::int64_t most_tasks, std::int64_t iterations,
                                   Effort& effort) {
  std::vector<Found> all;
  std::int64_t start = 0;
  for (std::int64_t i = 0; i < iterations && start < states.slots(); ++i) {
    auto found = best_iteration(states, instance, most_tasks, start, effort);
    if (!found || effort.is_over()) break;
    start = found->finish + 1;
    all.push_back(std::move(*found));
  }
  return all;
}

std::int64_t most_common_up(const KnownStates& states, std::int64_t workers, Effort& effort) {
  if (workers > static_cast<std::int64_t>(states.workers())) return 0;
  return CommonSearch(states, workers, effort).run();
}

}  // namespace holdfast::volatile_workers
