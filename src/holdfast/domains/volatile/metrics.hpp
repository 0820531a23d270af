#pragma once

#include "holdfast/contract/domain.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::volatile_workers {

/// The results of one run. Times are in slots.
struct Metrics {
  std::optional<std::int64_t> makespan;     ///< absent if some iterations were not finished
  std::optional<std::int64_t> lower_bound;  ///< no strategy ends earlier; absent if unknown
  std::optional<std::int64_t> optimum;      ///< the earliest possible end, if it is known
  std::int64_t completed_iterations = 0;
  std::int64_t configurations = 0;  ///< configurations that were adopted
  std::int64_t attempts_lost = 0;   ///< attempts that were lost because a member went down
  bool exhausted = false;           ///< true: the states are not known up to the slot limit

  friend bool operator==(const Metrics&, const Metrics&) = default;
};

[[nodiscard]] std::vector<Metric> metrics();
/// Returns the values in the order of the table.
[[nodiscard]] std::vector<std::optional<double>> values(const Metrics& metrics);

}  // namespace holdfast::volatile_workers
