#pragma once

#include <cstddef>
#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace holdfast::capacity {

/// The number of values that mask_at_least() compares.
inline constexpr std::size_t kBlock = 32;

/// Returns a mask whose bit k says whether values[k] >= least, for k < kBlock. A search of an availability profile walks over
/// runs of such bits. Walking over the steps one by one would cost a mispredicted branch at about every second step.
[[nodiscard]] inline std::uint32_t mask_at_least(const std::int32_t* values, std::int32_t least) {
#if defined(__SSE2__)
  const __m128i below = _mm_set1_epi32(least - 1);
  const auto four = [&](const std::int32_t* from) {
    return _mm_cmpgt_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)), below);
  };
  const auto sixteen = [&](const std::int32_t* from) {
    const __m128i low = _mm_packs_epi32(four(from), four(from + 4));
    const __m128i high = _mm_packs_epi32(four(from + 8), four(from + 12));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
  };
  return sixteen(values) | sixteen(values + 16) << 16U;
#else
  std::uint32_t out = 0;
  for (std::size_t k = 0; k < kBlock; ++k) {
    out |= static_cast<std::uint32_t>(values[k] >= least ? 1 : 0) << k;
  }
  return out;
#endif
}

}  // namespace holdfast::capacity
