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
  std::string file = {};  ///< a record
  std::string window = "longest";
  std::string strategy = "all";  ///< the others: a list with commas, or all
  double tolerance = 0.03;       ///< of minimum yield and efficiency
};

/// The options of `io compare`, and its argument.
[[nodiscard]] std::span<const Parameter> compare_parameters();
[[nodiscard]] std::span<const Parameter> compare_arguments();
/// Reads their values. Errors name the option.
[[nodiscard]] Result<CompareOptions> read_compare_options(const Value& values);

/// What an arbiter gave to each application in a window of its record, beside what the simulator says that it would have
/// given, and other strategies too. The answer is no if the prediction for the strategy that it had is off by more than
/// the tolerance.
[[nodiscard]] Result<Answer> compare(const io::Record& record, const CompareOptions& options);

}  // namespace holdfast::arbiter
