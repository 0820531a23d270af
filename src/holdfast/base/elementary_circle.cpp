#include "holdfast/base/double_double.hpp"
#include "holdfast/base/elementary.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace holdfast::elementary {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr Pair kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// The bits of 2 / pi behind the point (tools/make_elementary).
constexpr std::array<std::uint64_t, 19> kTwoOverPi = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

// The 64 bits of 2 / pi behind the first `bit`.
std::uint64_t two_over_pi(int bit) {
  const auto word = static_cast<std::size_t>(bit / 64);
  const int shift = bit % 64;
  return shift == 0 ? kTwoOverPi[word]
                    : kTwoOverPi[word] << shift | kTwoOverPi[word + 1] >> (64 - shift);
}

struct Angle {
  Pair rest;         ///< between -pi/4 and pi/4
  unsigned quarter;  ///< 0 to 3
};

// x = rest + quarter pi/2, less full turns. Far from 0 the product of x and 2/pi is formed in integers; of 2/pi 192 bits count: those
// before make full turns, and what is left of the others is below 2^-137, where no double is nearer than 2^-62 to a quarter.
Angle reduce_angle(double x) {
  __extension__ using Wide = unsigned __int128;
  if (x < kHalfPi.high / 2) return {{x, 0}, 0};
  if (x < 0x1p18) {
    // pi/2 in three parts, of which k times the first two are exact.
    const double k = (x / kHalfPi.high + 0x1.8p52) - 0x1.8p52;
    const Pair rest = exact_sum(x - k * 0x1.921fb544p+0, -(k * 0x1.0b4611a6p-34));
    return {fast_sum(rest.high, rest.low - k * 0x1.3198a2e037073p-69),
            static_cast<unsigned>(k) % 4};
  }
  int exponent = 0;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  exponent -= 53;
  const int from = exponent > 2 ? exponent - 2 : 0;
  const int excess = 2 - (exponent - from);
  const Wide p0 = Wide{mantissa} * two_over_pi(from + 128);
  const Wide p1 = Wide{mantissa} * two_over_pi(from + 64) + (p0 >> 64);
  const Wide p2 = Wide{mantissa} * two_over_pi(from) + (p1 >> 64);
  // The quarters and 126 bits behind their point.
  const Wide turns = p2 << (64 - excess) | static_cast<std::uint64_t>(p1) >> excess;
  auto quarter = static_cast<unsigned>(turns >> 126);
  Wide part =
      turns << 2 | static_cast<std::uint64_t>(
                       static_cast<Wide>(static_cast<std::uint64_t>(p1)) << 64 >> excess | p0) >>
                       62;
  const bool is_above = (part >> 127) != 0;
  if (is_above) part = -part;
  if (is_above) quarter = (quarter + 1) % 4;
  const auto upper = static_cast<std::uint64_t>(part >> 64);
  const int zeros = upper != 0 ? std::countl_zero(upper)
                               : 64 + std::countl_zero(static_cast<std::uint64_t>(part) | 1);
  part <<= zeros;
  const auto high = static_cast<double>(static_cast<std::uint64_t>(part >> 75));
  const auto low = static_cast<double>(static_cast<std::uint64_t>(part >> 11));
  const Pair rest = Pair{std::ldexp(high, -53 - zeros), std::ldexp(low, -117 - zeros)} * kHalfPi;
  return {is_above ? Pair{-rest.high, -rest.low} : rest, quarter};
}

// (-1)^i / (first (first - 1) ...): 1/first! and every second after it
template <std::size_t size>
constexpr std::array<double, size> factorials(int first) {
  std::array<double, size> out{};
  double product = 1;
  for (int n = 2; n <= first; ++n) product *= n;
  for (std::size_t i = 0; i < size; ++i, first += 2) {
    out[i] = (i % 2 == 0 ? 1 : -1) / product;
    product *= (first + 1) * (first + 2);
  }
  return out;
}
constexpr auto kSine = factorials<8>(3);
constexpr auto kCosine = factorials<8>(4);

// |x| <= pi/4 in both
double sine(Pair x) {
  const double square = x.high * x.high;
  return x.high +
         (x.low * (1 - 0.5 * square) - x.high * square * polynomial_by_four(kSine, square));
}

double cosine(Pair x) {
  const Pair square = exact_product(x.high, x.high);
  const Pair first = fast_sum(1, -0.5 * square.high);
  return first.high + (first.low - 0.5 * square.low - x.high * x.low +
                       square.high * square.high * polynomial(kCosine, square.high));
}

double at_quarter(Pair rest, unsigned quarter) {
  const double size = quarter % 2 == 0 ? sine(rest) : cosine(rest);
  return quarter % 4 < 2 ? size : -size;
}

// (2n)! / (2^n n!)^2 / (2n + 1), n from 1: arcsin x = x + x^3 (1/6 + 3/40 x^2 + ...)
constexpr std::array<double, 28> arcsine_series() {
  std::array<double, 28> out{};
  double share = 1;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto n = static_cast<double>(2 * i + 1);
    share *= n / (n + 1);
    out[i] = share / (n + 2);
  }
  return out;
}
constexpr auto kArcsine = arcsine_series();

// What arcsin adds to x, for |x| <= 1/2.
double arcsine_excess(double x) {
  return x * x * x * polynomial_by_four(kArcsine, x * x);
}

}  // namespace

double sin_pi(double x) {
  const double size = std::abs(x - 2 * std::round(x / 2));
  const double quarters = std::round(2 * size);
  const Pair rest = exact_product(size - quarters / 2, 2 * kHalfPi.high);
  const double sine = at_quarter({rest.high, rest.low + (size - quarters / 2) * 2 * kHalfPi.low},
                                 static_cast<unsigned>(quarters));
  return std::signbit(x - 2 * std::round(x / 2)) ? -sine : sine;
}

double sin(double x) {
  if (!std::isfinite(x)) return kNotANumber;
  if (std::abs(x) < 0x1p-27) return x;
  const Angle angle = reduce_angle(std::abs(x));
  return std::copysign(1, x) * at_quarter(angle.rest, angle.quarter);
}

double cos(double x) {
  if (!std::isfinite(x)) return kNotANumber;
  const Angle angle = reduce_angle(std::abs(x));
  return at_quarter(angle.rest, angle.quarter + 1);
}

double acos(double x) {
  if (!(std::abs(x) <= 1)) return kNotANumber;
  if (std::abs(x) <= 0.5) return kHalfPi.high - (x - (kHalfPi.low - arcsine_excess(x)));
  // arccos x = 2 arcsin sqrt((1 - x) / 2)
  const double square = 0.5 * (1 - std::abs(x));
  const double root = std::sqrt(square);
  if (root == 0) return x > 0 ? 0 : 2 * kHalfPi.high;
  const Pair back = exact_product(root, root);
  const double rest = ((square - back.high) - back.low) / (2 * root) + arcsine_excess(root);
  return x > 0 ? 2 * (root + rest) : 2 * (kHalfPi.high - (root - (kHalfPi.low - rest)));
}

double cbrt(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  double part = std::frexp(std::abs(x), &exponent);
  const int rest = ((exponent % 3) + 3) % 3;
  part = std::ldexp(part, rest);
  const double near = exp(log(part) / 3);
  const Pair cube = exact_product(near, near) * Pair{near, 0};
  const double root = near + ((part - cube.high) - cube.low) / (3 * near * near);
  return std::copysign(std::ldexp(root, (exponent - rest) / 3), x);
}

double hypot(double x, double y) {
  if (std::isinf(x) || std::isinf(y)) return std::numeric_limits<double>::infinity();
  if (std::isnan(x) || std::isnan(y)) return x + y;
  int exponent = 0;
  const double largest = std::abs(x) > std::abs(y) ? std::abs(x) : std::abs(y);
  if (largest == 0) return 0;
  std::frexp(largest, &exponent);
  const double a = std::ldexp(x, -exponent);
  const double b = std::ldexp(y, -exponent);
  const Pair square = exact_product(a, a) + exact_product(b, b);
  const double root = std::sqrt(square.high);
  const Pair back = exact_product(root, root);
  return std::ldexp(root + (((square.high - back.high) - back.low) + square.low) / (2 * root),
                    exponent);
}

}  // namespace holdfast::elementary
