#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"

#include <cstdint>
#include <string>

namespace holdfast {

/// The object "failures" of a document with the mean of one processor, 'mtbf', in place of that of the whole machine,
/// 'platform_mtbf', which is so many times shorter. Without 'platform_mtbf' the object as it is.
/// @param where  pointer to the object, for errors
/// @param processors  that fail independently; fewer than 1 count as 1
/// @returns bad_value where the mean of one processor is given in another way too
[[nodiscard]] Result<Value> of_one_processor(const Value& object, const std::string& where,
                                             std::int64_t processors);

}  // namespace holdfast
