#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/io/instance.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::io {

/// A worst case from the source: an instance, the schedule of the proof (as Instance::given), and the values from the proof.
/// All examples have B = b_i = p_i = 1. Source: thesis, section 7.5, Examples 1 to 6.
struct Example {
  std::string_view name = {};    ///< "example-1"
  std::string_view metric = {};  ///< the objective that the example is about
  Instance instance = {};
  double reference = 0;  ///< the objective's value in the proof's schedule, for this size
  /// Ratio of that value to the value of the attacked strategy, for this size.
  double bound = 0;
};

[[nodiscard]] std::span<const std::string_view> example_names();

/// Returns an example. @param name  one of example_names()
/// @param size  m, the number of applications; for example-1b K, with K * K + 1 applications
/// @param epsilon  in (0, 1); used by examples 2, 3 and 6
/// @returns bad_value if the example needs another size
[[nodiscard]] Result<Example> make_example(std::string_view name, std::int64_t size,
                                           double epsilon = 1e-3);

}  // namespace holdfast::io
