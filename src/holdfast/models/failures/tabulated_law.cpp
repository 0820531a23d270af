#include "holdfast/models/failures/tabulated_law.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace holdfast {
namespace {

constexpr int kCoarsest = 3;
constexpr int kFinest = 8;
constexpr double kTolerance = 1e-10;
constexpr double kInverseTolerance = 1e-8;  // for draws: no sample is large enough to reveal it

bool is_finite(const Jet& jet) {
  return std::isfinite(jet.value) && std::isfinite(jet.first) && std::isfinite(jet.second);
}

// Tabulates a function between two numbers on the coarsest grid that meets the tolerance (relative above `floor`) at two points
// inside each cell. The table is empty if no grid does. Returns the resolution.
int tabulate(double low, double high, double tolerance, double floor,
             const std::function<Jet(double)>& function, OctaveTable& table) {
  std::vector<Jet> jets;
  for (int resolution = kCoarsest; resolution <= kFinest; ++resolution) {
    const OctaveGrid grid{resolution};
    const std::int64_t first = grid.cell(low);
    const std::int64_t last = grid.cell(high) + 1;
    jets.clear();
    for (std::int64_t cell = first; cell <= last; ++cell)
      jets.push_back(function(grid.start(cell)));
    if (!std::all_of(jets.begin(), jets.end(), is_finite)) break;
    table.assign(grid, first, jets);
    const bool is_good = [&] {
      for (std::int64_t cell = first; cell < last; ++cell) {
        const double start = grid.start(cell);
        const double width = grid.start(cell + 1) - start;
        for (const double v : {0.3, 0.5}) {
          const double x = start + v * width;
          const double exact = function(x).value;
          const double error = std::abs(table.value(x) - exact);
          if (!(error <= tolerance * std::max(exact, floor))) return false;
        }
      }
      return true;
    }();
    if (is_good) return resolution;
  }
  table = OctaveTable{};
  return kFinest;
}

}  // namespace

TabulatedLaw::TabulatedLaw(Law law) : law_{std::move(law)}, mean_{law_.mean()} {
  if (!law_.is_smooth()) return;
  resolution_ = tabulate(
      std::ldexp(mean_, -44), std::ldexp(mean_, 10), kTolerance, 1e-7,
      [this](double x) {
        const HazardValue value = law_.at(x);
        return Jet{value.cumulative, value.hazard, value.slope};
      },
      hazard_);

  // Draws are exponential of mean 1: one in a million is beyond 16, and the law itself answers it. At the lower end the inverse
  // may underflow.
  double low = 0x1p-60;
  while (!(law_.inverse_cumulative_hazard(low) > 1e-60 * mean_) && low < 1e-3) low *= 2;
  tabulate(
      low, 15.9, kInverseTolerance, 0,
      [this](double y) {
        const double x = law_.inverse_cumulative_hazard(y);
        const HazardValue value = law_.at(x);
        return Jet{x, 1 / value.hazard,
                   -value.slope / (value.hazard * value.hazard * value.hazard)};
      },
      inverse_);
}

double TabulatedLaw::residual(double age, double y) const {
  if (age == 0) return inverse_cumulative_hazard(y);
  if (y == 0) return 0;
  const double target = cumulative_hazard(age) + y;
  double x = inverse_cumulative_hazard(target);
  // The error of the inverse is relative to age + x; one Newton step makes it relative to x.
  const HazardValue value = at(x);
  if (value.hazard > 0) x -= (value.cumulative - target) / value.hazard;
  return std::max(0.0, x - age);
}

}  // namespace holdfast
