#pragma once

#include "holdfast/kernel/random.hpp"

#include <array>
#include <cstdint>
#include <vector>

/// Numbers for the reductions from 3-partition that prove problems of scheduling NP-hard.
namespace holdfast {

/// Sum of a planted triplet.
inline constexpr std::int64_t kTripletSum = 100;

/// So many triplets of whole numbers, each strictly between a quarter and half of kTripletSum: a case of 3-partition whose
/// answer is yes.
[[nodiscard]] std::vector<std::array<std::int64_t, 3>> planted_triplets(std::int64_t count,
                                                                        Stream& stream);

}  // namespace holdfast
