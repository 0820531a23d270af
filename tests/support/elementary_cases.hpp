#pragma once

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

/// Arguments on which the functions of base/elementary are measured, and the error that each may have.
namespace holdfast::test {

/// Draws arguments, the same every time.
class Arguments {
 public:
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53;
  }
  /// Returns a double whose size lies between these two, in either sign; each exponent is as frequent as every other.
  double any(double low, double high) {
    const auto from = std::bit_cast<std::uint64_t>(low);
    const std::uint64_t count = std::bit_cast<std::uint64_t>(high) - from + 1;
    const double size = std::bit_cast<double>(from + next() % count);
    return next() >> 63 != 0 ? size : -size;
  }
  double size(double low, double high) { return std::abs(any(low, high)); }

 private:
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 2685821657736338717U;
  }
  std::uint64_t state_ = 88172645463325252U;
};

/// A function on a range of arguments. `two` is that of a function of two.
struct ElementaryCase {
  const char* name;
  double limit;  ///< of the error, in units in the last place
  double (*one)(double);
  double (*two)(double, double);
  std::pair<double, double> (*draw)(Arguments&);
  double least = 0;  ///< errors are those of a value of at least this size

  [[nodiscard]] double value(double x, double y) const {
    return one != nullptr ? one(x) : two(x, y);
  }
  /// Returns the error of our value, if `rest` is the exact value less ours, and `exact` is the double next to it.
  [[nodiscard]] double error(double rest, double exact) const {
    const double size = std::max({std::abs(exact), least, 0x1p-1022});
    return std::ldexp(std::abs(rest), 52 - std::ilogb(size));
  }
};

inline const std::vector<ElementaryCase>& elementary_cases() {
  using Pair = std::pair<double, double>;
  constexpr double kLeast = 5e-324;
  constexpr double kMost = 1.79e308;
  static const std::vector<ElementaryCase> cases = {
      {"exp",
       0.52,
       elementary::exp,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(-746, 709.7), 0};
       }},
      {"exp",
       0.52,
       elementary::exp,
       {},
       [](Arguments& a) {
         return Pair{a.any(1e-20, 2), 0};
       }},
      {"exp2",
       0.52,
       elementary::exp2,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(-1075, 1024), 0};
       }},
      {"exp2",
       0.52,
       elementary::exp2,
       {},
       [](Arguments& a) {
         return Pair{a.any(1e-20, 2), 0};
       }},
      {"expm1",
       0.6,
       elementary::expm1,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(-50, 709.7), 0};
       }},
      {"expm1",
       0.6,
       elementary::expm1,
       {},
       [](Arguments& a) {
         return Pair{a.any(1e-20, 1), 0};
       }},
      {"expm1",
       0.6,
       elementary::expm1,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(-0.5, 2), 0};
       }},
      {"log",
       0.53,
       elementary::log,
       {},
       [](Arguments& a) {
         return Pair{a.size(kLeast, kMost), 0};
       }},
      {"log",
       0.53,
       elementary::log,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(0.5, 2), 0};
       }},
      {"log",
       0.53,
       elementary::log,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(0.98, 1.02), 0};
       }},
      {"log1p",
       0.53,
       elementary::log1p,
       {},
       [](Arguments& a) {
         return Pair{a.size(1e-20, 1e20), 0};
       }},
      {"log1p",
       0.53,
       elementary::log1p,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(-1, 2), 0};
       }},
      {"log1p",
       0.53,
       elementary::log1p,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(-0.02, 0.02), 0};
       }},
      {"log2",
       0.51,
       elementary::log2,
       {},
       [](Arguments& a) {
         return Pair{a.size(kLeast, kMost), 0};
       }},
      {"log2",
       0.51,
       elementary::log2,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(0.98, 1.02), 0};
       }},
      {"log10",
       0.51,
       elementary::log10,
       {},
       [](Arguments& a) {
         return Pair{a.size(kLeast, kMost), 0};
       }},
      {"log10",
       0.51,
       elementary::log10,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(0.98, 1.02), 0};
       }},
      {"cbrt",
       0.51,
       elementary::cbrt,
       {},
       [](Arguments& a) {
         return Pair{a.any(kLeast, kMost), 0};
       }},
      {"sin",
       0.9,
       elementary::sin,
       {},
       [](Arguments& a) {
         return Pair{a.any(1e-10, kMost), 0};
       }},
      {"sin",
       0.9,
       elementary::sin,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(-10, 10), 0};
       }},
      {"cos",
       0.9,
       elementary::cos,
       {},
       [](Arguments& a) {
         return Pair{a.any(1e-10, kMost), 0};
       }},
      {"cos",
       0.9,
       elementary::cos,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(-10, 10), 0};
       }},
      {"acos",
       0.9,
       elementary::acos,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(-1, 1), 0};
       }},
      {"acos",
       0.9,
       elementary::acos,
       {},
       [](Arguments& a) {
         return Pair{1 - a.size(1e-16, 1e-2), 0};
       }},
      {"erf",
       2,
       elementary::erf,
       {},
       [](Arguments& a) {
         return Pair{a.any(1e-10, 7), 0};
       }},
      {"erf",
       2,
       elementary::erf,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(-3, 3), 0};
       }},
      {"erfc",
       3,
       elementary::erfc,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(-7, 27.3), 0};
       }},
      {"erfc",
       3,
       elementary::erfc,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(-1, 1.5), 0};
       }},
      {"lgamma",
       3.5,
       elementary::lgamma,
       {},
       [](Arguments& a) {
         return Pair{a.size(1e-300, 1e300), 0};
       }},
      {"lgamma",
       3.5,
       elementary::lgamma,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(0, 20), 0};
       }},
      {"lgamma",
       3.5,
       elementary::lgamma,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(0.9, 2.2), 0};
       }},
      {"lgamma",
       3.5,
       elementary::lgamma,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(-50, 0), 0};
       },
       1},
      {"tgamma",
       3,
       elementary::tgamma,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(0, 171.6), 0};
       }},
      {"tgamma",
       3,
       elementary::tgamma,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(0, 12), 0};
       }},
      {"tgamma",
       3,
       elementary::tgamma,
       {},
       [](Arguments& a) {
         return Pair{a.uniform(-184, 0), 0};
       }},
      {"pow",
       0.52,
       {},
       elementary::pow,
       [](Arguments& a) {
         return Pair{a.uniform(0, 10), a.uniform(-3, 3)};
       }},
      {"pow",
       0.54,
       {},
       elementary::pow,
       [](Arguments& a) {
         const double x = a.uniform(0.98, 1.02);
         return Pair{x, a.uniform(-745, 709.7) / elementary::log(x)};
       }},
      {"pow",
       0.52,
       {},
       elementary::pow,
       [](Arguments& a) {
         const double x = a.size(kLeast, kMost);
         return Pair{x, a.uniform(-745, 709.7) / elementary::log(x)};
       }},
      {"hypot",
       0.7,
       {},
       elementary::hypot,
       [](Arguments& a) {
         return Pair{a.any(0.1, 10), a.any(0.1, 10)};
       }},
      {"hypot",
       0.7,
       {},
       elementary::hypot,
       [](Arguments& a) {
         return Pair{a.any(kLeast, 1e308), a.any(kLeast, 1e308)};
       }},
  };
  return cases;
}

}  // namespace holdfast::test
