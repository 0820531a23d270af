#include "holdfast/base/elementary.hpp"

#include "holdfast/base/double_double.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace holdfast::elementary {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// e^x = 2^(k/128) e^r with |r| <= ln(2) / 256. The powers 2^(j/128) are a table of pairs, which the compiler computes, and e^r - 1 is a
// polynomial of degree 5; only the last sum rounds a number of the size of the result.

constexpr int kSteps = 128;
// Adding it rounds a number below 2^51 to the next integer, which then stands in the last bits.
constexpr double kRounder = 0x1.8p52;
constexpr double kStepsPerUnit = kSteps / kLn2.high;
// ln(2) / 128; the first part has 18 zeros at its end, so its products with k are exact.
constexpr double kStepHigh =
    double_of(bits_of(kLn2.high / kSteps) & ~((std::uint64_t{1} << 18) - 1));
constexpr double kStepLow = kLn2.high / kSteps - kStepHigh + kLn2.low / kSteps;

constexpr std::array<Pair, kSteps> powers_of_two() {
  const Pair step{kLn2.high / kSteps, kLn2.low / kSteps};
  Pair root{1, 0};
  for (int n = 14; n > 0; --n) root = Pair{1, 0} + root * step / n;
  std::array<Pair, kSteps> out{};
  out[0] = {1, 0};
  for (std::size_t i = 1; i < kSteps; ++i) out[i] = out[i - 1] * root;
  return out;
}
constexpr std::array<Pair, kSteps> kPowers = powers_of_two();

// x = k ln(2) / 128 + r: the r, and k in the last bits of the other number.
struct Steps {
  double r;
  double shifted;
  // 2^(k/128) is power scale, if scale is a normal number, and power 2^exponent.
  [[nodiscard]] Pair power() const { return kPowers[bits_of(shifted) % kSteps]; }
  [[nodiscard]] double scale() const {
    return double_of((0x3ff + bits_of(shifted) / kSteps) << 52);
  }
  [[nodiscard]] int exponent() const {
    return static_cast<int>(std::floor((shifted - kRounder) / kSteps));
  }
};

[[gnu::always_inline]] inline Steps steps_of(double x) {
  const double shifted = x * kStepsPerUnit + kRounder;
  const double k = shifted - kRounder;
  return {(x - k * kStepHigh) - k * kStepLow, shifted};
}

// What is missing in power.high for power e^r.
[[gnu::always_inline]] inline double missing(Pair power, double r) {
  const double square = r * r;
  return (power.low + power.high * r) +
         (power.high * square) * ((0.5 + r * (1.0 / 6)) + square * (1.0 / 24 + r * (1.0 / 120)));
}

// e^x for -650 < x < 708, or e^(x + more)
[[gnu::always_inline]] inline double exp_of(double x, double more = 0) {
  const Steps at = steps_of(x);
  const double scale = at.scale();
  const Pair power{at.power().high * scale, at.power().low * scale};
  return power.high + missing(power, at.r + more);
}

[[gnu::always_inline]] inline Scaled scaled_of(Steps at) {
  return {{at.power().high, missing(at.power(), at.r)}, at.exponent()};
}

bool is_moderate(double x) {
  return x > -650 && x < 708;
}

// x = 2^k m, with m between 0.703 and 1.406 in one of 128 cells. Each cell has a c of at most 10 bits with c m near 1, so r = c m - 1 is
// known exactly, in two parts, and ln x = k ln 2 - ln c + ln(1 + r). The two cells at 1 have c = 1: there r = x - 1, and no digit is lost.

constexpr int kCells = 128;
constexpr std::uint64_t kFirst = 0x3fe6800000000000;  // 0.703125
constexpr std::uint64_t kAtOne = (0x3ff0000000000000 - kFirst) >> 45;
constexpr std::uint64_t kExponentBits = 0xfff0000000000000;

// x rounded to a multiple of 2^-42: sums of such numbers below 2^11 are exact.
constexpr double coarse(double x) {
  return (x + 0x1.8p10) - 0x1.8p10;
}
constexpr double kLn2High = coarse(kLn2.high);
constexpr double kLn2Low = (kLn2.high - kLn2High) + kLn2.low;

struct Cell {
  double factor = 1;  ///< c
  double high = 0;    ///< -ln c, a multiple of 2^-42
  double low = 0;     ///< what is missing in it
};

// ln(n / 512) = 2 artanh((n - 512) / (n + 512))
constexpr Pair log_of_ratio(double n) {
  const Pair z = Pair{n - 512, 0} / (n + 512);
  const Pair square = z * z;
  Pair sum;
  for (int term = 41; term > 0; term -= 2) sum = sum * square + Pair{1, 0} / term;
  const Pair half = z * sum;
  return {2 * half.high, 2 * half.low};
}

constexpr std::array<Cell, kCells> make_cells() {
  std::array<Cell, kCells> out{};
  for (std::uint64_t i = 0; i < kCells; ++i) {
    if (i == kAtOne || i + 1 == kAtOne) continue;
    const double middle = double_of(kFirst + (i << 45) + (std::uint64_t{1} << 44));
    const int twice = static_cast<int>(1024 / middle + 1);
    const double n = 0.5 * (twice - twice % 2);
    const Pair log = log_of_ratio(n);
    out[i] = {n / 512, coarse(-log.high), 0};
    out[i].low = (-log.high - out[i].high) - log.low;
  }
  return out;
}
constexpr std::array<Cell, kCells> kTable = make_cells();

struct Reduced {
  double high;  ///< k ln 2 - ln c, exact but for `low`
  double low;
  Pair r;
};

// Of the bits of a normal number, and k more.
[[gnu::always_inline]] inline Reduced reduce(std::uint64_t bits, double more = 0) {
  const std::uint64_t above = bits - kFirst;
  const Cell& cell = kTable[(above >> 45) % kCells];
  const double k = static_cast<double>(static_cast<std::int64_t>(above) >> 52) + more;
  const std::uint64_t mantissa = bits - (above & kExponentBits);
  const double m = double_of(mantissa);
  const double front = double_of(mantissa & ~((std::uint64_t{1} << 21) - 1));
  return {k * kLn2High + cell.high, k * kLn2Low + cell.low,
          fast_sum(front * cell.factor - 1, (m - front) * cell.factor)};
}

// (ln(1 + r) - r) / r^2
[[gnu::always_inline]] inline double curvature(double r) {
  const double square = r * r;
  return ((-0.5 + r * (1.0 / 3)) + square * (-0.25 + r * 0.2)) +
         square * square * ((-1.0 / 6 + r * (1.0 / 7)) - square * 0.125);
}

[[gnu::always_inline]] inline double log_of(Reduced at) {
  const Pair sum = fast_sum(at.high, at.r.high);
  return sum.high +
         ((sum.low + (at.r.low + at.low)) + at.r.high * at.r.high * curvature(at.r.high));
}

// The logarithm with an error of 2^-66 of it: 26 bits and the rest.
[[gnu::always_inline]] inline Pair split_log(Reduced at) {
  const double r = at.r.high;
  const double front = upper_half(r);
  const Pair first = fast_sum(at.high, r);
  const Pair second = fast_sum(first.high, -0.5 * front * front);
  const double square = r * r;
  const double cubic = ((1.0 / 3 - r * 0.25) + square * (0.2 - r * (1.0 / 6))) +
                       square * square * ((1.0 / 7 - r * 0.125) + square * (1.0 / 9 - r * 0.1));
  const double low = ((first.low + second.low) + (at.low + (at.r.low - at.r.low * r))) -
                     0.5 * (r - front) * (r + front);
  const double upper = upper_half(second.high + square * r * cubic);
  return {upper, ((second.high - upper) + square * r * cubic) + low};
}

bool is_normal(std::uint64_t bits) {
  return bits - 0x0010000000000000 < 0x7fe0000000000000;
}

// @pre x > 0, finite
Reduced reduce_any(double x) {
  return is_normal(bits_of(x)) ? reduce(bits_of(x)) : reduce(bits_of(x * 0x1p54), -54);
}

// The logarithm of what is not positive and finite.
[[gnu::noinline]] double log_of_other(double x) {
  return x == 0 ? -kInfinity : x < 0 ? kNaN : x;
}

bool is_positive(double x) {
  return x > 0 && x < kInfinity;
}

double log_by_pair(double x, Pair unit) {
  if (!is_positive(x)) return log_of_other(x);
  const Pair out = log_pair(x) * unit;
  return out.high + out.low;
}

// x^y where x or y is zero, negative, infinite, not a number or of extreme size.
[[gnu::noinline]] double pow_of_other(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return x + y;
  const bool is_integer = std::trunc(y) == y;
  const double sign = std::signbit(x) && is_integer && std::abs(std::fmod(y, 2)) == 1 ? -1 : 1;
  const double size = std::abs(x);
  if (size == 0 || size == kInfinity) return (size == 0) == (y < 0) ? sign * kInfinity : sign * 0;
  if (x < 0 && !is_integer) return kNaN;
  if (std::abs(y) < 0x1p-65) return 1;
  if (std::abs(y) > 0x1p65) return size == 1 ? 1 : (size > 1) == (y > 0) ? kInfinity : 0;
  const Pair log = split_log(reduce_any(size));
  const double front = upper_half(y);
  const double whole = log.high * front;
  if (!(std::abs(whole) < 800)) return whole > 0 ? sign * kInfinity : sign * 0;
  return sign * scaled(exp_scaled({whole, log.high * (y - front) + log.low * y}));
}

}  // namespace

Scaled exp_scaled(Pair x) {
  Steps at = steps_of(x.high);
  at.r += x.low;
  return scaled_of(at);
}

Pair log_pair(double x) {
  const Pair split = split_log(reduce_any(x));
  return fast_sum(split.high, split.low);
}

double exp(double x) {
  if (is_moderate(x)) return exp_of(x);
  if (std::isnan(x)) return x;
  if (std::abs(x) > 750) return x > 0 ? kInfinity : 0;
  return scaled(scaled_of(steps_of(x)));
}

double exp2(double x) {
  if (std::isnan(x)) return x;
  if (!(std::abs(x) < 1080)) return x > 0 ? kInfinity : 0;
  const double shifted = x * kSteps + kRounder;
  return scaled(scaled_of({(x - (shifted - kRounder) / kSteps) * kLn2.high, shifted}));
}

double expm1(double x) {
  const double size = std::abs(x);
  if (size < 0.125) {
    if (size < 0x1p-54) return x;
    // Taylor's series; the first two terms carry all the digits.
    const double square = x * x;
    const double even =
        (1.0 / 6 + square * (1.0 / 120)) +
        square * square * (1.0 / 5040 + square * (1.0 / 362880 + square * (1.0 / 39916800)));
    const double odd = (1.0 / 24 + square * (1.0 / 720)) +
                       square * square * (1.0 / 40320 + square * (1.0 / 3628800));
    return x + (0.5 * square + square * x * (even + x * odd));
  }
  if (!(x < 708)) return exp(x);
  if (x < -38) return -1;
  const Steps at = steps_of(x);
  const double scale = at.scale();
  const Pair power{at.power().high * scale, at.power().low * scale};
  const Pair sum = exact_sum(power.high, -1);
  return sum.high + (sum.low + missing(power, at.r));
}

double log(double x) {
  if (is_normal(bits_of(x))) return log_of(reduce(bits_of(x)));
  return is_positive(x) ? log_of(reduce_any(x)) : log_of_other(x);
}

double log1p(double x) {
  if (std::abs(x) < 0x1p-7) return std::abs(x) < 0x1p-54 ? x : x + x * x * curvature(x);
  if (!(x > -1 && x < kInfinity)) return log_of_other(x + 1);
  const Pair sum = exact_sum(1, x);
  const std::uint64_t above = bits_of(sum.high) - kFirst;
  Reduced at = reduce(bits_of(sum.high));
  // What the sum has lost, as a part of it.
  const double scale = double_of(0x3ff0000000000000 - (above & kExponentBits));
  at.r.low += sum.low * scale * kTable[(above >> 45) % kCells].factor * (1 - at.r.high);
  return log_of(at);
}

double log2(double x) {
  return log_by_pair(x, {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
}

double log10(double x) {
  return log_by_pair(x, {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
}

double pow(double x, double y) {
  if (y == 2) return x * x;
  if (y == 1) return x;
  if (is_normal(bits_of(x)) && std::abs(y) > 0x1p-65 && std::abs(y) < 0x1p65) {
    const Pair log = split_log(reduce(bits_of(x)));
    const double front = upper_half(y);
    const double whole = log.high * front;
    if (is_moderate(whole)) return exp_of(whole, log.high * (y - front) + log.low * y);
  }
  return pow_of_other(x, y);
}

}  // namespace holdfast::elementary
