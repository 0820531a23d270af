#include "holdfast/algorithms/checkpoints/outlook.hpp"

#include <cassert>
#include <utility>

namespace holdfast::checkpoints {
namespace {

/// The largest number of terms (points times groups) that are summed one by one, with an error of 1e-14. Larger sums come from
/// a curve, with an error of 1e-9.
constexpr std::size_t kMostTerms = 200'000;

/// The largest number of age groups that a curve sums one by one, with an error of 1e-9: every node of a machine of this size
/// may have its own age. More groups are binned, with an error of 8e-5. A curve from that many groups takes about 0.2 ms.
constexpr std::size_t kMostGroups = 2000;

Ages few(const Ages& ages) {
  return ages.groups.size() <= kMostGroups ? ages : compressed(ages);
}

void read_curve(const HazardCurve& curve, std::span<const double> x, std::span<double> out) {
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = curve.cumulative(x[i]);
}

}  // namespace

AgesOutlook::AgesOutlook(const TabulatedLaw& law, Ages ages)
    : law_{law}, ages_{std::move(ages)}, few_{few(ages_)} {}

const HazardCurve& AgesOutlook::curve(double span) {
  curve_.assign(law_, few_, span, CurveAccuracy::precise);
  return curve_;
}

void AgesOutlook::cumulative(std::span<const double> x, std::span<double> out) {
  assert(!x.empty());
  if (x.size() * ages_.groups.size() <= kMostTerms) {
    return platform_cumulative_hazards(law_.law(), ages_, x, out);
  }
  read_curve(curve(x.back()), x, out);
}

void AgesOutlook::advance(double seconds) {
  for (AgeGroup& group : ages_.groups) group.age += seconds;
  few_ = few(ages_);
}

const HazardCurve& TraceOutlook::curve(double span) {
  assert(hazard_ != nullptr && "strategies that ask need a law");
  hazard_->fill(seen_, date_, span, curve_);
  return curve_;
}

void TraceOutlook::cumulative(std::span<const double> x, std::span<double> out) {
  assert(!x.empty());
  read_curve(curve(x.back()), x, out);
}

}  // namespace holdfast::checkpoints
