// Measures base/elementary against MPFR: tools/measure_elementary compiles and runs it.
#include <mpfr.h>

#include "support/elementary_cases.hpp"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace {

using OfOne = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);
using OfTwo = int (*)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

int log_gamma(mpfr_t out, const mpfr_t x, mpfr_rnd_t mode) {
  int sign = 0;
  return mpfr_lgamma(out, &sign, x, mode);
}

const std::map<std::string, OfOne> kOfOne = {
    {"exp", mpfr_exp},     {"exp2", mpfr_exp2},   {"expm1", mpfr_expm1},  {"log", mpfr_log},
    {"log1p", mpfr_log1p}, {"log2", mpfr_log2},   {"log10", mpfr_log10},  {"cbrt", mpfr_cbrt},
    {"sin", mpfr_sin},     {"cos", mpfr_cos},     {"acos", mpfr_acos},    {"erf", mpfr_erf},
    {"erfc", mpfr_erfc},   {"lgamma", log_gamma}, {"tgamma", mpfr_gamma},
};
const std::map<std::string, OfTwo> kOfTwo = {{"pow", mpfr_pow}, {"hypot", mpfr_hypot}};

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 100'000;
  const std::string only = argc > 2 ? argv[2] : "";
  mpfr_t x_exact, y_exact, exact, rest;
  mpfr_inits2(53, x_exact, y_exact, nullptr);
  mpfr_inits2(120, exact, rest, nullptr);
  bool is_good = true;
  for (const holdfast::test::ElementaryCase& one : holdfast::test::elementary_cases()) {
    if (!only.empty() && only != one.name) continue;
    holdfast::test::Arguments arguments;
    double worst = 0;
    std::pair<double, double> at;
    for (long i = 0; i < count; ++i) {
      const auto [x, y] = one.draw(arguments);
      mpfr_set_d(x_exact, x, MPFR_RNDN);
      mpfr_set_d(y_exact, y, MPFR_RNDN);
      if (one.one != nullptr) {
        kOfOne.at(one.name)(exact, x_exact, MPFR_RNDN);
      } else {
        kOfTwo.at(one.name)(exact, x_exact, y_exact, MPFR_RNDN);
      }
      const double ours = one.value(x, y);
      const double nearest = mpfr_get_d(exact, MPFR_RNDN);
      if (ours == nearest && (std::isinf(ours) || ours == 0)) continue;
      mpfr_sub_d(rest, exact, ours, MPFR_RNDN);
      // Of the size of the value, so that a small number does not round it.
      mpfr_mul_2si(rest, rest, 52 - std::ilogb(std::max({std::abs(nearest), one.least, 0x1p-1022})),
                   MPFR_RNDN);
      const double error = std::abs(mpfr_get_d(rest, MPFR_RNDN));
      if (error <= worst) continue;
      worst = error;
      at = {x, y};
    }
    is_good = is_good && worst <= one.limit;
    std::printf("%-7s %.4f of %.2f, worst at %a, %a\n", one.name, worst, one.limit, at.first,
                at.second);
    std::fflush(stdout);
  }
  mpfr_clears(x_exact, y_exact, exact, rest, nullptr);
  return is_good ? 0 : 1;
}
