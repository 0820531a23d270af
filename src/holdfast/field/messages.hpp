#pragma once

#include "holdfast/field/event.hpp"

#include <optional>
#include <string_view>

namespace holdfast::field {

/// Reads a line that a program wrote into the pipe of its guard: "ready", "begin", "begin asynchronous", "done", "failed", "durable", "progress X
/// [TOTAL]". Returns nothing for any other line.
[[nodiscard]] std::optional<Event> read_message(std::string_view line);

/// Returns the number after the first `text` in a line; nothing if there is none.
[[nodiscard]] std::optional<double> number_behind(std::string_view line, std::string_view text);

}  // namespace holdfast::field
