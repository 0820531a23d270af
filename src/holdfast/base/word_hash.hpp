#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace holdfast {

/// Returns FNV-1a over words of eight bytes, which detects partial and damaged bytes, but not forged ones. It is the same on all
/// little-endian machines.
[[nodiscard]] inline std::uint64_t word_hash(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
    sum = (sum ^ word) * 0x100000001b3;
  }
  return sum;
}

}  // namespace holdfast
