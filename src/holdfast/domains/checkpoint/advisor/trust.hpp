#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"

#include <optional>
#include <string_view>

namespace holdfast::checkpoint {

/// Interruptions that a law is worth where nobody says so: 1, and 3 if it was fitted to a log.
[[nodiscard]] double usual_trust(const Instance& instance);
/// A number greater than 0, or "inf": the law is the truth.
[[nodiscard]] std::optional<double> parse_trust(std::string_view text);

}  // namespace holdfast::checkpoint
