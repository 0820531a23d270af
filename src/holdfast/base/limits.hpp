#pragma once

#include <cstddef>
#include <string>

namespace holdfast {

/// What documents may hold, after unpacking: those that people write (TOML), and those that programs write too (JSON).
inline constexpr std::size_t kMostToml = std::size_t{64} << 20;
inline constexpr std::size_t kMostJson = std::size_t{256} << 20;

/// What is said of a file that holds more: "found more than 64 MiB, expected at most 64 MiB".
[[nodiscard]] std::string longer_than(std::size_t limit);

}  // namespace holdfast
