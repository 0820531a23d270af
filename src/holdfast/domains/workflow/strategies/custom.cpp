#include "holdfast/contract/rule_run.hpp"
#include "holdfast/domains/workflow/decision.hpp"
#include "holdfast/domains/workflow/strategies/makers.hpp"

#include <array>
#include <span>
#include <vector>

namespace holdfast::workflow {
namespace {

constexpr auto kTold = std::to_array<DecisionField>({
    {.name = "length",
     .summary = "time of the task without failures and checkpoints",
     .unit = Unit::seconds},
    {.name = "checkpoint", .summary = "time of one checkpoint", .unit = Unit::seconds},
    {.name = "recovery", .summary = "time of one recovery", .unit = Unit::seconds},
    {.name = "downtime",
     .summary = "time after a failure until the recovery",
     .unit = Unit::seconds},
    {.name = "rate",
     .summary = "failures of all its processors per second at work",
     .unit = Unit::per_second},
    {.name = "concurrency",
     .summary = "number of tasks that run at the same time without failures, itself included"},
    {.name = "start", .summary = "date of its start without failures", .unit = Unit::seconds},
    {.name = "processors", .summary = "processors of the machine", .per_item = false},
});
constexpr std::size_t kPerItem = 7;
constexpr auto kAsked = std::to_array<DecisionField>({
    {.name = "segments",
     .summary = "number of segments of the task, each followed by a checkpoint"},
});
constexpr DecisionTable kDecision{.name = "cut",
                                  .when = "once, before the workflow starts",
                                  .items = "tasks, in the order of the document",
                                  .told = kTold,
                                  .asked = kAsked};

class Custom final : public RuleStrategy<Strategy> {
 public:
  using RuleStrategy::RuleStrategy;

  void decide(const Situation& situation, std::span<Cut> cuts) const override {
    const bool is_decided = ask(situation) && run_.all_whole() &&
                            run_.all_in(between(1, static_cast<double>(kMostSegments)));
    for (std::size_t task = 0; task < cuts.size(); ++task) {
      const double segments = is_decided ? run_.answer()[task] : 1;
      cuts[task] = {static_cast<std::int64_t>(segments),
                    situation.instance->lengths[task] / segments};
    }
  }

 private:
  bool ask(const Situation& situation) const {
    const std::size_t tasks = situation.instance->size();
    std::array<std::vector<double>, kPerItem> columns;
    for (std::size_t task = 0; task < tasks; ++task) {
      const TaskView view = situation.view(task);
      const auto row =
          std::to_array({view.length, view.checkpoint, view.recovery, view.downtime, view.rate,
                         static_cast<double>(view.concurrency), situation.schedule->starts[task]});
      for (std::size_t field = 0; field < kPerItem; ++field) columns[field].push_back(row[field]);
    }
    const std::array<std::span<const double>, kPerItem> views{
        columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], columns[6]};
    const auto machine = static_cast<double>(situation.instance->processors);
    return run_.ask({.items = tasks, .scalars = {&machine, 1}, .columns = views});
  }
};

}  // namespace

const DecisionTable& decision() {
  return kDecision;
}

Made make_custom(const StrategySpec& spec, const Instance&) {
  return std::make_unique<Custom>(spec, kDecision);
}

}  // namespace holdfast::workflow
