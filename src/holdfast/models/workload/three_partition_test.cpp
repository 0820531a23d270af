#include "holdfast/models/workload/three_partition.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace holdfast {

TEST_CASE("planted triplets: each sums to the target, all between a quarter and half of it") {
  Stream stream({.seed = 7});
  const auto triplets = planted_triplets(1000, stream);
  CHECK(triplets.size() == 1000);
  for (const auto& triplet : triplets) {
    CHECK(std::accumulate(triplet.begin(), triplet.end(), std::int64_t{0}) == kTripletSum);
    for (const std::int64_t number : triplet) {
      CHECK(4 * number > kTripletSum);
      CHECK(2 * number < kTripletSum);
    }
  }
}

}  // namespace holdfast
