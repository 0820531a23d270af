#pragma once

#include <cstddef>
#include <string>

namespace holdfast {

/// The largest size of a TOML document, in bytes after decompression. People write such documents.
inline constexpr std::size_t kMostToml = std::size_t{64} << 20;
/// The largest size of a JSON document, in bytes after decompression. Programs write such documents too.
inline constexpr std::size_t kMostJson = std::size_t{256} << 20;
/// The deepest nesting of objects and lists that a document may have.
inline constexpr std::size_t kDeepestNesting = 200;

/// Returns the message about a file that is too large: "found more than 64 MiB, expected at most 64 MiB".
[[nodiscard]] std::string longer_than(std::size_t limit);

}  // namespace holdfast
