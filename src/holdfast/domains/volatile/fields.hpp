#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/domains/volatile/generator.hpp"
#include "holdfast/domains/volatile/instance.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace holdfast::volatile_workers {

inline constexpr double kMostTasks = 1048576;
inline constexpr double kMostSlots = 1e12;
inline constexpr Range kCount{.minimum = 1, .maximum = kMostSlots};
inline constexpr Range kSlots{.minimum = 0, .maximum = kMostSlots};

/// Sizes and bandwidths from which slots are computed, if a document gives them.
/// Source: Casanova et al. 2012, section 3.
struct Physical {
  std::optional<double> slot;           ///< seconds
  std::optional<double> master, link;   ///< bytes/s
  std::optional<double> program, data;  ///< bytes
};

/// Returns the fields of the document and of the generator that may also be given as options.
[[nodiscard]] std::span<const Parameter> fields();
/// Returns the names of the fields that describe random workers, which a live state lists itself.
[[nodiscard]] std::span<const std::string_view> names_of_drawn();
/// Returns the names of all these fields.
[[nodiscard]] std::span<const std::string_view> names_of_all();

/// Return the fields of the job with listed workers, and with random workers including how they are drawn.
[[nodiscard]] const Fields<Instance>& instance_fields();
[[nodiscard]] const Fields<GeneratorParameters>& generator_fields();
[[nodiscard]] const Fields<Physical>& physical_fields();

}  // namespace holdfast::volatile_workers
