#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/domains/io/record.hpp"

#include <span>
#include <string>

namespace holdfast::arbiter {

struct CompareOptions {
  std::string file = {};  ///< the file of a record
  std::string window = "longest";
  std::string strategy = "all";  ///< the other strategies: a list with commas, or all
  double tolerance = 0.03;       ///< allowed difference of minimum yield and efficiency
};

/// Returns the options of `io compare` and its argument.
[[nodiscard]] std::span<const Parameter> compare_parameters();
[[nodiscard]] std::span<const Parameter> compare_arguments();
/// Reads the values of these options. Errors name the option.
[[nodiscard]] Result<CompareOptions> read_compare_options(const Value& values);

/// Compares what an arbiter gave to each application in a window of its record with what the simulator predicts, for the same
/// strategy and for others. The answer is "no" if the prediction for the arbiter's own strategy differs by more than the
/// tolerance.
[[nodiscard]] Result<Answer> compare(const io::Record& record, const CompareOptions& options);

}  // namespace holdfast::arbiter
