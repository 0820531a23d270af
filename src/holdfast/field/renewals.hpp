#pragma once

#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/law.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::field {

/// A record of when each processor of a job was renewed, with the processor numbers of an instance. It is used for records of
/// failures that do not always name the node. Dates are in seconds from the start and never go back.
class Renewals {
 public:
  /// @param groups  ages at date 0, processors numbered in this order
  Renewals(std::span<const AgeGroup> groups, Law law);

  /// Renews a processor and returns its number: the named one, otherwise one from the group with the largest count x hazard.
  std::int64_t renew(double date, std::optional<std::int64_t> processor);
  /// Returns the ages at a date.
  [[nodiscard]] Ages at(double date) const;
  /// Returns the number of the processor at this position in order of age, youngest first.
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
