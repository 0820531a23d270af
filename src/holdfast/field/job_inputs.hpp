#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"

#include <span>
#include <string>
#include <vector>

namespace holdfast::field {

/// Looks at the files and folders that a job reads.
/// @returns an array of objects, as a journal has them; bad_value if one cannot be read
[[nodiscard]] Result<Value> look_at_inputs(std::span<const std::string> paths);

/// Adds the SHA-256 of each input of up to 1 GB that has none.
void add_digests(Value& inputs);

/// Returns true if two looks saw the same inputs: the same paths and sizes, and the same times or digests.
/// @param now  gets digests if they are needed
[[nodiscard]] bool are_same_inputs(const Value& before, Value& now);

/// Returns true if a digest of them was needed.
[[nodiscard]] bool have_digests(const Value& inputs);

}  // namespace holdfast::field
