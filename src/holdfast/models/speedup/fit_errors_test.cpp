#include "holdfast/models/speedup/fit_errors.hpp"

#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace holdfast;

namespace {

const std::vector<std::int64_t> kProcessors = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};

// Durations with an error of 1 % each.
SpeedupProfile measured(const Speedup& truth, std::uint64_t entity) {
  Stream stream({.purpose = Purpose::tool, .entity = entity});
  std::vector<double> seconds;
  for (const std::int64_t p : kProcessors)
    seconds.push_back(truth.time(p) * sample_normal(stream, 1, 0.01));
  return make_profile(kProcessors, seconds).value();
}

std::vector<SpeedupParameter> refitted(const SpeedupProfile& profile, SpeedupModel model) {
  for (const SpeedupFit& fit : fit_speedups(profile)) {
    if (fit.speedup.model() == model) return fitted_parameters(profile, fit);
  }
  return {};
}

struct Case {
  Speedup truth;
  std::vector<double> values;  ///< in the order of fitted_parameters()
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {Speedup::communication(10000, 0.05), {10000, 0.05}},
      {Speedup::amdahl_of_parts(10000, 100), {10000, 100}},
      {Speedup::power(10000, 0.8), {10000, 0.8}},
      {Speedup::roofline(10000, 90), {10000, 90}},
      {Speedup::mix_of_parts(10000, 50, 20, 0.2), {10000, 50, 0.2, 20}},
  };
  return all;
}

}  // namespace

TEST_CASE("speedup: exact durations give the parameters back, with no error") {
  for (const Case& row : cases()) {
    CAPTURE(name(row.truth.model()));
    std::vector<double> seconds;
    for (const std::int64_t p : kProcessors) seconds.push_back(row.truth.time(p));
    const auto found = refitted(make_profile(kProcessors, seconds).value(), row.truth.model());
    REQUIRE(found.size() == row.values.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      CAPTURE(found[k].name);
      CHECK(found[k].value == doctest::Approx(row.values[k]).epsilon(1e-9));
      if (found[k].standard_error) CHECK(*found[k].standard_error < 1e-6 * row.values[k]);
    }
  }
}

TEST_CASE("speedup: standard errors are those of repeated measurements") {
  constexpr int kRuns = 400;
  for (const Case& row : cases()) {
    CAPTURE(name(row.truth.model()));
    // Of z = (found - truth) / standard error: mean 0; f degrees of freedom give a mean square of f / (f - 2), which is
    // 8 / 6 for two parameters and 3 / 2 for four.
    std::vector<double> sum(row.values.size()), squares(row.values.size());
    std::vector<int> count(row.values.size());
    for (int run = 0; run < kRuns; ++run) {
      const auto found =
          refitted(measured(row.truth, static_cast<std::uint64_t>(run)), row.truth.model());
      for (std::size_t k = 0; k < found.size(); ++k) {
        if (!found[k].standard_error) continue;
        const double z = (found[k].value - row.values[k]) / *found[k].standard_error;
        sum[k] += z;
        squares[k] += z * z;
        ++count[k];
      }
    }
    for (std::size_t k = 0; k < row.values.size(); ++k) {
      CAPTURE(k);
      CHECK(count[k] == kRuns);
      CHECK(std::abs(sum[k] / kRuns) < 0.3);
      CHECK(squares[k] / kRuns > 0.9);
      CHECK(squares[k] / kRuns < 1.9);
    }
  }
}

TEST_CASE("speedup: no error is stated for what the points do not determine") {
  const std::vector<std::int64_t> two = {1, 2};
  const auto few = make_profile(two, {10, 6}).value();
  for (const SpeedupFit& fit : fit_speedups(few)) {
    for (const SpeedupParameter& p : fitted_parameters(few, fit)) CHECK(!p.standard_error);
  }
  // Linear speedup: the sequential work of amdahl lies on its edge.
  std::vector<double> seconds;
  for (const std::int64_t p : kProcessors) seconds.push_back(100.0 / static_cast<double>(p));
  const auto found = refitted(make_profile(kProcessors, seconds).value(), SpeedupModel::amdahl);
  REQUIRE(found.size() == 2);
  CHECK(found[1].value == doctest::Approx(0).epsilon(1e-9));
}
