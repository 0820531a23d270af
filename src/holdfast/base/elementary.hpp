#pragma once

/// Elementary functions that give the same bytes on every machine. Those of the C library differ between libraries, their versions and
/// the features of a processor; these are sums, products and quotients of IEEE doubles in one fixed order, so a compiler that keeps
/// the standard's rules has no choice. Everything above base/ uses them (tools/check_layers sees to it). Of <cmath> only the functions
/// with one right answer are used elsewhere: sqrt, floor, ceil, round, trunc, rint, fmod, ldexp, frexp and their like.
///
/// Arguments and values outside of the domain are those of C's Annex F: exp(-inf) = 0, log(0) = -inf, log(-1) = NaN, pow(NaN, 0) = 1,
/// signs of zeros included. No errno, no floating-point traps. Where the exact value is a double, it is returned; else the error is
/// below a limit in units in the last place (docs/how-to/same-bytes.md says how to measure it).
namespace holdfast::elementary {

// Below 0.6.
[[gnu::const]] double exp(double x);
[[gnu::const]] double exp2(double x);
[[gnu::const]] double expm1(double x);  ///< Returns e^x - 1, also for tiny x.
[[gnu::const]] double log(double x);
[[gnu::const]] double log1p(double x);  ///< Returns ln(1 + x), also for tiny x.
[[gnu::const]] double log2(double x);
[[gnu::const]] double log10(double x);
[[gnu::const]] double pow(double x, double y);
[[gnu::const]] double cbrt(double x);

// Below 0.9; angles are in radians.
[[gnu::const]] double hypot(double x, double y);  ///< Returns sqrt(x^2 + y^2), without overflow.
[[gnu::const]] double sin(double x);
[[gnu::const]] double cos(double x);
[[gnu::const]] double acos(double x);

// Below 3.5, of values below 1 for lgamma(x) with x < 0 those of 1.
[[gnu::const]] double erf(double x);
[[gnu::const]] double erfc(double x);  ///< Returns 1 - erf(x), also where that is tiny.
[[gnu::const]] double tgamma(double x);
[[gnu::const]] double lgamma(double x);    ///< Returns ln |Gamma(x)|, and sets no global variable.
[[gnu::const]] double lgamma1p(double x);  ///< Returns ln Gamma(1 + x). @pre 0 <= x <= 3/2

}  // namespace holdfast::elementary
