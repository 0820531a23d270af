#include "holdfast/steward/predicted.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast::steward {

Predicted predicted_of(std::vector<double> ends) {
  std::ranges::sort(ends);
  Predicted out{.low = quantile(ends, 0.025), .high = quantile(ends, 0.975)};
  for (const double end : ends) out.mean += end / static_cast<double>(ends.size());
  return out;
}

std::string in_words(const Predicted& predicted) {
  std::string out = format_duration(predicted.mean);
  if (predicted.low < predicted.high)
    out += fmt::format(" (95 % of runs: {} to {})", format_duration(predicted.low),
                       format_duration(predicted.high));
  return out;
}

Value to_value(const Predicted& predicted) {
  return Value::object(
      {{"mean", predicted.mean}, {"low", predicted.low}, {"high", predicted.high}});
}

}  // namespace holdfast::steward
