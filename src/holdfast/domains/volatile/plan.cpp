#include "holdfast/domains/volatile/plan.hpp"

#include "holdfast/domains/volatile/simulate.hpp"

#include <algorithm>
#include <cstddef>

namespace holdfast::volatile_workers {
namespace {

struct Held {
  std::vector<std::int64_t> program_left, data_held;
};

// The data that count when a configuration is built: after a loss everything that survivors hold,
// otherwise only complete programs.
Held holdings_of(const LiveState& state, bool all) {
  const std::size_t p = state.instance.workers.size();
  Held out{.program_left = std::vector<std::int64_t>(p, 0),
           .data_held = std::vector<std::int64_t>(p, 0)};
  for (std::size_t q = 0; q < p; ++q) {
    const bool is_down = state.states[q] == WorkerState::down;
    if (is_down || !state.has_program[q]) {
      out.program_left[q] =
          state.instance.program_slots - (all && !is_down ? state.program_received[q] : 0);
    }
    if (all && !is_down) out.data_held[q] = state.data_received[q];
  }
  return out;
}

ConfigurationValue value_of(const LiveState& state, const ReadyStrategy& strategy,
                            const Assignment& assignment, const Held& holdings,
                            std::int64_t workload) {
  std::vector<std::int64_t> needs(assignment.size(), 0);
  std::vector<std::uint32_t> members;
  for (std::size_t q = 0; q < assignment.size(); ++q) {
    if (assignment[q] == 0) continue;
    members.push_back(static_cast<std::uint32_t>(q));
    needs[q] = holdings.program_left[q] +
               std::max<std::int64_t>(
                   0, assignment[q] * state.instance.data_slots - holdings.data_held[q]);
  }
  SetTable& sets = strategy.rules.evaluator->sets();
  return strategy.rules.evaluator->value({.members = members, .needs = needs, .workload = workload},
                                         sets.values(sets.of(members)), Ask::restart_too);
}

bool is_lost(const LiveState& state) {
  for (std::size_t q = 0; q < state.running.size(); ++q) {
    if (state.running[q] > 0 && state.states[q] == WorkerState::down) return true;
  }
  return false;
}

}  // namespace

std::string_view name(Advice advice) {
  constexpr std::string_view kNames[] = {"wait", "enrol", "keep", "switch"};
  return kNames[static_cast<std::size_t>(advice)];
}

Plan plan(const LiveState& state, const ReadyStrategy& strategy) {
  Plan out;
  out.lost = is_lost(state);
  const bool is_running = !state.running.empty() && !out.lost;
  const std::vector<std::int64_t> unseen(state.states.size(), 0);
  const Held holdings = holdings_of(state, !is_running && strategy.rules.keep_data);
  Assignment built;
  const bool is_built = strategy.rules.builder->build({.slot = state.elapsed,
                                                       .elapsed = state.elapsed,
                                                       .states = state.states,
                                                       .program_left = holdings.program_left,
                                                       .data_held = holdings.data_held,
                                                       .up_slots = unseen,
                                                       .up_since = unseen},
                                                      built);
  const auto fresh_value = [&] {
    return value_of(state, strategy, built, holdings, workload_of(state.instance, built));
  };
  if (!is_running) {
    if (!is_built) return out;
    out.advice = Advice::enrol;
    out.assignment = built;
    out.workload = workload_of(state.instance, built);
    out.value = fresh_value();
    return out;
  }
  const std::int64_t left =
      std::max<std::int64_t>(1, workload_of(state.instance, state.running) - state.done);
  ConfigurationValue running =
      value_of(state, strategy, state.running, holdings_of(state, true), left);
  if (strategy.rules.value_reclaimed) {
    for (std::size_t q = 0; q < state.running.size(); ++q) {
      if (state.running[q] > 0 && state.states[q] == WorkerState::reclaimed) {
        count_reclaimed(*state.instance.workers[q].markov, running);
      }
    }
  }
  out.advice = Advice::keep;
  out.assignment = state.running;
  out.workload = left;
  out.value = running;
  if (!is_built || built == state.running) return out;
  out.other = built;
  out.other_value = fresh_value();
  if (!strategy.rules.switches) return out;
  const Criterion criterion = *strategy.rules.switches;
  if (!(score(criterion, *out.other_value, state.elapsed) >
        score(criterion, running, state.elapsed))) {
    return out;
  }
  out.advice = Advice::change;
  out.other = state.running;
  std::swap(out.value, *out.other_value);
  out.assignment = built;
  out.workload = workload_of(state.instance, built);
  return out;
}

}  // namespace holdfast::volatile_workers
