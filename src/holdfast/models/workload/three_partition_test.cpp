#include "holdfast/models/workload/three_partition.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace holdfast {

TEST_CASE("planted triplets: each sums to the target, all between a quarter and half of it") {
  Stream stream({.seed = 7});
  const auto numbers = planted_numbers(1000, stream);
  CHECK(numbers.size() == 3000);
  std::vector<std::int64_t> sums(1000, 0), counts(1000, 0);
  for (const auto& [value, triplet] : numbers) {
    CHECK(4 * value > kTripletSum);
    CHECK(2 * value < kTripletSum);
    sums.at(static_cast<std::size_t>(triplet)) += value;
    ++counts.at(static_cast<std::size_t>(triplet));
  }
  CHECK(sums == std::vector<std::int64_t>(1000, kTripletSum));
  CHECK(counts == std::vector<std::int64_t>(1000, 3));
}

}  // namespace holdfast
