#pragma once

#include <cstddef>
#include <string>

namespace holdfast {

/// The largest sizes of documents in bytes, after unpacking: of those that people write (TOML), and of those that programs also
/// write (JSON).
inline constexpr std::size_t kMostToml = std::size_t{64} << 20;
inline constexpr std::size_t kMostJson = std::size_t{256} << 20;
/// How deep objects and lists may stand in each other.
inline constexpr std::size_t kDeepestNesting = 200;

/// Returns the message about a file that holds more: "found more than 64 MiB, expected at most 64 MiB".
[[nodiscard]] std::string longer_than(std::size_t limit);

}  // namespace holdfast
