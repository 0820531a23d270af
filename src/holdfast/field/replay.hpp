#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/field/history.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace holdfast::field {

/// What a strategy would have made of the same failures.
struct Replayed {
  std::string strategy;
  double makespan = 0;  ///< seconds, for the work that is safe now
  double failures = 0;  ///< it met
  bool outlives_record =
      false;  ///< it needs longer than the record: it meets no failure after that
};

/// Runs the usual strategies against the failures of a guarded job, with the checkpoints, recoveries and downtimes that it had in the
/// mean. Quick ends are left out: they say nothing about nodes.
/// @param instance   what the guard was told of costs and failures
/// @param directory  where its paths start
/// @returns nothing where no work is safe, or no checkpoint took a time that could be seen
[[nodiscard]] Result<std::vector<Replayed>> replay(const History& history, const Value& instance,
                                                   const std::filesystem::path& directory);

}  // namespace holdfast::field
