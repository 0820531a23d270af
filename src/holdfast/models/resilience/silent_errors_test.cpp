#include "holdfast/models/resilience/silent_errors.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace holdfast {

TEST_CASE("silent errors: expected number of failed attempts, by hand") {
  CHECK(expected_failed_attempts(0, 1e9) == 0);
  // Small ones keep their digits: exp(1e-12) - 1 = 1e-12 + 5e-25.
  CHECK(expected_failed_attempts(1e-12, 1) == doctest::Approx(1e-12).epsilon(1e-12));
  // 4e6 s at 1e-6 per second: q / (1 - q) = e^4 - 1.
  CHECK(expected_failed_attempts(1e-6, 4e6) == doctest::Approx(std::exp(4.0) - 1).epsilon(1e-14));
}

TEST_CASE("silent errors: a job that would fail for ever is named") {
  const std::vector<double> works = {1, 13.8, 13.9};  // e^13.8 = 984,609, e^13.9 = 1,088,161
  CHECK(!first_hopeless(0, works));
  CHECK(first_hopeless(1, works) == 2);
  CHECK(first_hopeless(1e308, works) == 0);
}

TEST_CASE("silent errors: without errors no attempt fails, but the stream advances") {
  const std::vector<double> works = {1, 2, 3};
  std::vector<std::int64_t> failed(3, 7);
  Stream stream({.seed = 4, .purpose = Purpose::failures}), same = stream;
  draw_failed_attempts(stream, 0, works, failed);
  CHECK(failed == std::vector<std::int64_t>{0, 0, 0});
  for (int i = 0; i < 3; ++i) same.bits();
  CHECK(stream.bits() == same.bits());
}

TEST_CASE("silent errors: the mean is that of the law, and more work never fails less") {
  const std::size_t jobs = 100'000;
  const std::vector<double> works(jobs, std::log(3.0)), longer(jobs, std::log(4.0));
  std::vector<std::int64_t> failed(jobs), more(jobs);
  Stream one({.purpose = Purpose::failures}), two = one;
  draw_failed_attempts(one, 1, works, failed);
  draw_failed_attempts(two, 1, longer, more);
  const auto sum = std::accumulate(failed.begin(), failed.end(), std::int64_t{0});
  // Mean 2, variance 6: five standard errors.
  CHECK(std::abs(static_cast<double>(sum) / jobs - 2) < 5 * std::sqrt(6.0 / jobs));
  for (std::size_t job = 0; job < jobs; ++job) CHECK(more[job] >= failed[job]);
}

}  // namespace holdfast
