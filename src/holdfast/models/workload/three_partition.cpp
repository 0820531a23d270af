#include "holdfast/models/workload/three_partition.hpp"

namespace holdfast {

std::vector<PlantedNumber> planted_numbers(std::int64_t triplets, Stream& stream) {
  std::vector<PlantedNumber> numbers;
  for (std::int64_t i = 0; i < triplets; ++i) {
    // Two numbers in [30, 36] leave a third in [28, 40].
    const std::int64_t a = stream.integer(30, 36);
    const std::int64_t b = stream.integer(30, 36);
    for (const std::int64_t value : {a, b, kTripletSum - a - b}) numbers.push_back({value, i});
  }
  return numbers;
}

}  // namespace holdfast
