#pragma once

#include "holdfast/campaign/description.hpp"
#include "holdfast/python/answered.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace holdfast::python {

/// The answer of a simulation, with all its runs.
struct Simulated : Answered {
  using Answered::Answered;

  std::vector<std::string> strategies;
  std::vector<std::string> shown;  ///< the strategies as they were written
  std::vector<StoredMetric> metrics;
  std::uint64_t scenarios = 1;
  std::uint64_t checked = 0;
  std::shared_ptr<const std::vector<double>> values;  ///< [scenario][strategy][metric]
  std::vector<std::uint8_t> flags;                    ///< [scenario][strategy]
};

/// The answer of a fit, with its picture.
struct Fitted : Answered {
  using Answered::Answered;

  static constexpr std::size_t kSurvivalColumns = 7;

  std::string svg;  ///< its picture; empty if nothing could be fitted
  /// The Kaplan-Meier estimate, a row for each age (seconds) at which a unit failed: age, number at risk, failures, survival,
  /// and the two ends of its interval. Empty if the data were not lifetimes.
  std::vector<double> survival;
};

}  // namespace holdfast::python
