#pragma once

#include "holdfast/base/reader.hpp"

#include <cstdint>
#include <optional>

namespace holdfast {

/// Mean time between failures of one processor, seconds: the field 'mtbf', or 'platform_mtbf' of all processors
/// together, which is that divided by their number. Nothing where the document has neither; both are refused.
[[nodiscard]] std::optional<double> read_mtbf(ObjectReader& read, std::int64_t processors);

/// The same into a mean that stays what it is where the document has neither.
void read_platform_mtbf(ObjectReader& read, std::int64_t processors, double& mtbf);

}  // namespace holdfast
