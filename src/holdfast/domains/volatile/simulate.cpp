#include "holdfast/domains/volatile/simulate.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <limits>

namespace holdfast::volatile_workers {
namespace {

// A recorder that merges what workers do slot after slot into intervals.
class Recorder {
 public:
  Recorder(History* history, std::size_t workers) : history_{history}, open_(workers, kNone) {}

  void adopt(std::int64_t slot, const Assignment& assignment) {
    ++configuration_;
    if (history_ != nullptr) history_->adoptions.push_back({slot, assignment});
  }
  void act(std::size_t worker, Activity activity, std::int64_t slot) {
    if (history_ == nullptr) return;
    if (open_[worker] != kNone) {
      ActivityInterval& last = history_->intervals[open_[worker]];
      if (last.end == slot && last.activity == activity && last.configuration == configuration_) {
        last.end = slot + 1;
        return;
      }
    }
    open_[worker] = history_->intervals.size();
    history_->intervals.push_back(
        {static_cast<std::uint32_t>(worker), activity, slot, slot + 1, configuration_});
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  History* history_;
  std::vector<std::size_t> open_;
  std::int64_t configuration_ = -1;
};

class Simulation {
 public:
  Simulation(const Instance& instance, const Strategy& strategy, Availability& availability,
             History* history)
      : instance_{instance},
        strategy_{strategy},
        availability_{availability},
        recorder_{history, instance.workers.size()},
        p_{instance.workers.size()},
        states_(p_, WorkerState::reclaimed),
        has_program_(p_, 0),
        was_enrolled_(p_, 0),
        was_served_(p_, 0),
        program_received_(p_, 0),
        data_received_(p_, 0),
        up_slots_(p_, 0),
        up_since_(p_, 0),
        assignment_(p_, 0) {}

  Metrics run() {
    for (slot_ = 0; slot_ < instance_.slot_limit; ++slot_) {
      if (!read_states()) {
        metrics_.exhausted = true;
        return metrics_;
      }
      lose_attempt();
      choose();
      if (active_) progress();
      if (instance_.iterations > 0 && metrics_.completed_iterations == instance_.iterations) {
        metrics_.makespan = slot_ + 1;
        return metrics_;
      }
    }
    return metrics_;
  }

 private:
  bool read_states() {
    if (slot_ > 0 && slot_ < availability_.until(record_)) {
      count_up();
      return true;
    }
    if (slot_ > 0) ++record_;
    if (!availability_.reach(record_)) return false;
    for (std::size_t q = 0; q < p_; ++q) {
      const WorkerState state = availability_.state(record_, q);
      if (state == WorkerState::up && (states_[q] != WorkerState::up || slot_ == 0)) {
        up_since_[q] = slot_;
      }
      states_[q] = state;
      if (state == WorkerState::down) {
        has_program_[q] = 0;
        program_received_[q] = data_received_[q] = 0;
      }
    }
    count_up();
    return true;
  }

  void count_up() {
    for (std::size_t q = 0; q < p_; ++q) up_slots_[q] += states_[q] == WorkerState::up ? 1 : 0;
  }

  void lose_attempt() {
    if (!active_) return;
    for (std::size_t q = 0; q < p_; ++q) {
      if (assignment_[q] == 0 || states_[q] != WorkerState::down) continue;
      active_ = false;
      ++metrics_.attempts_lost;
      return;
    }
  }

  // The slots of program that a worker still needs.
  std::int64_t program_left(std::size_t q, bool partial_counts) const {
    if (has_program_[q]) return 0;
    return instance_.program_slots - (partial_counts ? program_received_[q] : 0);
  }

  void choose() {
    if (!active_) {
      const bool keeps = strategy_.keep_data;
      if (build(keeps)) adopt(built_);
      return;
    }
    if (!strategy_.switches || !build(false) || built_ == assignment_) return;
    const Criterion criterion = *strategy_.switches;
    const std::int64_t elapsed = slot_ - iteration_start_;
    const double fresh =
        score(criterion, value_from_scratch(strategy_, built_, program_left_), elapsed);
    needs_.assign(p_, 0);
    for (std::size_t q = 0; q < p_; ++q) {
      if (assignment_[q] > 0) needs_[q] = need(q);
    }
    const double running = score(criterion,
                                 value_of_running(strategy_, {.assignment = assignment_,
                                                              .needs = needs_,
                                                              .workload_left = workload_ - done_,
                                                              .states = states_}),
                                 elapsed);
    if (fresh > running) adopt(built_);
  }

  // Builds a configuration into built_, with what survivors hold or from scratch.
  bool build(bool with_holdings) {
    program_left_.resize(p_);
    data_held_.assign(p_, 0);
    for (std::size_t q = 0; q < p_; ++q) {
      program_left_[q] = program_left(q, with_holdings);
      if (with_holdings) data_held_[q] = data_received_[q];
    }
    return strategy_.builder->build({.slot = slot_,
                                     .elapsed = slot_ - iteration_start_,
                                     .states = states_,
                                     .program_left = program_left_,
                                     .data_held = data_held_,
                                     .up_slots = up_slots_,
                                     .up_since = up_since_},
                                    built_);
  }

  void adopt(const Assignment& assignment) {
    for (std::size_t q = 0; q < p_; ++q) {
      const bool stays = was_enrolled_[q] && assignment[q] > 0 && strategy_.keep_data;
      if (!stays) {
        data_received_[q] = 0;
        program_received_[q] = 0;
      }
      if (instance_.program_slots == 0 && assignment[q] > 0) has_program_[q] = 1;
      was_enrolled_[q] = assignment[q] > 0 ? 1 : 0;
      was_served_[q] = 0;
    }
    assignment_ = assignment;
    workload_ = workload_of(instance_, assignment_);
    done_ = 0;
    active_ = true;
    ++metrics_.configurations;
    recorder_.adopt(slot_, assignment_);
  }

  std::int64_t need(std::size_t q) const {
    return program_left(q, true) +
           std::max<std::int64_t>(0, assignment_[q] * instance_.data_slots - data_received_[q]);
  }

  void progress() {
    bool is_communicating = false;
    for (std::size_t q = 0; q < p_ && !is_communicating; ++q) {
      is_communicating = assignment_[q] > 0 && need(q) > 0;
    }
    if (is_communicating) {
      communicate();
    } else {
      compute();
    }
  }

  void communicate() {
    // Workers that were served in the previous slot keep their ports while they are up; other ports go by index.
    std::vector<std::size_t> served;
    const auto ports = static_cast<std::size_t>(instance_.concurrent_communications);
    for (const int had_port : {1, 0}) {
      for (std::size_t q = 0; q < p_ && served.size() < ports; ++q) {
        if (assignment_[q] > 0 && was_served_[q] == had_port && states_[q] == WorkerState::up &&
            need(q) > 0) {
          served.push_back(q);
        }
      }
    }
    std::fill(was_served_.begin(), was_served_.end(), 0);
    std::sort(served.begin(), served.end());
    for (const std::size_t q : served) {
      was_served_[q] = 1;
      if (has_program_[q]) {
        ++data_received_[q];
        recorder_.act(q, Activity::data, slot_);
        continue;
      }
      recorder_.act(q, Activity::program, slot_);
      if (++program_received_[q] == instance_.program_slots) {
        has_program_[q] = 1;
        program_received_[q] = 0;
      }
    }
  }

  void compute() {
    for (std::size_t q = 0; q < p_; ++q) {
      if (assignment_[q] > 0 && states_[q] != WorkerState::up) return;
    }
    for (std::size_t q = 0; q < p_; ++q) {
      if (assignment_[q] > 0) recorder_.act(q, Activity::compute, slot_);
    }
    if (++done_ < workload_) return;
    ++metrics_.completed_iterations;
    active_ = false;
    iteration_start_ = slot_ + 1;
    std::fill(data_received_.begin(), data_received_.end(), 0);
    std::fill(was_enrolled_.begin(), was_enrolled_.end(), 0);
  }

  const Instance& instance_;
  const Strategy& strategy_;
  Availability& availability_;
  Recorder recorder_;
  std::size_t p_;
  std::size_t record_ = 0;
  std::int64_t slot_ = 0, iteration_start_ = 0;
  std::vector<WorkerState> states_;
  std::vector<std::uint8_t> has_program_;   // 1: it has the whole program, until it goes down
  std::vector<std::uint8_t> was_enrolled_;  // in the running or just lost configuration
  std::vector<std::uint8_t> was_served_;    // in the previous slot
  std::vector<std::int64_t> program_received_, data_received_, up_slots_, up_since_;
  Assignment assignment_, built_;
  std::vector<std::int64_t> program_left_, data_held_, needs_;
  bool active_ = false;
  std::int64_t workload_ = 0, done_ = 0;
  Metrics metrics_;
};

std::vector<std::uint32_t> members_of(std::span<const std::int64_t> assignment) {
  std::vector<std::uint32_t> members;
  for (std::size_t q = 0; q < assignment.size(); ++q) {
    if (assignment[q] > 0) members.push_back(static_cast<std::uint32_t>(q));
  }
  return members;
}

ConfigurationValue valued(const Strategy& strategy, std::span<const std::int64_t> assignment,
                          std::span<const std::int64_t> needs, std::int64_t workload) {
  const std::vector<std::uint32_t> members = members_of(assignment);
  SetTable& sets = strategy.evaluator->sets();
  return strategy.evaluator->value({.members = members, .needs = needs, .workload = workload},
                                   sets.values(sets.of(members)), what_to_ask(*strategy.switches));
}

}  // namespace

std::string_view name(Activity activity) {
  constexpr std::string_view kNames[] = {"program", "data", "compute"};
  return kNames[static_cast<std::size_t>(activity)];
}

std::int64_t workload_of(const Instance& instance, std::span<const std::int64_t> assignment) {
  std::int64_t workload = 0;
  for (std::size_t q = 0; q < assignment.size(); ++q) {
    workload = std::max(workload, assignment[q] * instance.workers[q].speed);
  }
  return workload;
}

void count_reclaimed(const TransitionMatrix& markov, ConfigurationValue& value) {
  const double stays = markov[1][1];
  const double slots = 1 / (1 - stays);
  const double log_odds = elementary::log(markov[1][0] / (1 - stays));
  value.log_success += log_odds;
  value.expected += slots;
  value.log_restart = elementary::log(elementary::exp(value.log_restart) + slots) - log_odds;
}

ConfigurationValue value_of_running(const Strategy& strategy, const Standing& standing) {
  ConfigurationValue value =
      valued(strategy, standing.assignment, standing.needs, standing.workload_left);
  if (!strategy.value_reclaimed) return value;
  const Instance& instance = strategy.evaluator->instance();
  for (std::size_t q = 0; q < standing.assignment.size(); ++q) {
    if (standing.assignment[q] > 0 && standing.states[q] == WorkerState::reclaimed) {
      count_reclaimed(*instance.workers[q].markov, value);
    }
  }
  return value;
}

ConfigurationValue value_from_scratch(const Strategy& strategy,
                                      std::span<const std::int64_t> assignment,
                                      std::span<const std::int64_t> program_left) {
  const Instance& instance = strategy.evaluator->instance();
  std::vector<std::int64_t> needs(assignment.size(), 0);
  for (std::size_t q = 0; q < assignment.size(); ++q) {
    if (assignment[q] > 0) needs[q] = program_left[q] + assignment[q] * instance.data_slots;
  }
  return valued(strategy, assignment, needs, workload_of(instance, assignment));
}

Metrics simulate(const Instance& instance, const Strategy& strategy, Availability& availability,
                 History* history) {
  return Simulation(instance, strategy, availability, history).run();
}

}  // namespace holdfast::volatile_workers
