#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/volatile/instance.hpp"

#include <cstdint>
#include <vector>

namespace holdfast::volatile_workers {

/// Reads and checks an instance. Errors have the JSON pointer of the field.
[[nodiscard]] Result<Instance> read_instance(const Value& document);
/// Returns the document that reads back as the same instance.
[[nodiscard]] Value to_value(const Instance& instance);
/// A list of three lists of three probabilities.
[[nodiscard]] Value matrix_value(const TransitionMatrix& matrix);

/// What `predict` reads: chains (two rows of the matrix are enough) and the work.
struct Prediction {
  std::vector<UpChain> chains;
  std::int64_t workload = 1;
};
[[nodiscard]] Result<Prediction> read_prediction(const Value& document);

/// Returns what `offline` reads: states, tasks, and the speed that all workers share or have each.
[[nodiscard]] Result<Instance> read_offline(const Value& document);

}  // namespace holdfast::volatile_workers
