#include "holdfast/domains/cosched/strategies.hpp"

#include <array>
#include <memory>

namespace holdfast::cosched {
namespace {

constexpr auto kModes = std::to_array<std::string_view>({"text", "literal"});
constexpr auto kShortest = std::to_array<Parameter>({
    {.name = "shortest_tasks_first",
     .summary =
         "when its second phase begins: as the text describes it, or as the pseudo-code says",
     .kind = Kind::choice,
     .fallback = "text",
     .choices = kModes},
});
constexpr auto kLocal = std::to_array<Parameter>({
    {.name = "skip_stuck",
     .summary = "if the last task gains nothing, try the next one",
     .kind = Kind::flag,
     .fallback = "false"},
});
constexpr auto kShortestLocal = std::to_array<Parameter>({kShortest[0], kLocal[0]});

Heuristic local(const StrategySpec& spec) {
  return [skip = *spec.parameters.find("skip_stuck")->boolean()](RedistributionState& state) {
    end_local(state, skip);
  };
}
Heuristic shortest(const StrategySpec& spec) {
  const auto mode = spec.choice("shortest_tasks_first") == "literal" ? ShortestTasksMode::literal
                                                                     : ShortestTasksMode::text;
  return [mode](RedistributionState& state) { shortest_tasks_first(state, mode); };
}

Strategy make_none(const StrategySpec&) {
  return {};
}
Strategy make_end_local(const StrategySpec& spec) {
  return {.at_end = local(spec), .at_failure = {}, .initial = {}};
}
Strategy make_end_greedy(const StrategySpec&) {
  return {.at_end = iterated_greedy, .at_failure = {}, .initial = {}};
}
Strategy make_ig_el(const StrategySpec& spec) {
  return {.at_end = local(spec), .at_failure = iterated_greedy, .initial = {}};
}
Strategy make_ig_eg(const StrategySpec&) {
  return {.at_end = iterated_greedy, .at_failure = iterated_greedy, .initial = {}};
}
Strategy make_stf_el(const StrategySpec& spec) {
  return {.at_end = local(spec), .at_failure = shortest(spec), .initial = {}};
}
Strategy make_stf_eg(const StrategySpec& spec) {
  return {.at_end = iterated_greedy, .at_failure = shortest(spec), .initial = {}};
}

struct Entry : StrategyEntry {
  Strategy (*make)(const StrategySpec&);
};
const std::array<Entry, 8> kTable = {{
    {{"none",
      "the initial allocation holds to the end",
      "baseline of the co-scheduling report",
      {}},
     make_none},
    {{"end-local",
      "processors of an ended task go to the tasks that would end last; nothing changes at a "
      "failure",
      "co-scheduling report, Algorithm 3", kLocal},
     make_end_local},
    {{"end-greedy",
      "all processors are redistributed when a task ends; nothing changes at a failure",
      "co-scheduling report, section 5.1",
      {}},
     make_end_greedy},
    {{"iterated-greedy-end-local",
      "at a failure all processors are redistributed; at an end free processors go to the tasks "
      "that would end last",
      "co-scheduling report, Algorithms 5 and 3", kLocal},
     make_ig_el},
    {{"iterated-greedy-end-greedy",
      "at a failure and at an end all processors are redistributed",
      "co-scheduling report, Algorithm 5",
      {}},
     make_ig_eg},
    {{"shortest-tasks-first-end-local",
      "at a failure short tasks give processors to the faulty one; at an end free processors go to "
      "the tasks that would end last",
      "co-scheduling report, Algorithms 4 and 3", kShortestLocal},
     make_stf_el},
    {{"shortest-tasks-first-end-greedy",
      "at a failure short tasks give processors to the faulty one; at an end all are redistributed",
      "co-scheduling report, Algorithms 4 and 5", kShortest},
     make_stf_eg},
    {{"as-given",
      "the allocations listed in the instance: at the start, then after each event",
      "for schedules of proofs and of other tools",
      {}},
     nullptr},
}};

// Each event takes the next row; after the last row no task moves.
Strategy as_given(const Instance& instance) {
  Strategy strategy;
  strategy.initial = instance.given.front();
  strategy.only_when_last = false;
  const Heuristic follow = [&instance, next = std::size_t{1}](RedistributionState& state) mutable {
    if (next >= instance.given.size()) return;
    const auto& row = instance.given[next++];
    for (const bool shrinking : {true, false}) {
      for (const std::size_t i : state.eligible()) {
        if (row[i] != 0 && row[i] != state.processors(i) &&
            (row[i] < state.processors(i)) == shrinking &&
            row[i] - state.processors(i) <= state.free()) {
          state.set(i, row[i]);
        }
      }
    }
  };
  // The two kinds of events share one position in the list.
  auto shared = std::make_shared<Heuristic>(follow);
  strategy.at_end =
      strategy.at_failure = [shared](RedistributionState& state) { (*shared)(state); };
  return strategy;
}

}  // namespace

std::vector<StrategyEntry> strategies() {
  return {kTable.begin(), kTable.end()};
}

Result<Strategy> make_strategy(const StrategySpec& spec, const Instance& instance) {
  const Entry& entry = kTable[spec.index];
  if (entry.make != nullptr) return entry.make(spec);
  if (instance.given.empty()) {
    return fail(ErrorCode::bad_value, "/allocations",
                "is missing; strategy 'as-given' takes them from the instance");
  }
  return as_given(instance);
}

}  // namespace holdfast::cosched
