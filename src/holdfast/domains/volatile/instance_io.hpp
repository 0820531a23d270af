#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/volatile/instance.hpp"

#include <cstdint>
#include <vector>

namespace holdfast::volatile_workers {

/// Document -> instance, checked. Errors carry a JSON pointer.
[[nodiscard]] Result<Instance> read_instance(const Value& document);
/// Instance -> document that reads back the same.
[[nodiscard]] Value to_value(const Instance& instance);

/// What `predict` reads: chains (two rows of the matrix are enough) and the work.
struct Prediction {
  std::vector<UpChain> chains;
  std::int64_t workload = 1;
};
[[nodiscard]] Result<Prediction> read_prediction(const Value& document);

/// Returns what `offline` reads: states, tasks, and the speed that all workers share or have each.
[[nodiscard]] Result<Instance> read_offline(const Value& document);

}  // namespace holdfast::volatile_workers
