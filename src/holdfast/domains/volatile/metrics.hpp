#pragma once

#include "holdfast/contract/domain.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::volatile_workers {

/// What one run gave. Times in slots.
struct Metrics {
  std::optional<std::int64_t> makespan;     ///< nothing if the iterations were not all finished
  std::optional<std::int64_t> lower_bound;  ///< no strategy ends earlier; nothing if none is known
  std::optional<std::int64_t> optimum;      ///< the earliest that there is, if it is known
  std::int64_t completed_iterations = 0;
  std::int64_t configurations = 0;  ///< adopted
  std::int64_t attempts_lost = 0;   ///< because a member went down
  bool exhausted = false;           ///< the states are not known up to the slot limit

  friend bool operator==(const Metrics&, const Metrics&) = default;
};

[[nodiscard]] std::vector<Metric> metrics();
/// Returns the values in the order of the table.
[[nodiscard]] std::vector<std::optional<double>> values(const Metrics& metrics);

}  // namespace holdfast::volatile_workers
