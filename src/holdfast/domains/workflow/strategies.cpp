#include "holdfast/domains/workflow/strategies.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/domains/workflow/strategies/makers.hpp"

#include <fmt/format.h>

#include <array>

namespace holdfast::workflow {
// The functions that make the strategies, each in the file of strategies/ with its name. Apart from these, a strategy needs
// only its row below.
using Make = Made(const StrategySpec&, const Instance&);
Make make_min_exp, make_lambert, make_safe_check, make_check_more, make_basic_check_more,
    make_tuned, make_none, make_fixed, make_as_given, make_custom, make_critical, make_next_step;

namespace {

constexpr auto kDelta = std::to_array<Parameter>({
    {.name = "delta",
     .summary = "number of tasks that run at the same time",
     .range = at_least(1),
     .is_required = true},
});
constexpr auto kPeriod = std::to_array<Parameter>({
    {.name = "period",
     .summary = "work between two checkpoints",
     .unit = Unit::seconds,
     .range = positive(),
     .fallback = "1h"},
});
constexpr auto kTrials = std::to_array<Parameter>({
    {.name = "trials",
     .summary = "number of trial runs for each candidate",
     .kind = Kind::integer,
     .range = between(2, 1e6),
     .fallback = "40"},
});

struct Row {
  StrategyEntry entry;
  Maker make;
  bool computes_period = true;  ///< from the mean time between failures
};

const auto kTable = std::to_array<Row>({
    {{"min-exp",
      "Young/Daly: shortest expected time of each task alone, to first order",
      "Young 1974; Daly 2006; Perotin's thesis, section 6.3.1",
      {}},
     make_min_exp},
    {{"lambert",
      "shortest expected time of each task alone, exactly",
      "Bougeret et al. 2011; Perotin's thesis, section 6.2.5",
      {}},
     make_lambert},
    {{"check-more",
      "Young/Daly divided by ln(delta) + 1, for delta tasks that run at the same time",
      "Perotin's thesis, section 6.3.2 (CheckMore)",
      {}},
     make_check_more},
    {{"basic-check-more",
      "check-more with the same delta for all tasks: the number of processors, or of tasks if that "
      "is smaller",
      "Perotin's thesis, section 6.3.3 (BasicCheckMore)",
      {}},
     make_basic_check_more},
    {{"safe-check", "Young/Daly divided by ln(delta) + 1 for a given delta",
      "Perotin's thesis, Definition 4 (SafeCheck)", kDelta},
     make_safe_check},
    {{"critical",
      "check-more where a task has no slack, Young/Daly where it has a period of it; with a "
      "distribution, next-step for a hazard raised by as much",
      "Perotin's thesis, sections 5.7 and 6.3.2; ours",
      {}},
     make_critical},
    {{"next-step",
      "with a distribution: each task plans from the ages of its processors, when it starts and "
      "after each failure",
      "Perotin's thesis, section 5.4 (NextStep)",
      {}},
     make_next_step},
    {{"tuned", "Young/Daly divided by the factor that is best in trial runs of the workflow",
      "ours", kTrials},
     make_tuned},
    {{"none", "one checkpoint, at the end of the task", "common practice", {}}, make_none, false},
    {{"fixed", "a checkpoint after every PERIOD of work", "common practice", kPeriod},
     make_fixed,
     false},
    {{"as-given", "the segments that the document gives", "the instance", {}},
     make_as_given,
     false},
    {custom_entry(), make_custom, false},
});

}  // namespace

std::vector<StrategyEntry> strategies() {
  std::vector<StrategyEntry> out;
  for (const Row& row : kTable) out.push_back(row.entry);
  return out;
}

Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec,
                                                const Instance& instance) {
  return kTable[spec.index].make(spec, instance);
}

bool computes_period(const StrategySpec& spec) {
  return kTable[spec.index].computes_period;
}

Status has_period(const Instance& instance) {
  if (!(1 / instance.mtbf > 0)) {
    return fail(ErrorCode::bad_value, "/mtbf",
                "is missing; this strategy computes its period from it");
  }
  for (std::size_t task = 0; task < instance.size(); ++task) {
    if (instance.checkpoint(task) > 0) {
      if (instance.checkpoints.size() == 1) break;
      continue;
    }
    const std::string_view message =
        "found a checkpoint of 0 s, expected more: this strategy's period would be 0";
    if (instance.checkpoints.size() == 1) {
      return fail(ErrorCode::bad_value, "/checkpoint", std::string(message));
    }
    return fail(ErrorCode::bad_value, fmt::format("/tasks/{}/checkpoint", task),
                fmt::format("task {}: {}", in_quotes(instance.name(task)), message));
  }
  return {};
}

}  // namespace holdfast::workflow
