#pragma once

#include <cstdint>
#include <string_view>

namespace holdfast {

/// Returns the CRC-32 of a text, as gzip and PNG use it. It detects every flipped bit and every burst of up to 32 bits.
[[nodiscard]] std::uint32_t crc32_of(std::string_view bytes);

}  // namespace holdfast
