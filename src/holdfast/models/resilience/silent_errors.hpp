#pragma once

#include "holdfast/kernel/random.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast {

/// Silent errors are detected only when an attempt has ended: a failed attempt costs its whole duration and is repeated.

/// Returns the probability that an attempt fails: 1 - exp(-rate * work), by expm1. The work is that of one processor, so
/// that the probability does not depend on the allocation.
/// @param rate  errors per second of work, >= 0
/// @param work  seconds on one processor, >= 0
/// Source: Perotin's thesis, Eq. (2.3).
[[nodiscard]] double failed_attempt_probability(double rate, double work);

/// Returns the expected number of failed attempts before the successful one: q / (1 - q) = expm1(rate * work).
[[nodiscard]] double expected_failed_attempts(double rate, double work);

/// Returns the first job of which more than 10^6 attempts are expected to fail, if there is one. Callers refuse it, since its
/// simulation would not end.
/// @param works  [n] seconds on one processor
[[nodiscard]] std::optional<std::size_t> first_hopeless(double rate, std::span<const double> works);

/// Draws how many attempts of each job fail before one succeeds. The numbers are geometric and take one number of the stream
/// per job: a job's draw does not depend on the works of other jobs, and grows with its own work.
/// @param[out] failed  [n] attempts
/// @pre !first_hopeless(rate, works)
void draw_failed_attempts(Stream& stream, double rate, std::span<const double> works,
                          std::span<std::int64_t> failed);

}  // namespace holdfast
