#include "holdfast/models/workload/three_partition.hpp"

namespace holdfast {

std::vector<std::array<std::int64_t, 3>> planted_triplets(std::int64_t count, Stream& stream) {
  std::vector<std::array<std::int64_t, 3>> triplets;
  for (std::int64_t i = 0; i < count; ++i) {
    // Two numbers within [30, 36] leave a third within [28, 40].
    const std::int64_t a = stream.integer(30, 36);
    const std::int64_t b = stream.integer(30, 36);
    triplets.push_back({a, b, kTripletSum - a - b});
  }
  return triplets;
}

}  // namespace holdfast
