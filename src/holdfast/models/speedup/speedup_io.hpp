#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/models/speedup/speedup.hpp"

#include <string_view>

namespace holdfast {

/// Reads the `speedup` member of a job:
///
///   {"model": "roofline", "work", "max_parallelism"}
///   {"model": "communication", "work", "overhead"}
///   {"model": "amdahl", "work", "sequential_fraction"}
///   {"model": "power", "work", "exponent"}
///   {"model": "mix", "work", "max_parallelism" (default: unbounded), "sequential_fraction", "overhead"}
///   {"model": "table", "times": [...], "max_parallelism" (default: none)}
///
/// amdahl and mix accept "parallel_work" and "sequential_work" in place of "work" and "sequential_fraction". Works, overhead
/// and times are in seconds. A fractional max_parallelism is rounded down. In a table, max_parallelism caps the job's
/// allocation (at most the length of the table); without it, the caller refuses a table that is shorter than the machine
/// (check_speedup()). Errors carry the pointer of the field.
/// @param where  JSON pointer of the object, for messages
[[nodiscard]] Result<Speedup> read_speedup(const Value& object, std::string_view where);

/// Refuses a table that is neither as long as the machine nor capped.
[[nodiscard]] Status check_speedup(const Speedup& speedup, std::int64_t processors,
                                   std::string_view where);

/// Returns the object from which read_speedup() makes the same value, bit by bit.
[[nodiscard]] Value to_value(const Speedup& speedup);

}  // namespace holdfast
