#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/io/instance.hpp"

#include <array>
#include <string_view>

namespace holdfast::io {

inline constexpr auto kProfiles = std::to_array<std::string_view>({"default", "author"});
inline constexpr auto kTies = std::to_array<std::string_view>({"posting", "index"});
inline constexpr auto kHorizons = std::to_array<std::string_view>({"completion", "window"});
inline constexpr auto kTimers = std::to_array<std::string_view>({"grid", "rolling"});
inline constexpr auto kLearning = std::to_array<std::string_view>({"post", "complete"});
inline constexpr auto kWindows = std::to_array<std::string_view>({"rest", "whole"});

/// Takes the fields that say how the source is read; errors stay in the reader.
[[nodiscard]] Reading read_reading(ObjectReader& read);
/// And writes them.
void set_reading(Value& document, const Reading& reading);

}  // namespace holdfast::io
