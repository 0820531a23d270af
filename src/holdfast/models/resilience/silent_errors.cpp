#include "holdfast/models/resilience/silent_errors.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <cassert>

namespace holdfast {

double expected_failed_attempts(double rate, double work) {
  return elementary::expm1(rate * work);
}

std::optional<std::size_t> first_hopeless(double rate, std::span<const double> works) {
  constexpr double kMost = 1e6;
  for (std::size_t job = 0; job < works.size(); ++job) {
    if (!(expected_failed_attempts(rate, works[job]) <= kMost)) return job;
  }
  return std::nullopt;
}

void draw_failed_attempts(Stream& stream, double rate, std::span<const double> works,
                          std::span<std::int64_t> failed) {
  assert(works.size() == failed.size());
  for (std::size_t job = 0; job < works.size(); ++job) {
    // A failed attempt is a failure before the first success, whose probability is exp(-rate * work).
    failed[job] = sample_geometric(stream, elementary::exp(-rate * works[job]));
  }
}

}  // namespace holdfast
