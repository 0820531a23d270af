#include "holdfast/contract/allocation_rule.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace holdfast {
namespace {

constexpr auto kTold = std::to_array<DecisionField>({
    {.name = "limit", .summary = "largest number of processors that it may get"},
    {.name = "processors", .summary = "processors of the machine", .per_item = false},
});
constexpr auto kAsked = std::to_array<DecisionField>({
    {.name = "processors", .summary = "processors for every attempt, from 1 to the limit"},
});
constexpr auto kCurves = std::to_array<DecisionField>({
    {.name = "time",
     .summary = "time of one attempt on so many processors, from 1 to the limit",
     .unit = Unit::seconds},
});

}  // namespace

DecisionTable allocation_table(std::string_view when, std::string_view items) {
  return {.name = "allocate",
          .when = when,
          .items = items,
          .told = kTold,
          .asked = kAsked,
          .curves = kCurves};
}

bool ask_allocations(RuleRun& run, std::int64_t machine, std::span<const std::int64_t> limits,
                     const std::function<double(std::size_t task, std::int64_t processors)>& time) {
  const std::vector<double> most(limits.begin(), limits.end());
  const std::span<const double> column = most;
  const auto processors = static_cast<double>(machine);
  const auto evaluate = [&](std::size_t, std::span<const std::uint32_t> item,
                            std::span<const double> x, std::span<double> y) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool is_given =
          item[i] < most.size() && x[i] >= 1 && x[i] <= most[item[i]] && x[i] == std::floor(x[i]);
      y[i] = is_given ? time(item[i], static_cast<std::int64_t>(x[i]))
                      : std::numeric_limits<double>::quiet_NaN();
    }
  };
  if (!run.ask({.items = most.size(),
                .scalars = {&processors, 1},
                .columns = {&column, 1},
                .evaluate = evaluate})) {
    return false;
  }
  for (std::size_t task = 0; task < most.size(); ++task) {
    if (!run.is_in(between(1, most[task]), task)) return false;
  }
  return run.all_whole();
}

}  // namespace holdfast
