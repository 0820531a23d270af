#include "holdfast/algorithms/checkpoints/objective.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/quadrature.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

namespace holdfast::checkpoints {
namespace {

struct Node {
  double place;   ///< in [0, 1]
  double weight;  ///< sum 1
};
/// Gauss-Legendre, 4 points: exact for polynomials of degree 7.
constexpr auto kNodes = std::to_array<Node>({
    {0.06943184420297371, 0.17392742256872693},
    {0.33000947820757187, 0.32607257743127307},
    {0.66999052179242813, 0.32607257743127307},
    {0.93056815579702629, 0.17392742256872693},
});

double panel(const HazardCurve& curve, const std::function<double(double)>& exact, double begin,
             double length) {
  if (exact) {
    return kGaussLegendre8.integrate(begin, begin + length,
                                     [&](double x) { return elementary::exp(-exact(x)); });
  }
  double sum = 0;
  for (const auto& [place, weight] : kNodes)
    sum += weight * elementary::exp(-curve.cumulative(begin + place * length));
  return sum * length;
}

}  // namespace

double integrate_survival(const HazardCurve& curve, double begin, double end,
                          const std::function<double(double)>& exact) {
  assert(begin >= 0 && begin <= end);
  double sum = 0;
  double x = begin;
  if (x == 0) {
    // With new processors the hazard may start at infinity, so the integration starts where nothing has happened yet.
    x = std::min(end, std::max(curve.inverse(1e-10), 1e-30 * end));
    sum = x;
  }
  while (x < end) {
    const HazardValue here = curve.at(x);
    if (here.cumulative > kNegligible) break;
    // S falls by at most e^-0.4, and Lambda has no feature narrower than the panel. If the hazard is almost 0, an interpolation
    // may give a slightly negative value.
    const double hazard = std::max(here.hazard, 0.0);
    const double length = std::min({0.4 / hazard, curve.smooth_step(x), end - x});
    sum += panel(curve, exact, x, length);
    x = end - x <= length ? end : x + length;
  }
  return sum;
}

Worth evaluate(const HazardCurve& curve, std::span<const double> cuts, double checkpoint,
               double last_cost) {
  assert(!cuts.empty());
  Worth worth;
  double done = 0;
  double time = 0;
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    const double cost = k + 1 == cuts.size() ? last_cost : checkpoint;
    time = cuts[k] + static_cast<double>(k) * checkpoint + cost;
    worth.expected_work += (cuts[k] - done) * elementary::exp(-curve.cumulative(time));
    done = cuts[k];
  }
  worth.expected_time = integrate_survival(curve, 0, time);
  worth.share = worth.expected_work / worth.expected_time;
  return worth;
}

}  // namespace holdfast::checkpoints
