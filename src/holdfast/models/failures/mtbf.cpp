#include "holdfast/models/failures/mtbf.hpp"

#include <algorithm>

namespace holdfast {

std::optional<double> read_mtbf(ObjectReader& read, std::int64_t processors) {
  const auto one = read.optional_quantity("mtbf", Unit::seconds, positive());
  const auto all = read.optional_quantity("platform_mtbf", Unit::seconds, positive());
  if (!all) return one;
  if (one)
    read.refuse("platform_mtbf", "found both 'mtbf' and 'platform_mtbf', expected one of them");
  return *all * static_cast<double>(std::max<std::int64_t>(processors, 1));
}

void read_platform_mtbf(ObjectReader& read, std::int64_t processors, double& mtbf) {
  if (const auto mean = read_mtbf(read, processors)) mtbf = *mean;
}

}  // namespace holdfast
