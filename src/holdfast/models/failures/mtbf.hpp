#pragma once

#include "holdfast/base/reader.hpp"

#include <cstdint>
#include <optional>

namespace holdfast {

/// Mean time between failures of one processor, seconds: the field 'mtbf', or 'platform_mtbf' of all processors
/// together, which is that divided by their number. Nothing where the document has neither; both are refused.
[[nodiscard]] std::optional<double> read_mtbf(ObjectReader& read, std::int64_t processors);

/// The same where the mean has a field of its own: 'platform_mtbf' in place of the 'mtbf' that was read.
void read_platform_mtbf(ObjectReader& read, std::int64_t processors, double& mtbf);

}  // namespace holdfast
