#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"

#include <string>

/// Failure rates as they are published. Both functions return the mean time between two failures of one node, in seconds.
namespace holdfast {

/// Reads "6.5 per 1000 node-days", "0.02 failures per node-year" or "2e-4/node-h": failures per time of a node (processor, server
/// or host). A number counts failures of one node per second. Rates of GPUs are refused, because GPUs of one node fail together.
/// @param where  the place of the value, for errors
[[nodiscard]] Result<double> read_failure_rate(const Value& value, const std::string& where);

/// Reads an annual failure rate: "5%", or 0.05, failures of one node in a year of 365 days.
[[nodiscard]] Result<double> read_annual_rate(const Value& value, const std::string& where);

}  // namespace holdfast
