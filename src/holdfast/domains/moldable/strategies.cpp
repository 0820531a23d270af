#include "holdfast/domains/moldable/strategies.hpp"

#include "holdfast/domains/moldable/strategies/makers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace holdfast::moldable {
// The functions that make the strategies, each in the file of strategies/ with its name. Apart from these, a strategy needs
// only its row below.
using Make = Result<std::unique_ptr<Strategy>>(const StrategySpec&, const Instance&);
Make make_lpa, make_lpa_ratio, make_min_time, make_min_area, make_batch, make_batch_fit,
    make_rolling, make_as_given, make_custom;

namespace {

constexpr auto kPriorities = std::to_array<std::string_view>({"lpt", "hpa", "la"});

constexpr Parameter kPriority{.name = "priority",
                              .summary = "which waiting job goes first: longest, widest, largest",
                              .kind = Kind::choice,
                              .fallback = "lpt",
                              .choices = kPriorities};
constexpr Parameter kSlack{.name = "slack",
                           .summary = "factor by which areas are inflated in the allotment",
                           .range = between(0, 100),
                           .fallback = "0.1"};
constexpr Parameter kEpsilon{.name = "epsilon",
                             .summary = "how far the allotment may be from the best possible",
                             .range = between(0.01, 1),
                             .fallback = "0.3"};

constexpr auto kOnlyPriority = std::to_array<Parameter>({kPriority});
constexpr auto kLpa = std::to_array<Parameter>(
    {{.name = "alpha",
      .summary = "area at most alpha times the least (default: by speedup model)",
      .range = at_least(1)},
     kPriority});
constexpr auto kBatch = std::to_array<Parameter>({kSlack, kPriority, kEpsilon});
constexpr auto kBatchFit = std::to_array<Parameter>({kPriority, kEpsilon});

constexpr auto kRolling = std::to_array<Parameter>(
    {{.name = "theta",
      .summary = "how much later jobs may end so that all start at once (1.2 if only cap is given)",
      .range = at_least(1)},
     {.name = "cap",
      .summary = "by how much an attempt may exceed its least time (0.05 if only theta is given)",
      .range = between(0, 1)}});

struct Row {
  StrategyEntry entry;
  StrategyMaker make;
};

const auto kStrategies = std::to_array<Row>({
    {{.name = "lpa",
      .summary = "each job as fast as possible with at most alpha times its least area",
      .source = "Perotin's thesis, Algorithm 2 (with Algorithm 1)",
      .parameters = kLpa},
     make_lpa},
    {{.name = "lpa-ratio",
      .summary = "each job with the least proven ratio; the strategy of the published tables",
      .source = "Perotin's thesis, Eq. (2.10)",
      .parameters = kOnlyPriority},
     make_lpa_ratio},
    {{.name = "batch",
      .summary = "all jobs balanced against each other, in batches of 1, 2, 4 ... attempts",
      .source = "Perotin's thesis, section 2.4.4",
      .parameters = kBatch},
     make_batch},
    {{.name = "batch-fit",
      .summary = "batch, with the slack whose failure-free schedule ends first",
      .source = "extension of Perotin's thesis, section 2.4.4",
      .parameters = kBatchFit},
     make_batch_fit},
    {{.name = "rolling",
      .summary = "one deadline for all jobs, which rolls with the failures; no batches",
      .source = "own (the domain's README has the rule and its proof)",
      .parameters = kRolling},
     make_rolling},
    {{.name = "min-time",
      .summary = "each job as fast as possible",
      .source = "Perotin's thesis, section 2.6.1 (MinTime)",
      .parameters = kOnlyPriority},
     make_min_time},
    {{.name = "min-area",
      .summary = "each job with the least area, which is one processor except for tables",
      .source = "Perotin's thesis, section 2.6.1 (MinArea)",
      .parameters = kOnlyPriority},
     make_min_area},
    {{.name = "as-given",
      .summary = "the allocations of the instance document",
      .source = "the user",
      .parameters = kOnlyPriority},
     make_as_given},
    {custom_entry(), make_custom},
});

}  // namespace

Priority priority_of(const StrategySpec& spec) {
  const auto found = std::ranges::find(kPriorities, spec.choice("priority"));
  return static_cast<Priority>(std::distance(kPriorities.begin(), found));
}

std::vector<StrategyEntry> strategies() {
  std::vector<StrategyEntry> out;
  for (const Row& row : kStrategies) out.push_back(row.entry);
  return out;
}

Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec,
                                                const Instance& instance) {
  HOLDFAST_TRY(made, kStrategies[spec.index].make(spec, instance));
  if (made->is_batched() && !instance.releases.empty()) {
    return fail(ErrorCode::bad_value, "/jobs",
                fmt::format("found jobs that are released over time, expected all at the start for "
                            "{}, which balances them against each other; rolling and lpa take "
                            "them as they come",
                            kStrategies[spec.index].entry.name));
  }
  return made;
}

}  // namespace holdfast::moldable
