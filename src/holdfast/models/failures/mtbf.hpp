#pragma once

#include "holdfast/base/reader.hpp"

#include <cstdint>
#include <optional>

namespace holdfast {

/// Reads the mean time between failures of one processor, in seconds: the field 'mtbf', or 'platform_mtbf' of all processors
/// together, which is the former divided by their number. Returns nothing if the document has neither. Having both is an error.
[[nodiscard]] std::optional<double> read_mtbf(ObjectReader& read, std::int64_t processors);

/// Reads that mean into `mtbf`, which keeps its value if the document has neither field.
void read_platform_mtbf(ObjectReader& read, std::int64_t processors, double& mtbf);

}  // namespace holdfast
