#include "holdfast/algorithms/bandwidth/strategy.hpp"

#include "holdfast/kernel/statistics.hpp"

#include <algorithm>

namespace holdfast::bandwidth {

double median(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  return quantile(values, 0.5);
}

void Strategy::decide(const Situation& situation, std::span<double> rates) {
  double asked = 0;
  for (const Pending& request : situation.requests) asked += request.bandwidth;
  constexpr double kRounding = 1 + 1e-12;  // ten tenths must not count as more than one
  const bool all_fit = asked <= situation.bandwidth * kRounding;
  if (!all_fit || !fills_up()) return share(situation, rates);
  for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = situation.requests[i].bandwidth;
}

}  // namespace holdfast::bandwidth
