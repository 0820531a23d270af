#pragma once

#include "holdfast/contract/field.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::checkpoint {

/// Returns the fields of an instance document as options, for help texts, completion and campaigns.
[[nodiscard]] std::span<const Parameter> fields();

/// Return the fields that precede "failures" in a document, and those that follow. The fields of failures depend on each other,
/// so code of their own reads them.
[[nodiscard]] const Fields<Instance>& job_fields();
[[nodiscard]] const Fields<Instance>& platform_fields();
/// Returns the fields of spares and repairs (spare_platform.hpp).
[[nodiscard]] const Fields<Instance>& spare_fields();

/// The words of Replacement and FailedRepair in documents and options, in their order.
inline constexpr auto kReplacements =
    std::to_array<std::string_view>({"new", "oldest", "last-repaired", "random", "same"});
inline constexpr auto kFailedRepairs = std::to_array<std::string_view>({"again", "returns"});

/// The words of Join.
inline constexpr auto kJoins = std::to_array<std::string_view>({"checkpoint", "failure"});

/// The names of the fields of spares and repairs.
inline constexpr auto kSpareNames = std::to_array<std::string_view>(
    {"spares", "repair", "repair_distribution", "repair_shape", "repair_log_sd", "repairers",
     "repair_failure", "failed_repair", "relapse", "replacement", "idle_ageing", "spare_delay",
     "node_price", "minimum_nodes", "speed", "join"});

/// Returns a verb's list of fields that it ignores, and those names.
template <std::size_t N>
[[nodiscard]] constexpr auto and_spares(const std::array<std::string_view, N>& fields) {
  std::array<std::string_view, N + kSpareNames.size()> out{};
  std::ranges::copy(kSpareNames, std::ranges::copy(fields, out.begin()).out);
  return out;
}

/// Adds a warning if a document has fields that a verb ignores, which are named.
void warn_of_unused(std::span<const std::string_view> unused, const Value& document,
                    std::vector<std::string>& warnings);

}  // namespace holdfast::checkpoint
