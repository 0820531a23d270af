#pragma once

#include "holdfast/kernel/random.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast {

/// Silent errors are detected only when an attempt has ended, so a failed attempt costs its whole duration and is repeated.

/// Returns the expected number of failed attempts before the successful one: q / (1 - q) = expm1(rate * work), where
/// q = 1 - exp(-rate * work). The work is measured on one processor, so the probability does not depend on the allocation.
/// @param rate  errors per second of work, >= 0
/// @param work  seconds on one processor, >= 0
/// Source: Perotin's thesis, Eq. (2.3).
[[nodiscard]] double expected_failed_attempts(double rate, double work);

/// Returns the first job for which more than 10^6 failed attempts are expected, if there is one. Callers refuse such a job,
/// because its simulation would never end.
/// @param rate   errors per second of work, >= 0
/// @param works  [n] seconds on one processor
[[nodiscard]] std::optional<std::size_t> first_hopeless(double rate, std::span<const double> works);

/// Draws the number of failed attempts of each job before the first success. The numbers are geometric, and each job takes one
/// number of the stream: its draw does not depend on the works of other jobs, and grows with its own work.
/// @param rate   errors per second of work, >= 0
/// @param works  [n] seconds on one processor
/// @param[out] failed  [n] attempts
/// @pre !first_hopeless(rate, works)
void draw_failed_attempts(Stream& stream, double rate, std::span<const double> works,
                          std::span<std::int64_t> failed);

}  // namespace holdfast
