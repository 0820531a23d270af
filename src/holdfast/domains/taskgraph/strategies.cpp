#include "holdfast/domains/taskgraph/strategies.hpp"

#include "holdfast/domains/taskgraph/strategies/makers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace holdfast::taskgraph {
// The functions that make the strategies, each in the file of strategies/ with its name. Apart from these, a strategy needs
// only its row below.
using Make = Made(const StrategySpec&, const Instance&);
Make make_capped_lpa, make_wide_lpa, make_min_time, make_min_area, make_fraction,
    make_earliest_completion, make_optimal, make_as_given, make_per_group, make_custom;

namespace {

constexpr auto kOrders =
    std::to_array<std::string_view>({"fifo", "lpt", "hpa", "la", "bottom-level"});

constexpr Parameter kPriority{
    .name = "priority",
    .summary =
        "which waiting task goes first: earliest, longest, widest, largest, or with the "
        "longest path behind it (not online)",
    .kind = Kind::choice,
    .fallback = "fifo",
    .choices = kOrders};

constexpr auto kOnlyPriority = std::to_array<Parameter>({kPriority});
// Parameters of Algorithm 4 and of what is built on it.
constexpr auto kCappedLpa = std::to_array<Parameter>({
    {.name = "alpha",
     .summary = "area at most alpha times the least (default: Table III)",
     .range = at_least(1)},
    {.name = "mu",
     .summary = "largest share of the machine for one task (default: Table III)",
     .range = {.minimum = 0, .maximum = 1, .above_minimum = true}},
    {.name = "beta",
     .summary = "bound on the ratio of the time before the cap to the least time; it is checked, "
                "and gives the proven ratio",
     .range = at_least(1)},
    {.name = "per_task",
     .summary = "use the parameters of each task's own model; then no ratio is proven",
     .kind = Kind::flag,
     .fallback = "false"},
    kPriority,
});
constexpr auto kWideLpa = [] {
  std::array<Parameter, kCappedLpa.size() + 2> rows;
  std::ranges::copy(kCappedLpa, rows.begin());
  rows[kCappedLpa.size()] = {.name = "phi",
                             .summary = "share of the machine to which a task is widened",
                             .range = {.minimum = 0, .maximum = 1, .above_minimum = true},
                             .fallback = "0.08"};
  rows[kCappedLpa.size() + 1] = {
      .name = "gamma",
      .summary = "area to spend for it, as a share of what the machine does within the lower bound",
      .range = non_negative(),
      .fallback = "0.5"};
  return rows;
}();
constexpr auto kFraction = std::to_array<Parameter>({
    {.name = "share",
     .summary = "largest share of the machine for one task",
     .range = {.minimum = 0, .maximum = 1, .above_minimum = true},
     .fallback = "0.25"},
    kPriority,
});

struct Row {
  StrategyEntry entry;
  StrategyMaker make;
};

const auto kStrategies = std::to_array<Row>({
    {{.name = "capped-lpa",
      .summary = "each task as fast as alpha times its least area allows, on at most the share mu "
                 "of the machine",
      .source = "Perotin's thesis, Algorithms 3 and 4",
      .parameters = kCappedLpa},
     make_capped_lpa},
    {{.name = "wide-lpa",
      .summary = "capped-lpa, and wider while a budget of area for it lasts",
      .source = "own: Algorithms 3 and 4 of Perotin's thesis with a budget, ratio proven",
      .parameters = kWideLpa},
     make_wide_lpa},
    {{.name = "min-time",
      .summary = "each task as fast as possible",
      .source = "common practice",
      .parameters = kOnlyPriority},
     make_min_time},
    {{.name = "min-area",
      .summary = "each task with the least area, which is one processor except for tables",
      .source = "Graham 1969, list scheduling of sequential tasks",
      .parameters = kOnlyPriority},
     make_min_area},
    {{.name = "fraction",
      .summary =
          "each task on a fixed share of the machine, or on fewer processors if that is faster",
      .source = "common practice",
      .parameters = kFraction},
     make_fraction},
    {{.name = "ect",
      .summary = "each task where it completes first, decided once when it becomes available",
      .source = "Wang and Cheng 1992, earliest completion time"},
     make_earliest_completion},
    {{.name = "optimal",
      .summary = "an optimal schedule, found by exact search: small graphs only, and not online",
      .source = "branch and bound over serial schedules"},
     make_optimal},
    {{.name = "as-given",
      .summary = "the allocations and earliest starts of the instance document",
      .source = "the user",
      .parameters = kOnlyPriority},
     make_as_given},
    {{.name = "per-group",
      .summary = "one number of processors for each group of tasks, found by a search",
      .source = "own: local search, scored by mean makespan over random orders of the queue",
      .parameters = kOnlyPriority},
     make_per_group},
    {custom_entry(), make_custom},
});

}  // namespace

QueueOrder order_of(const StrategySpec& spec) {
  const auto found = std::ranges::find(kOrders, spec.choice("priority"));
  return static_cast<QueueOrder>(std::distance(kOrders.begin(), found));
}

std::vector<StrategyEntry> strategies() {
  std::vector<StrategyEntry> out;
  std::ranges::transform(kStrategies, std::back_inserter(out),
                         [](const Row& row) { return row.entry; });
  return out;
}

Made make_strategy(const StrategySpec& spec, const Instance& instance) {
  HOLDFAST_TRY(made, kStrategies[spec.index].make(spec, instance));
  if (made->discipline() == Discipline::place && instance.errors().saves()) {
    return fail(
        ErrorCode::bad_value, "/checkpoint",
        fmt::format("found tasks that are saved while they run, expected none for {}, which "
                    "must know when a task ends at the latest",
                    kStrategies[spec.index].entry.name));
  }
  return made;
}

}  // namespace holdfast::taskgraph
