#include "holdfast/models/speedup/profile.hpp"

#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace holdfast {
namespace {

SpeedupProfile profile_of(const Speedup& speedup, const std::vector<std::int64_t>& processors,
                          double noise = 0) {
  Stream random({.instance = 5});
  std::vector<double> seconds;
  for (const std::int64_t p : processors) {
    seconds.push_back(speedup.time(p) * (1 + noise * sample_normal(random, 0, 1)));
  }
  return make_profile(processors, seconds).value();
}

const SpeedupFit& fit_of(const std::vector<SpeedupFit>& fits, SpeedupModel model) {
  for (const SpeedupFit& fit : fits) {
    if (fit.speedup.model() == model) return fit;
  }
  FAIL("no such fit");
  return fits.front();
}

const std::vector<std::int64_t> kDoubling{1, 2, 4, 8, 16, 32, 64, 128};

}  // namespace

TEST_CASE("profile: sorted, repetitions by their median") {
  const auto profile = make_profile({4, 1, 4, 2, 4}, {5, 10, 7, 6, 4});
  REQUIRE(profile.has_value());
  CHECK(profile->processors == std::vector<std::int64_t>{1, 2, 4});
  CHECK(profile->seconds == std::vector<double>{10, 6, 5});
  CHECK_FALSE(make_profile({}, {}).has_value());
  CHECK_FALSE(make_profile({0}, {1}).has_value());
  CHECK_FALSE(make_profile({1}, {0}).has_value());
}

TEST_CASE("profile: steps that break monotonicity are reported, with their size") {
  // 16 to 32 is slower; 2 to 4 is superlinear: area 12 to 10.
  const auto profile = make_profile({1, 2, 4, 16, 32}, {10, 6, 2.5, 1.561, 1.908}).value();
  const auto flaws = profile_flaws(profile);
  REQUIRE(flaws.size() == 2);
  CHECK(flaws[0].kind == ProfileFlaw::Kind::superlinear);
  CHECK(flaws[0].step == 1);
  CHECK(flaws[0].change == doctest::Approx(10.0 / 12 - 1));
  CHECK(flaws[1].kind == ProfileFlaw::Kind::slower);
  CHECK(flaws[1].step == 3);
  CHECK(flaws[1].change == doctest::Approx(1.908 / 1.561 - 1));
}

TEST_CASE("fit: exact profiles give their parameters back") {
  const Speedup truths[] = {Speedup::roofline(1000, 24), Speedup::communication(1000, 0.3),
                            Speedup::amdahl_of_parts(950, 50),
                            Speedup::mix_of_parts(900, 100, 48, 0.2), Speedup::power(1000, 0.7)};
  for (const Speedup& truth : truths) {
    CAPTURE(std::string(name(truth.model())));
    const auto fits = fit_speedups(profile_of(truth, kDoubling));
    REQUIRE(fits.size() == 5);
    const SpeedupFit& fit = fit_of(fits, truth.model());
    CHECK(fit.rms < 1e-6);
    CHECK(fit.worst < 1e-5);
    CHECK(fit.speedup.sequential_time() == doctest::Approx(truth.sequential_time()).epsilon(1e-4));
    const SpeedupFit& preferred = fits[preferred_fit(fits)];
    CHECK(preferred.speedup.model() == truth.model());
  }
}

TEST_CASE("fit: no other parameters of the model are better") {
  Stream random({.instance = 9});
  const SpeedupProfile profile =
      profile_of(Speedup::mix_of_parts(900, 40, 70, 0.4), kDoubling, 0.05);
  const auto error_of = [&](const Speedup& speedup) {
    double sum = 0;
    for (std::size_t i = 0; i < profile.size(); ++i) {
      sum += std::pow(speedup.time(profile.processors[i]) / profile.seconds[i] - 1, 2);
    }
    return sum;
  };
  for (const SpeedupFit& fit : fit_speedups(profile)) {
    const Speedup& s = fit.speedup;
    CAPTURE(std::string(name(s.model())));
    const double least = error_of(s);
    CHECK(fit.rms == doctest::Approx(std::sqrt(least / 8)));
    for (int k = 0; k < 2000; ++k) {
      const auto nudge = [&](double x) { return std::max(0.0, x * random.uniform(0.9, 1.1)); };
      const auto bound = [&] { return random.integer(1, 128); };
      Speedup other;
      switch (s.model()) {
        case SpeedupModel::roofline:
          other = Speedup::roofline(nudge(s.work()), bound());
          break;
        case SpeedupModel::communication:
          other = Speedup::communication(nudge(s.work()), nudge(s.overhead()));
          break;
        case SpeedupModel::amdahl:
          other = Speedup::amdahl_of_parts(nudge(s.parallel_work()), nudge(s.sequential_work()));
          break;
        case SpeedupModel::mix:
          other = Speedup::mix_of_parts(nudge(s.parallel_work()), nudge(s.sequential_work()),
                                        bound(), nudge(s.overhead()));
          break;
        default:
          other = Speedup::power(nudge(s.work()), std::min(1.0, nudge(s.exponent())));
      }
      REQUIRE(error_of(other) >= least * (1 - 1e-9));
    }
  }
}

TEST_CASE("fit: only models with at most as many parameters as points") {
  CHECK(fit_speedups(make_profile({4}, {3}).value()).empty());
  CHECK(fit_speedups(make_profile({1, 4}, {9, 3}).value()).size() == 4);
  CHECK(fit_speedups(make_profile({1, 2, 3, 4}, {9, 6, 4, 3}).value()).size() == 5);
}

TEST_CASE("profile table: steps down, never up, linear where nothing was measured") {
  const auto profile = make_profile({2, 4, 8}, {6, 3, 4}).value();
  const ProfileTable table = profile_table(profile, 10);
  CHECK(table.assumed == 1);
  const std::vector<double> expected{12, 6, 6, 3, 3, 3, 3, 3, 3, 3};
  CHECK(std::vector<double>(table.speedup.times().begin(), table.speedup.times().end()) ==
        expected);
}

}  // namespace holdfast
