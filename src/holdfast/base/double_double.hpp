#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

/// Numbers of twice a double's precision, for the files of base/ that compute elementary functions.
namespace holdfast::elementary {

constexpr std::uint64_t bits_of(double x) {
  return std::bit_cast<std::uint64_t>(x);
}
constexpr double double_of(std::uint64_t bits) {
  return std::bit_cast<double>(bits);
}

/// Returns x without its last 27 bits: products of two such numbers are exact.
constexpr double upper_half(double x) {
  return double_of(bits_of(x) & ~((std::uint64_t{1} << 27) - 1));
}

/// The unevaluated sum of two doubles, the second at most half a unit in the last place of the first.
struct Pair {
  double high = 0;
  double low = 0;
};

/// Returns a + b exactly. @pre |a| >= |b| or a = 0
constexpr Pair fast_sum(double a, double b) {
  const double sum = a + b;
  return {sum, (a - sum) + b};
}

/// Returns a + b exactly.
constexpr Pair exact_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// Returns a b with an error of 2^-105. @pre no overflow or underflow
constexpr Pair exact_product(double a, double b) {
  const double a1 = upper_half(a);
  const double b1 = upper_half(b);
  const double a2 = a - a1;
  const double b2 = b - b1;
  const double product = a * b;
  return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

constexpr Pair operator+(Pair a, Pair b) {
  const Pair sum = exact_sum(a.high, b.high);
  return fast_sum(sum.high, sum.low + a.low + b.low);
}

constexpr Pair operator*(Pair a, Pair b) {
  const Pair product = exact_product(a.high, b.high);
  return fast_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

constexpr Pair operator/(Pair a, double b) {
  const double quotient = a.high / b;
  const Pair back = exact_product(quotient, b);
  return fast_sum(quotient, ((a.high - back.high) - back.low + a.low) / b);
}

constexpr Pair kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

/// Returns the logarithm of a positive, finite, normal double, with an error of 2^-66 of the value.
Pair log_pair(double x);

/// The number value 2^exponent.
struct Scaled {
  Pair value;
  int exponent;
};
/// Returns the double next to it, rounded once even where that is less than normal. @pre |value| < 4
inline double scaled(Scaled x) {
  const double value = x.value.high + x.value.low;
  if (x.exponent > -1000 && x.exponent < 1000)
    return value * double_of(static_cast<std::uint64_t>(x.exponent + 1023) << 52);
  const double out = std::ldexp(value, x.exponent);
  if (out >= 0x1p-1022) return out;
  // Added to this number, the value loses the digits that the result has no place for.
  const double lift = std::ldexp(1, -1022 - x.exponent);
  const Pair sum = fast_sum(lift, x.value.high);
  return std::ldexp((sum.high + (sum.low + x.value.low)) - lift, x.exponent);
}
/// Returns e^(high + low), with an error of 2^-61, and a value between 0.7 and 2. @pre |high| < 10^6
Scaled exp_scaled(Pair x);

/// Returns c[0] + c[1] x + c[2] x^2 + ...
template <class Coefficients>
constexpr double polynomial(const Coefficients& c, double x) {
  double sum = 0;
  for (auto at = c.size(); at-- > 0;) sum = sum * x + c[at];
  return sum;
}

/// The same for a multiple of four coefficients, in four sums that do not wait for each other.
template <class Coefficients>
constexpr double polynomial_by_four(const Coefficients& c, double x) {
  const double fourth = (x * x) * (x * x);
  double sums[4] = {};
  for (auto at = c.size() - 4; at > 0; at -= 4) {
    for (std::size_t i = 0; i < 4; ++i) sums[i] = (sums[i] + c[at + i]) * fourth;
  }
  return c[0] +
         (sums[0] + (x * (sums[1] + c[1]) + x * x * ((sums[2] + c[2]) + x * (sums[3] + c[3]))));
}

/// Returns sin(pi x).
double sin_pi(double x);

}  // namespace holdfast::elementary
