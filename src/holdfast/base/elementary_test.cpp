#include "holdfast/base/elementary.hpp"

#include <doctest/doctest.h>

#include "support/elementary_cases.hpp"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

namespace elementary = holdfast::elementary;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

using Long = long double;
const std::map<std::string, Long (*)(Long, Long)> long_functions = {
    {"exp", [](Long x, Long) { return std::exp(x); }},
    {"exp2", [](Long x, Long) { return std::exp2(x); }},
    {"expm1", [](Long x, Long) { return std::expm1(x); }},
    {"log", [](Long x, Long) { return std::log(x); }},
    {"log1p", [](Long x, Long) { return std::log1p(x); }},
    {"log2", [](Long x, Long) { return std::log2(x); }},
    {"log10", [](Long x, Long) { return std::log10(x); }},
    {"cbrt", [](Long x, Long) { return std::cbrt(x); }},
    {"sin", [](Long x, Long) { return std::sin(x); }},
    {"cos", [](Long x, Long) { return std::cos(x); }},
    {"acos", [](Long x, Long) { return std::acos(x); }},
    {"erf", [](Long x, Long) { return std::erf(x); }},
    {"erfc", [](Long x, Long) { return std::erfc(x); }},
    {"lgamma", [](Long x, Long) { return std::lgamma(x); }},
    {"tgamma", [](Long x, Long) { return std::tgamma(x); }},
    {"pow", [](Long x, Long y) { return std::pow(x, y); }},
    {"hypot", [](Long x, Long y) { return std::hypot(x, y); }},
};

// Equal, of the same sign where they are zero, or both not a number.
bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

}  // namespace

TEST_CASE("elementary: errors in units in the last place, against the C library's long double") {
  if (std::numeric_limits<Long>::digits < 64) {
    MESSAGE("skipped: long double is not longer than double here");
    return;
  }
  constexpr int kCount = 100'000;
  std::map<std::string, int> ranges;
  for (const auto& one : holdfast::test::elementary_cases()) ++ranges[one.name];
  REQUIRE(ranges.size() == long_functions.size());
  for (const auto& one : holdfast::test::elementary_cases()) {
    CAPTURE(std::string{one.name});
    const auto* exact_of = &long_functions.at(one.name);
    holdfast::test::Arguments arguments;
    double worst = 0;
    double at = 0;
    for (int i = 0; i < kCount / ranges[one.name]; ++i) {
      const auto [x, y] = one.draw(arguments);
      const Long exact = (*exact_of)(x, y);
      const double ours = one.value(x, y);
      const auto rest = static_cast<double>(exact - ours);
      const double error =
          ours == static_cast<double>(exact) ? 0 : one.error(rest, static_cast<double>(exact));
      if (!(error <= worst)) worst = error, at = x;
    }
    CAPTURE(at);
    // glibc's long double is not exact itself: a few of its own units, 2^-11 of ours.
    CHECK(worst <= one.limit + 0.01);
  }
}

TEST_CASE("elementary: what is a double exactly is that double") {
  CHECK(elementary::exp(0) == 1);
  CHECK(elementary::log(1) == 0);
  CHECK(elementary::cos(0) == 1);
  CHECK(elementary::acos(1) == 0);
  CHECK(elementary::acos(-1) == 3.141592653589793);
  for (int k = -1074; k < 1024; ++k) {
    CAPTURE(k);
    const double power = std::ldexp(1, k);
    CHECK(elementary::exp2(k) == power);
    CHECK(elementary::log2(power) == k);
    CHECK(elementary::pow(2, k) == power);
    CHECK(elementary::pow(4, 0.5 * k) == power);
  }
  for (int k = 0; k <= 22; ++k) CHECK(elementary::log10(elementary::pow(10, k)) == k);
  CHECK(elementary::pow(10, 22) == 1e22);
  // Every power of an integer that a double holds.
  for (int base = 2; base < 2000; ++base) {
    CAPTURE(base);
    double power = base;
    for (int k = 2; power * base < 0x1p53; ++k) {
      power *= base;
      CHECK(elementary::pow(base, k) == power);
      CHECK(elementary::pow(-base, k) == (k % 2 == 0 ? power : -power));
    }
    CHECK(elementary::pow(static_cast<double>(base) * base, 1.5) ==
          static_cast<double>(base) * base * base);
  }
  for (int k = 1; k < 200'000; k += 7) {
    const double root = k * 0.125;
    CHECK(elementary::cbrt(-root * root * root) == -root);
    CHECK(elementary::hypot(3 * root, -4 * root) == 5 * root);
    CHECK(elementary::hypot(20 * root, 21 * root) == 29 * root);
  }
  double factorial = 1;
  for (int n = 1; n <= 23; ++n) {
    CHECK(elementary::tgamma(n) == factorial);
    factorial *= n;
  }
  CHECK(elementary::lgamma(1) == 0);
  CHECK(elementary::lgamma(2) == 0);
  CHECK(elementary::lgamma1p(0) == 0);
  CHECK(elementary::lgamma1p(1e-20) == -0.57721566490153286e-20);
}

TEST_CASE("elementary: zeros, infinities and what is not a number, as Annex F of C has them") {
  const double special[] = {
      0,   1,   2,    3,   0.5, 2.5,       1e-320, 1e300, 0x1p53, 0x1.fffffffffffffp52,
      1e5, 170, 1e17, 709, 750, kInfinite, 1e-17};
  const auto compare = [](const std::string& name, double ours, double theirs, double x, double y) {
    CAPTURE(name);
    CAPTURE(x);
    CAPTURE(y);
    // Where the value is not special, the C library is near; ln |Gamma| has zeros, where few digits are left.
    if (std::isfinite(theirs) && theirs != 0 && std::abs(ours / theirs - 1) < 1e-14) return;
    CHECK_MESSAGE(same(ours, theirs), ours, " ", theirs);
  };
  for (const auto& one : holdfast::test::elementary_cases()) {
    const auto* exact_of = &long_functions.at(one.name);
    const auto check = [&](double x, double y) {
      compare(one.name, one.value(x, y), static_cast<double>((*exact_of)(x, y)), x, y);
    };
    for (const double x : special) {
      check(x, 0);
      check(-x, 0);
      for (const double y : special) {
        if (one.two == nullptr) continue;
        check(x, y);
        check(-x, y);
        check(x, -y);
        check(-x, -y);
        check(kNoNumber, y);
        check(x, kNoNumber);
      }
    }
    check(kNoNumber, 0);
    check(kNoNumber, kNoNumber);
  }
}

// The bits themselves, so that no compiler and no processor gets away with other ones.
TEST_CASE("elementary: a digest of the bits of 10^5 values") {
  std::uint64_t digest = 14695981039346656037U;
  for (const auto& one : holdfast::test::elementary_cases()) {
    holdfast::test::Arguments arguments;
    for (int i = 0; i < 2500; ++i) {
      const auto [x, y] = one.draw(arguments);
      digest = (digest ^ std::bit_cast<std::uint64_t>(one.value(x, y))) * 1099511628211U;
    }
  }
  CHECK(digest == 15112653441460333534U);
}
