#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"

#include <optional>
#include <string_view>

namespace holdfast::checkpoint {

/// Returns the default weight of a law, as a number of interruptions: 1, and 3 if it was fitted to a log.
[[nodiscard]] double usual_trust(const Instance& instance);
/// Reads a number greater than 0, or "inf": the law is certain.
[[nodiscard]] std::optional<double> parse_trust(std::string_view text);

}  // namespace holdfast::checkpoint
