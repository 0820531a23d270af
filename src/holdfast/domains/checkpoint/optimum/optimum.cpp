#include "holdfast/domains/checkpoint/optimum/optimum.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/domains/checkpoint/optimum/best_policy.hpp"
#include "holdfast/domains/checkpoint/optimum/renewal.hpp"
#include "holdfast/domains/checkpoint/optimum/strategy_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace holdfast::checkpoint {
namespace {

/// Numbers of amounts of work within a period at which strategies that plan again are evaluated: about 600 in a short job.
constexpr double kFewAmounts = 12;
constexpr double kManyAmounts = 64;
constexpr double kAmounts = 600;
/// The least number of cells within the shortest period with which a grid is useful.
constexpr double kLeastPerPeriod = 4;

}  // namespace

Result<Optimum> find_optimum(const Instance& instance, std::span<const StrategySpec> strategies,
                             std::optional<std::size_t> cells, Stop stop) {
  const RenewalFailures failures(instance);
  const double period = shortest_period(instance, failures);
  PolicyGrid grid = grid_for(instance, period);
  const auto coarsest = static_cast<double>(cells.value_or(grid.cells));
  if (coarsest * period < kLeastPerPeriod * instance.work) {
    return fail(
        ErrorCode::bad_value, "/work",
        fmt::format(
            "found {}, about {:.3g} segments, expected at most {}, whose segments a grid of "
            "{:g} cells can distinguish: beyond that the makespan grows with the work",
            format_duration(instance.work), instance.work / period,
            format_duration(coarsest * period / kLeastPerPeriod), coarsest));
  }
  double fineness = 1;
  if (cells) {
    fineness = static_cast<double>(*cells) / static_cast<double>(grid.cells);
    grid.cells = *cells;
    grid.age_step /= std::sqrt(fineness);
  }
  const PolicyGrid half{.cells = (grid.cells + 1) / 2, .age_step = 2 * grid.age_step};
  const BestPolicy fine(instance, failures, grid, stop);
  const BestPolicy coarse(instance, failures, half, stop);
  if (stop.wanted()) return fail(ErrorCode::interrupted, "", "interrupted");
  Optimum out{.makespan = {fine.expected_makespan(), coarse.expected_makespan()},
              .cuts = fine.cuts(),
              .cells = grid.cells,
              .ages = fine.ages(),
              .strategies = {}};
  const double amounts = std::clamp(kAmounts * period / instance.work, kFewAmounts, kManyAmounts) *
                         std::clamp(fineness, 0.25, 4.0);
  for (const StrategySpec& spec : strategies) {
    HOLDFAST_TRY(on_fine, expected_makespan(instance, failures, spec, period, amounts, stop));
    HOLDFAST_TRY(on_half, expected_makespan(instance, failures, spec, period, amounts / 2, stop));
    out.strategies.push_back({.value = on_fine, .coarse = on_half});
  }
  return out;
}

}  // namespace holdfast::checkpoint
