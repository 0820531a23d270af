#pragma once

#include "holdfast/kernel/statistics.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast {

/// The mean of values from many points of a campaign. Values of different points may come from the same realisation and are
/// then not independent; the interval takes that into account.
class ClusteredMean {
 public:
  /// @param draw   instance and scenario as one number; values with the same number share their realisation
  /// @param value  finite
  void add(std::size_t draw, double value);

  [[nodiscard]] std::int64_t count() const { return moments_.count(); }
  /// Returns the mean of the values. @pre count() > 0
  [[nodiscard]] double mean() const { return moments_.mean(); }
  /// Returns the 95 % interval. It is computed from the draws (at most 1024 groups of them), whose contributions to the mean
  /// are treated as independent. It uses the linearised variance of a mean of groups with different weights, and Student's t
  /// with one degree of freedom less than the number of groups. Returns nothing for fewer than two groups.
  [[nodiscard]] std::optional<std::array<double, 2>> interval() const;

 private:
  struct Share {
    double sum = 0;
    double count = 0;
  };
  Moments moments_;
  std::vector<Share> shares_;
};

}  // namespace holdfast
