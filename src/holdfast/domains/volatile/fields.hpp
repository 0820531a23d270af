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

/// Sizes and bandwidths from which slots follow, where a document gives these.
/// Source: Casanova et al. 2012, section 3.
struct Physical {
  std::optional<double> slot;           ///< seconds
  std::optional<double> master, link;   ///< bytes/s
  std::optional<double> program, data;  ///< bytes
};

/// Fields of the document and of the generator that may also be given as options.
[[nodiscard]] std::span<const Parameter> fields();
/// Returns the names of those that make workers, which a document about now lists itself.
[[nodiscard]] std::span<const std::string_view> names_of_drawn();
/// Returns the names of all of them.
[[nodiscard]] std::span<const std::string_view> names_of_all();

/// Returns the job, of listed and of random workers; the latter with what they are drawn from.
[[nodiscard]] const Fields<Instance>& instance_fields();
[[nodiscard]] const Fields<GeneratorParameters>& generator_fields();
[[nodiscard]] const Fields<Physical>& physical_fields();

}  // namespace holdfast::volatile_workers
