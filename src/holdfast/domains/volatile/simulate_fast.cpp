#include "holdfast/domains/volatile/simulate_fast.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/volatile/simulate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

namespace holdfast::volatile_workers {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// Calls visit(worker) for each bit, ascending.
template <class Visit>
void each(std::uint64_t workers, const Visit& visit) {
  for (; workers != 0; workers &= workers - 1) {
    visit(static_cast<std::size_t>(std::countr_zero(workers)));
  }
}

constexpr std::uint64_t bit(std::size_t worker) {
  return std::uint64_t{1} << worker;
}

class FastSimulation {
 public:
  FastSimulation(const Instance& instance, const Strategy& strategy, DecisionTrie* trie,
                 Availability& availability)
      : instance_{instance},
        strategy_{strategy},
        trie_{trie},
        availability_{availability},
        watches_{strategy.builder->watches()} {
    if (instance.program_slots == 0) has_program_ = ~std::uint64_t{0};
  }

  Metrics run() {
    if (!load(0)) return metrics_;
    while (slot_ < instance_.slot_limit) {
      lose_attempt();
      const std::int64_t look_again = choose();
      const std::int64_t end = std::min({until_, instance_.slot_limit, look_again});
      slot_ = active_ == nullptr ? end : progress(end);
      if (metrics_.makespan) return metrics_;
      if (slot_ == until_ && slot_ < instance_.slot_limit && !load(record_ + 1)) return metrics_;
    }
    return metrics_;
  }

 private:
  bool load(std::size_t record) {
    if (!availability_.reach(record)) {
      metrics_.exhausted = true;
      return false;
    }
    if (watches_) watch(*availability_.up(record));
    record_ = record;
    until_ = availability_.until(record);
    up_ = *availability_.up(record);
    const std::uint64_t down = *availability_.down(record);
    if (instance_.program_slots > 0) has_program_ &= ~down;
    each(down & enrolled_, [&](std::size_t q) { program_received_[q] = data_received_[q] = 0; });
    down_ = down;
    return true;
  }

  // Counts the slots up, for the rules that use observations.
  void watch(std::uint64_t up_now) {
    each(up_now & ~up_, [&](std::size_t q) { up_since_[q] = slot_; });
    each(up_ & ~up_now, [&](std::size_t q) { up_before_[q] += slot_ - up_since_[q]; });
  }

  void lose_attempt() {
    if (active_ == nullptr || (active_->mask & down_) == 0) return;
    active_ = nullptr;
    ++metrics_.attempts_lost;
  }

  std::int64_t elapsed() const { return slot_ - iteration_start_; }

  // Decides for this slot. @returns the slot of the next decision even if nothing changes
  std::int64_t choose() {
    if (active_ == nullptr) return start();
    if (!strategy_.switches) return kNever;
    const std::uint64_t programs = has_program_ & up_;
    if (decided_up_ == up_ && decided_programs_ == programs && slot_ <= decided_until_) {
      return decided_until_ == kNever ? kNever : decided_until_ + 1;
    }
    const DecisionTrie::Decision decision = trie_->decide(up_, has_program_, elapsed());
    decided_up_ = up_;
    decided_programs_ = programs;
    decided_until_ =
        decision.elapsed_until == kNever ? kNever : iteration_start_ + decision.elapsed_until;
    if (decision.configuration == DecisionTrie::kInfeasible) {
      decided_until_ = kNever;
    } else if (decision.configuration != configuration_) {
      compare(decision);
    }
    return decided_until_ == kNever ? kNever : decided_until_ + 1;
  }

  void compare(const DecisionTrie::Decision& decision) {
    const Criterion criterion = *strategy_.switches;
    const ConfigurationValue running = value_of_active();
    const double fresh = score(criterion, decision.value, elapsed());
    const double kept = score(criterion, running, elapsed());
    if (fresh > kept) {
      adopt(decision.configuration);
      return;
    }
    if (criterion != Criterion::yield) return;
    decided_until_ = std::min(decided_until_, leads_until(decision.value, running, kept - fresh));
  }

  // The last slot in which the running configuration has the better yield, even if it makes no progress.
  std::int64_t leads_until(const ConfigurationValue& fresh, const ConfigurationValue& running,
                           double lead) const {
    if (!(lead > kClose)) return slot_;
    std::int64_t slots = kLongestLead;
    const double ratio = elementary::exp(running.log_success - fresh.log_success);
    if (ratio < 1) {
      const double meets = (ratio * fresh.expected - running.expected) / (1 - ratio);
      const double left = std::floor(meets * (1 - kClose)) - 1 - static_cast<double>(elapsed());
      if (!(left > 0)) return slot_;
      slots = left < static_cast<double>(slots) ? static_cast<std::int64_t>(left) : slots;
    }
    return slot_ + slots;
  }

  ConfigurationValue value_of_active() {
    each(active_->mask, [&](std::size_t q) { needs_[q] = need(q); });
    ConfigurationValue value = strategy_.evaluator->value(
        {.members = active_->members,
         .needs = std::span(needs_).first(instance_.workers.size()),
         .workload = active_->workload - done_},
        strategy_.evaluator->sets().values(active_->set), what_to_ask(*strategy_.switches));
    if (strategy_.value_reclaimed) {
      each(active_->mask & ~up_,
           [&](std::size_t q) { count_reclaimed(*instance_.workers[q].markov, value); });
    }
    return value;
  }

  std::int64_t start() {
    bool holds = false;
    if (strategy_.keep_data) {
      each(enrolled_ & ~down_,
           [&](std::size_t q) { holds |= data_received_[q] > 0 || program_received_[q] > 0; });
    }
    if (holds || trie_ == nullptr) {
      if (!build()) return kNever;
      if (strategy_.switches) {
        adopt(trie_->configurations().number(built_, trie_->evaluator()));
        return slot_ + 1;
      }
      // It will not be compared with others and needs no number: a random rule would fill the table.
      current_.assign(built_, instance_);
      adopt_current();
      return kNever;
    }
    const DecisionTrie::Decision decision = trie_->decide(up_, has_program_, elapsed());
    if (decision.configuration == DecisionTrie::kInfeasible) return kNever;
    adopt(decision.configuration);
    return strategy_.switches ? slot_ + 1 : kNever;
  }

  // Builds a configuration without the trie: with what survivors hold, or by a rule that the trie does not know.
  bool build() {
    const std::size_t p = instance_.workers.size();
    for (std::size_t q = 0; q < p; ++q) {
      const std::uint64_t its = bit(q);
      states_[q] = up_ & its     ? WorkerState::up
                   : down_ & its ? WorkerState::down
                                 : WorkerState::reclaimed;
      const bool holds = strategy_.keep_data && (enrolled_ & its) != 0;
      program_left_[q] =
          has_program_ & its ? 0 : instance_.program_slots - (holds ? program_received_[q] : 0);
      data_held_[q] = holds ? data_received_[q] : 0;
      if (watches_) {
        up_slots_[q] = up_before_[q] + (up_ & its ? slot_ + 1 - up_since_[q] : 0);
      }
    }
    return strategy_.builder->build({.slot = slot_,
                                     .elapsed = elapsed(),
                                     .states = std::span(states_).first(p),
                                     .program_left = std::span(program_left_).first(p),
                                     .data_held = std::span(data_held_).first(p),
                                     .up_slots = std::span(up_slots_).first(p),
                                     .up_since = std::span(up_since_).first(p)},
                                    built_);
  }

  void adopt(std::uint32_t number) {
    configuration_ = number;
    current_ = trie_->configurations()[number];  // a copy: the table may grow
    adopt_current();
  }

  void adopt_current() {
    const std::uint64_t stay = strategy_.keep_data ? enrolled_ & current_.mask : 0;
    each(enrolled_ & ~stay, [&](std::size_t q) { program_received_[q] = data_received_[q] = 0; });
    active_ = &current_;
    enrolled_ = current_.mask;
    needing_ = 0;
    each(enrolled_, [&](std::size_t q) { needing_ |= need(q) > 0 ? bit(q) : 0; });
    served_ = 0;
    done_ = 0;
    decided_up_ = up_;
    decided_programs_ = has_program_ & up_;
    decided_until_ = slot_;
    ++metrics_.configurations;
  }

  std::int64_t program_need(std::size_t q) const {
    return (has_program_ >> q) & 1 ? 0 : instance_.program_slots - program_received_[q];
  }
  std::int64_t need(std::size_t q) const {
    return program_need(q) +
           std::max<std::int64_t>(
               0, current_.assignment[q] * instance_.data_slots - data_received_[q]);
  }

  // Continues until `end` or until something happens. @returns the next slot
  std::int64_t progress(std::int64_t end) {
    if (needing_ != 0) return communicate(end);
    if ((active_->mask & ~up_) != 0) return end;
    const std::int64_t slots = std::min(end - slot_, active_->workload - done_);
    done_ += slots;
    if (done_ == active_->workload) finish_iteration(slot_ + slots);
    return slot_ + slots;
  }

  void finish_iteration(std::int64_t next_slot) {
    ++metrics_.completed_iterations;
    each(enrolled_, [&](std::size_t q) { data_received_[q] = 0; });
    enrolled_ = 0;
    active_ = nullptr;
    iteration_start_ = next_slot;
    if (instance_.iterations > 0 && metrics_.completed_iterations == instance_.iterations) {
      metrics_.makespan = next_slot;
    }
  }

  // The workers that get ports: those that had one in the previous slot, then others by index.
  std::uint64_t to_be_served() const {
    const std::uint64_t open = needing_ & up_;
    std::int64_t ports = instance_.concurrent_communications;
    if (std::popcount(open) <= ports) return open;
    std::uint64_t chosen = 0;
    for (std::uint64_t rest : {open & served_, open & ~served_}) {
      for (; rest != 0 && ports > 0; rest &= rest - 1, --ports) chosen |= rest & (~rest + 1);
    }
    return chosen;
  }

  std::int64_t communicate(std::int64_t end) {
    served_ = to_be_served();
    if (served_ == 0) return end;
    std::int64_t slots = end - slot_;
    each(served_, [&](std::size_t q) {
      const std::int64_t program = program_need(q);
      slots = std::min(slots, program > 0 ? program : need(q));
    });
    each(served_, [&](std::size_t q) {
      if ((has_program_ >> q) & 1) {
        data_received_[q] += slots;
      } else {
        program_received_[q] += slots;
        if (program_received_[q] == instance_.program_slots) {
          has_program_ |= bit(q);
          program_received_[q] = 0;
        }
      }
      if (need(q) == 0) needing_ &= ~bit(q);
    });
    return slot_ + slots;
  }

  const Instance& instance_;
  const Strategy& strategy_;
  DecisionTrie* trie_;
  Availability& availability_;
  bool watches_;
  std::size_t record_ = 0;
  std::int64_t slot_ = 0, until_ = 0, iteration_start_ = 0;
  std::uint64_t up_ = 0, down_ = 0;
  std::uint64_t has_program_ = 0;
  std::uint64_t enrolled_ = 0;  // in the running or just lost configuration
  std::uint64_t needing_ = 0;   // members that still need program or data
  std::uint64_t served_ = 0;    // in the previous slot
  std::uint32_t configuration_ = DecisionTrie::kInfeasible;
  Configuration current_;
  const Configuration* active_ = nullptr;
  std::int64_t done_ = 0;
  // The last decision to keep what runs: for these workers, up to this slot.
  std::uint64_t decided_up_ = 0, decided_programs_ = 0;
  std::int64_t decided_until_ = -1;
  static constexpr std::size_t kMost = DecisionTrie::kMostWorkers;
  std::array<std::int64_t, kMost> program_received_{}, data_received_{};
  std::array<std::int64_t, kMost> needs_{};
  std::array<std::int64_t, kMost> program_left_{}, data_held_{}, up_slots_{}, up_since_{},
      up_before_{};
  std::array<WorkerState, kMost> states_{};
  Assignment built_;
  Metrics metrics_;
};

}  // namespace

Metrics simulate_fast(const Instance& instance, const Strategy& strategy, DecisionTrie* trie,
                      Availability& availability) {
  assert(DecisionTrie::fits(instance));
  return FastSimulation(instance, strategy, trie, availability).run();
}

}  // namespace holdfast::volatile_workers
