#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"

#include <cstdint>
#include <string>

namespace holdfast {

/// Returns the object "failures" of a document with 'mtbf' (the mean of one processor) in place of 'platform_mtbf' (that of the
/// whole machine, which is the former divided by the number of processors), 'failure_rate' or 'afr'. Without them the object is
/// returned unchanged.
/// @param where  pointer to the object, for errors
/// @param processors  number of processors that fail independently; fewer than 1 count as 1
/// @returns bad_value if the mean of one processor is also given in another way
[[nodiscard]] Result<Value> of_one_processor(const Value& object, const std::string& where,
                                             std::int64_t processors);

}  // namespace holdfast
