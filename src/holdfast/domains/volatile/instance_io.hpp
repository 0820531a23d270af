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
/// Returns the matrix as a list of three lists of three probabilities.
[[nodiscard]] Value matrix_value(const TransitionMatrix& matrix);

/// The input of `predict`: chains (two rows of the matrix are enough) and the work.
struct Prediction {
  std::vector<UpChain> chains;
  std::int64_t workload = 1;
};
[[nodiscard]] Result<Prediction> read_prediction(const Value& document);

/// Returns the input of `offline`: states, tasks, and the speed of each worker, which may be common to all.
[[nodiscard]] Result<Instance> read_offline(const Value& document);

}  // namespace holdfast::volatile_workers
