// Fits of small and difficult tables against a slow search that uses values of the likelihood alone.

#include "holdfast/kernel/samplers.hpp"
#include "holdfast/math/gamma_function.hpp"
#include "holdfast/models/failures/fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

using namespace holdfast;

namespace {

constexpr double kDrop =
    1.9207294103470620;  // half of the 95 % quantile of chi squared with one degree of freedom
constexpr auto kTwoParameters =
    std::to_array({LawFamily::weibull, LawFamily::gamma, LawFamily::lognormal});

/// Current status, intervals, nearly all censored, truncated, or exact lives, 3 to 60 of them.
std::vector<Lifetime> difficult_lives(std::uint64_t seed) {
  Stream stream{{.seed = seed, .purpose = Purpose::tool}};
  const auto kind = seed % 5;
  const auto count = static_cast<std::size_t>(stream.integer(3, 60));
  const double shape = std::exp(stream.uniform(-1, 1.5));
  std::vector<Lifetime> out;
  while (out.size() < count) {
    const double age = sample_weibull(stream, shape, 1000);
    const double look = stream.uniform(0, 2000);
    const double entry = kind == 3 ? stream.uniform(0, 600) : 0;
    if (kind == 0) {
      out.push_back(age < look ? Lifetime::between(0, look) : Lifetime::censored(look));
    } else if (kind == 1) {
      const double step = stream.uniform(100, 900);
      const double low = step * std::floor(age / step);
      out.push_back(Lifetime::between(low, low + step));
    } else if (kind == 2) {
      out.push_back(age < 60 ? Lifetime::exact(age) : Lifetime::censored(60 + look));
    } else if (age > entry) {
      out.push_back(age < entry + look ? Lifetime::exact(age, entry)
                                       : Lifetime::censored(entry + look, entry));
    }
  }
  return out;
}

/// Returns the largest value of a function between two points, by golden section.
double peak(double low, double high, const std::function<double(double)>& f) {
  constexpr double kGolden = 0.6180339887498949;
  double a = high - kGolden * (high - low);
  double b = low + kGolden * (high - low);
  double at_a = f(a);
  double at_b = f(b);
  for (int i = 0; i < 42; ++i) {
    if (at_a > at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - kGolden * (high - low);
      at_a = f(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + kGolden * (high - low);
      at_b = f(b);
    }
  }
  return std::max(at_a, at_b);
}

/// Returns the largest value of a function, from a grid and golden section around each of its peaks.
double highest(double low, double high, int steps, const std::function<double(double)>& f) {
  std::vector<double> values;
  const double step = (high - low) / steps;
  for (int i = 0; i <= steps; ++i) values.push_back(f(low + i * step));
  double out = *std::ranges::max_element(values);
  for (int i = 1; i < steps; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (values[at] < values[at - 1] || values[at] < values[at + 1]) continue;
    if (values[at] < out - 5) continue;
    out = std::max(out, peak(low + (i - 1) * step, low + (i + 1) * step, f));
  }
  return out;
}

double likelihood(LawFamily family, double location, double log_shape,
                  const LifetimeSample& sample) {
  const double value = log_likelihood(family, {location, log_shape}, sample).value;
  return std::isnan(value) ? -1e300 : value;
}

/// The largest likelihood at a shape. It is concave in the location.
double at_shape(LawFamily family, double log_shape, const LifetimeSample& sample) {
  // Wide laws of truncated lives may lie far below them, where only their tails matter: Pareto laws, in the limit.
  const double wide = std::exp(-log_shape);
  const double reach = 4 + 30 * wide + (family == LawFamily::lognormal ? 4 * wide * wide : 0);
  return highest(-reach, reach, 12,
                 [&](double location) { return likelihood(family, location, log_shape, sample); });
}

/// Returns the largest likelihood of the laws of which a quantity has a value; `offset` is the location where it is 0, by the
/// shape.
double at_value(LawFamily family, double value, const std::function<double(double)>& offset,
                const LifetimeSample& sample) {
  return highest(-8, 6, 200,
                 [&](double s) { return likelihood(family, value + offset(s), s, sample); });
}

/// Returns location minus the logarithm of a parameter, at a shape.
double offset_of(LawFamily family, std::string_view name, double log_shape) {
  if (name == "mtbf" && family == LawFamily::weibull) return -log_gamma(1 + std::exp(-log_shape));
  if (name == "mtbf" && family == LawFamily::lognormal) return -0.5 * std::exp(-2 * log_shape);
  if (name == "scale" && family == LawFamily::gamma) return log_shape;
  return 0;
}

/// Returns location minus the logarithm of a quantile, at a shape, by bisection.
double offset_of_quantile(LawFamily family, double probability, double log_shape) {
  double low = -1e5;
  double high = 1e5;
  for (int i = 0; i < 80; ++i) {
    const double y = 0.5 * (low + high);
    const double hazard = cumulative_hazard(family, {0, log_shape}, y).value;
    (hazard < -std::log1p(-probability) ? low : high) = y;
  }
  return -low;
}

}  // namespace

TEST_CASE("fit_law: a maximum is found wherever a slow search finds one (500 difficult tables)" *
          doctest::test_suite("slow")) {
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const auto lives = difficult_lives(seed);
    const auto sample = LifetimeSample::make(lives);
    if (!sample || sample->failures() < 2) continue;
    for (const LawFamily family : kTwoParameters) {
      CAPTURE(seed);
      CAPTURE(name_of(family));
      const auto fit = fit_law(family, *sample, {.intervals = false});
      const auto f = [&](double s) { return at_shape(family, s, *sample); };
      const double inside = highest(-8, 5, 18, f);
      if (fit) {
        const double found = log_likelihood(family, fit->point, *sample).value;
        CHECK(found > inside - 1e-6);
      } else {
        ++refused;
        // It rises to a border: nothing inside is higher than there.
        CHECK(std::max(f(-8), f(5)) > inside - 1e-6);
      }
    }
  }
  CHECK(refused > 0);
}

TEST_CASE(
    "fit_law: at both ends of every parameter and quantile the profile has fallen by 1.920729, "
    "found by a slow search" *
    doctest::test_suite("slow")) {
  int checked = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto lives = difficult_lives(seed);
    const auto sample = LifetimeSample::make(lives);
    if (!sample || sample->failures() < 2) continue;
    for (const LawFamily family : kTwoParameters) {
      const auto fit = fit_law(family, *sample, {.quantiles = {0.1, 0.5, 0.9}});
      if (!fit) continue;
      CAPTURE(seed);
      CAPTURE(name_of(family));
      const double most = log_likelihood(family, fit->point, *sample).value;
      const auto check = [&](double end, const std::function<double(double)>& on_border) {
        if (std::isinf(end)) return;
        CHECK(std::abs(most - on_border(end) - kDrop) < 1e-6);
        ++checked;
      };
      for (const FittedParameter& parameter : fit->parameters) {
        CAPTURE(parameter.name);
        const auto profile = [&](double end) {
          if (parameter.name == "shape") return at_shape(family, end, *sample);
          if (parameter.name == "log_sd") return at_shape(family, -end, *sample);
          return at_value(
              family, end - fit->log_unit,
              [&](double s) { return offset_of(family, parameter.name, s); }, *sample);
        };
        check(parameter.logs.low, profile);
        check(parameter.logs.high, profile);
      }
      for (const FittedQuantile& quantile : fit->quantiles) {
        CAPTURE(quantile.probability);
        const auto profile = [&](double end) {
          return at_value(
              family, end - fit->log_unit,
              [&](double s) { return offset_of_quantile(family, quantile.probability, s); },
              *sample);
        };
        check(quantile.logs.low, profile);
        check(quantile.logs.high, profile);
      }
    }
  }
  CHECK(checked > 900);
}

TEST_CASE("fit_law: the ends of a gamma law whose shape may be as small as it likes") {
  // Two failed between inspections, three are alive. Each value is where the profile has fallen by 1.9207, found on a grid.
  const std::vector<Lifetime> lives = {Lifetime::censored(660), Lifetime::censored(670),
                                       Lifetime::censored(880), Lifetime::between(0, 700),
                                       Lifetime::between(0, 800)};
  const auto fit = fit_law(LawFamily::gamma, lives);
  REQUIRE(fit);
  CHECK(fit->parameter("scale").interval.low == doctest::Approx(5.968).epsilon(1e-4));
  CHECK(fit->parameter("mtbf").interval.low == doctest::Approx(446.9777).epsilon(1e-4));
  // The smaller the shape, the longer the lives of those that do not fail early: it does not fall by 1.9207.
  CHECK(std::isinf(fit->parameter("shape").logs.low));
}
