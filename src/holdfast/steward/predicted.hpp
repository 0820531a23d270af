#pragma once

#include "holdfast/base/value.hpp"

#include <string>
#include <vector>

namespace holdfast::steward {

/// The makespan that a simulator predicts for a machine that is free, seconds.
struct Predicted {
  double mean = 0, low = 0, high = 0;  ///< 95 % of the runs are between low and high
};
/// Returns it from the makespans of runs.
[[nodiscard]] Predicted predicted_of(std::vector<double> ends);
[[nodiscard]] std::string in_words(const Predicted& predicted);
[[nodiscard]] Value to_value(const Predicted& predicted);

}  // namespace holdfast::steward
