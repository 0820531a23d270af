#pragma once

#include "holdfast/domains/io/metrics.hpp"

#include <vector>

namespace holdfast::io {

/// The results of a window and of each of its applications.
struct Run {
  Metrics metrics;
  std::vector<double> yields;    ///< yields of the applications at the end of the window
  std::vector<double> progress;  ///< dP_i: seconds of dedicated execution inside the window
  std::vector<double> work;      ///< dW_i: seconds of work inside it
  std::vector<double> moved;     ///< bytes moved inside it
};

}  // namespace holdfast::io
