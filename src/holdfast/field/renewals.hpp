#pragma once

#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/law.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::field {

/// Which processors of a job were renewed when, by the numbers of an instance: for a record of failures that does not always
/// say which node it was. Dates are in seconds from the start, and never go back.
class Renewals {
 public:
  /// @param groups  ages at date 0, processors numbered in this order
  Renewals(std::span<const AgeGroup> groups, Law law);

  /// Renews a processor and returns its number: the one that is named, else one of the group of the largest count x hazard.
  std::int64_t renew(double date, std::optional<std::int64_t> processor);
  /// Returns the ages at a date.
  [[nodiscard]] Ages at(double date) const;
  /// Returns the number of the processor that is at this position among all in order of age, youngest first.
  [[nodiscard]] std::int64_t by_age(std::int64_t position) const;

 private:
  /// Processors of consecutive numbers that were renewed at one date.
  struct Run {
    double born = 0;
    std::int64_t first = 0;
    std::int64_t count = 0;
  };

  [[nodiscard]] std::size_t likeliest(double date) const;

  Law law_;
  std::vector<Run> runs_;  ///< youngest first
};

}  // namespace holdfast::field
