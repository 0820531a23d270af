#pragma once

#include "holdfast/campaign/description.hpp"
#include "holdfast/python/answered.hpp"
#include "holdfast/report/line_chart.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace holdfast::python {

/// What a simulation has beside its answer.
struct Simulated : Answered {
  std::vector<std::string> strategies;
  std::vector<StoredMetric> metrics;
  std::uint64_t scenarios = 1;
  std::uint64_t checked = 0;
  std::shared_ptr<const std::vector<double>> values;  ///< [scenario][strategy][metric]
  std::vector<std::uint8_t> flags;                    ///< [scenario][strategy]
  std::vector<std::shared_ptr<NamedSchedule>> timelines;
};

/// An answer with a picture of what was fitted.
struct Fitted : Answered {
  static constexpr std::size_t kSurvivalColumns = 6;

  LineChart picture;
  /// Kaplan-Meier, a row for each age at which something failed: age, at risk, failures, survival, and its interval. Empty
  /// where what was fitted is no lifetimes.
  std::vector<double> survival;
};

}  // namespace holdfast::python
