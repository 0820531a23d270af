#pragma once

#include "holdfast/kernel/random.hpp"

#include <cstdint>
#include <vector>

/// Numbers for reductions from 3-partition, which prove that scheduling problems are NP-hard.
namespace holdfast {

/// The sum of a planted triplet.
inline constexpr std::int64_t kTripletSum = 100;

/// One number of a planted triplet.
struct PlantedNumber {
  std::int64_t value = 0;    ///< the number, without a unit
  std::int64_t triplet = 0;  ///< counted from 0; the numbers of one triplet sum to kTripletSum
};

/// Returns an instance of 3-partition whose answer is yes: the numbers of the given number of triplets, one triplet after the
/// other. Each is strictly between a quarter and half of kTripletSum.
[[nodiscard]] std::vector<PlantedNumber> planted_numbers(std::int64_t triplets, Stream& stream);

}  // namespace holdfast
