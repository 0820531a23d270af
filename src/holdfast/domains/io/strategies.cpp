#include "holdfast/domains/io/strategies.hpp"

#include "holdfast/domains/io/strategies/makers.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <algorithm>
#include <array>

namespace holdfast::io {
// What makes each, in the file of strategies/ that bears its name. A row below is all else that a strategy takes.
using Make = std::unique_ptr<Strategy>(const Setting&);
Make make_fair_share, make_fcfs, make_greedy_yield, make_greedy_com, make_look_ahead, make_periodic,
    make_set10, make_best_next_event, make_as_given, make_custom;

namespace {

struct StrategyRow {
  StrategyEntry entry;
  Maker make;
};

constexpr auto kPeriod = std::to_array<Parameter>({
    {.name = "period",
     .summary = "between decisions beside those at events; default: window over twice the "
                "operations",
     .unit = Unit::seconds,
     .range = positive()},
});

const auto kStrategies = std::to_array<StrategyRow>({
    {.entry = {.name = "fair-share",
               .summary = "all at the same fraction of what they could use",
               .source = "common practice; thesis, section 7.4.1"},
     .make = make_fair_share},
    {.entry = {.name = "fcfs",
               .summary = "full bandwidth in order of posting",
               .source = "common practice; thesis, section 7.4.1"},
     .make = make_fcfs},
    {.entry = {.name = "greedy-yield",
               .summary = "full bandwidth to the lowest yields",
               .source = "thesis, section 7.4.1"},
     .make = make_greedy_yield},
    {.entry = {.name = "greedy-com",
               .summary = "full bandwidth to the operations that could end first",
               .source = "thesis, section 7.4.1"},
     .make = make_greedy_com},
    {.entry = {.name = "look-ahead-greedy-yield",
               .summary = "first the one that leaves the best minimum yield when an operation ends",
               .source = "thesis, section 7.4.1"},
     .make = make_look_ahead},
    {.entry = {.name = "periodic-greedy-yield",
               .summary = "greedy-yield that also decides every PERIOD",
               .source = "thesis, section 7.4.1",
               .parameters = kPeriod},
     .make = make_periodic},
    {.entry = {.name = "set-10",
               .summary = "sets by iteration time share in inverse proportion to it",
               .source = "Boito et al. 2023; thesis, section 7.4.2"},
     .make = make_set10},
    {.entry = {.name = "best-next-event",
               .summary = "the best yields at the next event that can be predicted",
               .source = "thesis, section 7.4.3"},
     .make = make_best_next_event},
    {.entry = {.name = "as-given",
               .summary = "the rates listed in the instance, from their dates on",
               .source = "for schedules of proofs and of other tools"},
     .make = make_as_given},
    {.entry = custom_entry(), .make = make_custom},
});

}  // namespace

std::vector<StrategyEntry> strategies() {
  std::vector<StrategyEntry> entries;
  for (const StrategyRow& row : kStrategies) entries.push_back(row.entry);
  return entries;
}

Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec, const Instance& instance,
                                                const Load& load) {
  const StrategyRow& row = kStrategies[spec.index];
  if (row.make == make_as_given && instance.given.empty()) {
    return fail(ErrorCode::bad_value, "/rates",
                "is missing; strategy 'as-given' takes them from the instance");
  }
  return row.make({instance, spec, load});
}

double median(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  return quantile(values, 0.5);
}

void Strategy::decide(const Situation& situation, std::span<double> rates) {
  double asked = 0;
  for (const Pending& request : situation.requests) asked += request.bandwidth;
  constexpr double kRounding = 1 + 1e-12;  // ten tenths are no more than one
  const bool all_fit = asked <= situation.bandwidth * kRounding;
  if (!all_fit || !fills_up()) return share(situation, rates);
  for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = situation.requests[i].bandwidth;
}

}  // namespace holdfast::io
