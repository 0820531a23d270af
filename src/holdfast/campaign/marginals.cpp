#include "holdfast/campaign/marginals.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/campaign/clustered_mean.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <cassert>
#include <cmath>

namespace holdfast {
namespace {

class Accumulator {
 public:
  void add(std::size_t draw, double numerator, double denominator) {
    const double ratio = numerator / denominator;
    if (!std::isfinite(ratio)) return;
    ratios_.add(ratio);
    if (!(ratio > 0)) return;
    logarithms_.add(draw, elementary::log(ratio));
  }

  void finish(Marginal& marginal) const {
    marginal.pairs = static_cast<std::uint64_t>(ratios_.count());
    marginal.geometric_mean = ratios_.mean();
    marginal.geometric_sd = ratios_.standard_deviation();
    const auto interval = logarithms_.interval();
    if (marginal.geometric_mean && interval) {
      marginal.interval =
          std::array{elementary::exp((*interval)[0]), elementary::exp((*interval)[1])};
    }
  }

 private:
  GeometricMoments ratios_;
  ClusteredMean logarithms_;
};

}  // namespace

Result<std::vector<Marginal>> ratio_marginals(const Results& results, std::size_t metric,
                                              std::size_t other) {
  const Description& description = results.description();
  assert(description.baseline && *description.baseline != other);
  const std::size_t baseline = *description.baseline;

  std::vector<Marginal> marginals;
  std::vector<std::size_t> first_of_axis;
  for (std::size_t axis = 0; axis < description.axes.size(); ++axis) {
    first_of_axis.push_back(marginals.size());
    for (std::size_t i = 0; i < description.axes[axis].values.size(); ++i) {
      Marginal marginal;
      marginal.axis = axis;
      marginal.value = i;
      marginals.push_back(marginal);
    }
  }
  marginals.push_back({});
  std::vector<Accumulator> accumulators(marginals.size());

  HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) -> Status {
    std::vector<std::size_t> places{marginals.size() - 1};
    std::size_t rest = cells.position();  // in a full product, whose last axis varies fastest
    for (std::size_t axis = description.axes.size(); axis-- > 0;) {
      const std::size_t count = description.axes[axis].values.size();
      places.push_back(first_of_axis[axis] + rest % count);
      rest /= count;
    }
    if (gave_up(cells, baseline) || gave_up(cells, other)) {
      for (const std::size_t place : places) ++marginals[place].left_out;
      return {};
    }
    for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
      const auto numerator = cells.value(draw, baseline, metric);
      const auto denominator = cells.value(draw, other, metric);
      if (!numerator || !denominator) continue;
      for (const std::size_t place : places)
        accumulators[place].add(draw, *numerator, *denominator);
    }
    return {};
  }));
  for (std::size_t i = 0; i < marginals.size(); ++i) accumulators[i].finish(marginals[i]);
  return marginals;
}

}  // namespace holdfast
