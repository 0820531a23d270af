#pragma once

#include <cstdint>

namespace holdfast::checkpoints {

/// A number of checkpoints that a strategy considered before it decided.
struct Candidate {
  std::int64_t checkpoints = 0;  ///< number of checkpoints
  double expected_work = 0;      ///< seconds of work saved before the next failure (or the end)
  double expected_time = 0;      ///< seconds until the next failure (or the end)
};

}  // namespace holdfast::checkpoints
