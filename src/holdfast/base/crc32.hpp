#pragma once

#include <cstdint>
#include <string_view>

namespace holdfast {

/// Returns the CRC-32 of a text (that of gzip and PNG): finds every flipped bit, and bursts of up to 32.
[[nodiscard]] std::uint32_t crc32_of(std::string_view bytes);

}  // namespace holdfast
