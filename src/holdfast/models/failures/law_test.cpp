#include "holdfast/models/failures/law.hpp"

#include "holdfast/models/failures/test_laws.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace holdfast;

namespace {

constexpr double kMean = kTenYears;

std::vector<Law> all_laws() {
  std::vector<Law> laws = campaign_laws();
  laws.push_back(weibull_law_of_mean(5, kMean));
  laws.push_back(gamma_law_of_mean(3, kMean));
  laws.push_back(gamma_law_of_mean(60, kMean));
  laws.push_back(lognormal_law(16.5, 0.25));
  const double breakpoints[] = {0, 3600, 1e6, 1e8};
  const double hazards[] = {1e-7, 1e-8, 1e-9, 4e-9};
  laws.push_back(empirical_law(breakpoints, hazards));
  const LawPart parts[] = {{.444, 1e-3 * kMean}, {.2, .1 * kMean}, {.356, kMean}};
  laws.push_back(hyperexponential_law(parts));
  return laws;
}

}  // namespace

TEST_CASE("Law: H and h against references of 60 digits, from 1 ms to 1000 means") {
  struct Row {
    Law law;
    double x;
    double cumulative;
    double hazard;
  };
  // mpmath, 60 digits
  const Row rows[] = {
      {exponential_law(kMean), 0.001, 3.1709791983764587e-12, 3.1709791983764587e-9},
      {exponential_law(kMean), 1.0, 3.1709791983764587e-9, 3.1709791983764587e-9},
      {exponential_law(kMean), 60.0, 1.9025875190258752e-7, 3.1709791983764587e-9},
      {exponential_law(kMean), 3600.0, 1.1415525114155251e-5, 3.1709791983764587e-9},
      {exponential_law(kMean), 86400.0, 0.00027397260273972603, 3.1709791983764587e-9},
      {exponential_law(kMean), 31536000.0, 0.1, 3.1709791983764587e-9},
      {exponential_law(kMean), 315360000.0, 1.0, 3.1709791983764587e-9},
      {exponential_law(kMean), 3153600000.0, 10.0, 3.1709791983764587e-9},
      {exponential_law(kMean), 315360000000.0, 1000.0, 3.1709791983764587e-9},
      {weibull_law_of_mean(0.5, kMean), 0.001, 2.5183245217312477e-6, 0.0012591622608656238},
      {weibull_law_of_mean(0.5, kMean), 1.0, 7.9636413761249428e-5, 3.9818206880624714e-5},
      {weibull_law_of_mean(0.5, kMean), 60.0, 0.00061686100849800438, 5.1405084041500365e-6},
      {weibull_law_of_mean(0.5, kMean), 3600.0, 0.0047781848256749657, 6.6363678134374524e-7},
      {weibull_law_of_mean(0.5, kMean), 86400.0, 0.023408229439226113, 1.3546429073626223e-7},
      {weibull_law_of_mean(0.5, kMean), 31536000.0, 0.44721359549995794, 7.0905250428075523e-9},
      {weibull_law_of_mean(0.5, kMean), 315360000.0, 1.414213562373095, 2.2422208941734764e-9},
      {weibull_law_of_mean(0.5, kMean), 3153600000.0, 4.4721359549995794, 7.0905250428075523e-10},
      {weibull_law_of_mean(0.5, kMean), 315360000000.0, 44.721359549995794, 7.0905250428075523e-11},
      {weibull_law_of_mean(0.7, kMean), 0.001, 1.0531654044027732e-8, 7.3721578308194121e-6},
      {weibull_law_of_mean(0.7, kMean), 1.0, 1.3258566904251315e-6, 9.2809968329759201e-7},
      {weibull_law_of_mean(0.7, kMean), 60.0, 2.329176822015779e-5, 2.7173729590184087e-7},
      {weibull_law_of_mean(0.7, kMean), 3600.0, 0.00040917428764310833, 7.9561667041715503e-8},
      {weibull_law_of_mean(0.7, kMean), 86400.0, 0.003784915640116223, 3.0664825787978656e-8},
      {weibull_law_of_mean(0.7, kMean), 31536000.0, 0.23532128395751345, 5.2233922745516046e-9},
      {weibull_law_of_mean(0.7, kMean), 315360000.0, 1.1794002332028396, 2.617897524232584e-9},
      {weibull_law_of_mean(0.7, kMean), 3153600000.0, 5.9110034021829093, 1.3120568180898136e-9},
      {weibull_law_of_mean(0.7, kMean), 315360000000.0, 148.47769242550212, 3.2957377187294356e-10},
      {weibull_law_of_mean(1.5, kMean), 0.001, 4.8432617252352918e-18, 7.2648925878529376e-15},
      {weibull_law_of_mean(1.5, kMean), 1.0, 1.5315738356060126e-13, 2.2973607534090189e-13},
      {weibull_law_of_mean(1.5, kMean), 60.0, 7.1181119505469236e-11, 1.7795279876367309e-12},
      {weibull_law_of_mean(1.5, kMean), 3600.0, 3.3081994849089873e-8, 1.3784164520454114e-11},
      {weibull_law_of_mean(1.5, kMean), 86400.0, 3.8896323385752756e-6, 6.7528339211376313e-11},
      {weibull_law_of_mean(1.5, kMean), 31536000.0, 0.027123632342869909, 1.2901271091547712e-9},
      {weibull_law_of_mean(1.5, kMean), 315360000.0, 0.85772456620478033, 4.0797401360577451e-9},
      {weibull_law_of_mean(1.5, kMean), 3153600000.0, 27.123632342869909, 1.2901271091547712e-8},
      {weibull_law_of_mean(1.5, kMean), 315360000000.0, 27123.632342869909, 1.2901271091547712e-7},
      {weibull_law_of_mean(5, kMean), 0.001, 2.0920857647232339e-58, 1.0460428823616169e-54},
      {weibull_law_of_mean(5, kMean), 1.0, 2.0920857647232337e-43, 1.0460428823616169e-42},
      {weibull_law_of_mean(5, kMean), 60.0, 1.6268058906487865e-34, 1.3556715755406555e-35},
      {weibull_law_of_mean(5, kMean), 3600.0, 1.2650042605684964e-25, 1.7569503619006895e-28},
      {weibull_law_of_mean(5, kMean), 86400.0, 1.0072753285304963e-18, 5.8291396326996315e-23},
      {weibull_law_of_mean(5, kMean), 31536000.0, 6.5254808434572324e-6, 1.0346082007003476e-12},
      {weibull_law_of_mean(5, kMean), 315360000.0, 0.65254808434572324, 1.0346082007003476e-8},
      {weibull_law_of_mean(5, kMean), 3153600000.0, 65254.808434572324, 0.00010346082007003476},
      {weibull_law_of_mean(5, kMean), 315360000000.0, 652548084345723.24, 10346.082007003476},
      {gamma_law_of_mean(0.5, kMean), 0.001, 1.4208134725078881e-6, 0.00071040724093116305},
      {gamma_law_of_mean(0.5, kMean), 1.0, 4.4931044475711975e-5, 2.2466026921357952e-5},
      {gamma_law_of_mean(0.5, kMean), 60.0, 0.00034808711974825907, 2.9012307251688701e-6},
      {gamma_law_of_mean(0.5, kMean), 3600.0, 0.0026994371822338618, 3.7542689691042041e-7},
      {gamma_law_of_mean(0.5, kMean), 86400.0, 0.013294051823574125, 7.7439748182194944e-8},
      {gamma_law_of_mean(0.5, kMean), 31536000.0, 0.28524553116967684, 5.0613840827687568e-9},
      {gamma_law_of_mean(0.5, kMean), 315360000.0, 1.1478744644493182, 2.4180861177083035e-9},
      {gamma_law_of_mean(0.5, kMean), 3153600000.0, 6.4596124541501218, 1.7218887693160637e-9},
      {gamma_law_of_mean(0.5, kMean), 315360000000.0, 503.68066650438169, 1.5870719335468955e-9},
      {gamma_law_of_mean(0.7, kMean), 0.001, 7.6561909968235461e-9, 5.3593337182855254e-6},
      {gamma_law_of_mean(0.7, kMean), 1.0, 9.6385780028605673e-7, 6.7470078447703984e-7},
      {gamma_law_of_mean(0.7, kMean), 60.0, 1.6932546844281315e-5, 1.9754803686477659e-7},
      {gamma_law_of_mean(0.7, kMean), 3600.0, 0.00029750048551504588, 5.7855650331803751e-8},
      {gamma_law_of_mean(0.7, kMean), 86400.0, 0.0027550926344226103, 2.2349607828322314e-8},
      {gamma_law_of_mean(0.7, kMean), 31536000.0, 0.18181849744089223, 4.2464984686704497e-9},
      {gamma_law_of_mean(0.7, kMean), 315360000.0, 1.0688274738902087, 2.7520007763614886e-9},
      {gamma_law_of_mean(0.7, kMean), 3153600000.0, 7.8820571672395567, 2.3043125007224175e-9},
      {gamma_law_of_mean(0.7, kMean), 315360000000.0, 702.22661921668091, 2.2206353780754615e-9},
      {gamma_law_of_mean(3, kMean), 0.001, 1.434804377349382e-34, 4.3044131320379089e-31},
      {gamma_law_of_mean(3, kMean), 1.0, 1.4348043671227154e-25, 4.304413091131243e-25},
      {gamma_law_of_mean(3, kMean), 60.0, 3.0991761283944017e-20, 1.5495878430801889e-21},
      {gamma_law_of_mean(3, kMean), 3600.0, 6.6940513646973596e-15, 5.5783283772599313e-18},
      {gamma_law_of_mean(3, kMean), 86400.0, 9.2483915908827287e-11, 3.2105872621444196e-15},
      {gamma_law_of_mean(3, kMean), 31536000.0, 0.0036059869461975712, 3.1827672251362224e-10},
      {gamma_law_of_mean(3, kMean), 315360000.0, 0.85993383650372923, 5.0362610797743755e-9},
      {gamma_law_of_mean(3, kMean), 3153600000.0, 23.824132729894239, 8.8998376669609546e-9},
      {gamma_law_of_mean(3, kMean), 315360000000.0, 2984.6797453786421, 9.5065977507182858e-9},
      {lognormal_law_of_ratio(kMean, 2.51), 0.001, 4.152931632235134e-20, 1.5011089307039164e-16},
      {lognormal_law_of_ratio(kMean, 2.51), 1.0, 7.770859233398322e-11, 1.9960222686952045e-10},
      {lognormal_law_of_ratio(kMean, 2.51), 60.0, 8.166275416307593e-7, 2.6623616816985764e-8},
      {lognormal_law_of_ratio(kMean, 2.51), 3600.0, 0.00071547153641960095, 2.6968984903328851e-7},
      {lognormal_law_of_ratio(kMean, 2.51), 86400.0, 0.026411969457392022, 2.8209125680991709e-7},
      {lognormal_law_of_ratio(kMean, 2.51), 31536000.0, 1.0356225614524489, 1.3041900815321543e-8},
      {lognormal_law_of_ratio(kMean, 2.51), 315360000.0, 2.2909170023109555, 2.1756650126146085e-9},
      {lognormal_law_of_ratio(kMean, 2.51), 3153600000.0, 4.2195586526337839,
       3.148522260502929e-10},
      {lognormal_law_of_ratio(kMean, 2.51), 315360000000.0, 10.292801277643474,
       5.2361615829518455e-12},
      {lognormal_law_of_ratio(kMean, 9.34), 0.001, 2.7529888199288997e-73, 3.5382608552172674e-69},
      {lognormal_law_of_ratio(kMean, 9.34), 1.0, 6.3990872004965644e-40, 6.010811550783666e-39},
      {lognormal_law_of_ratio(kMean, 9.34), 60.0, 4.900506302812082e-25, 6.0023409503619868e-26},
      {lognormal_law_of_ratio(kMean, 9.34), 3600.0, 8.8650023261204618e-14, 1.3089421430026298e-16},
      {lognormal_law_of_ratio(kMean, 9.34), 86400.0, 1.5996635799609285e-7, 6.9507126187258825e-12},
      {lognormal_law_of_ratio(kMean, 9.34), 31536000.0, 0.19454591347771986, 7.0865869078129653e-9},
      {lognormal_law_of_ratio(kMean, 9.34), 315360000.0, 1.4255772070308258, 2.9105296144878455e-9},
      {lognormal_law_of_ratio(kMean, 9.34), 3153600000.0, 4.6359904235768941,
       6.0163342995706218e-10},
      {lognormal_law_of_ratio(kMean, 9.34), 315360000000.0, 18.371228166472779,
       1.2978708009719112e-11},
      {lognormal_law(16.5, 0.25), 31536000.0, 6.8283137453589597, 4.2428109795769964e-7},
      {lognormal_law(16.5, 0.25), 315360000.0, 78.794342736901004, 1.5673907578768889e-7},
      {lognormal_law(16.5, 0.25), 3153600000.0, 234.83933609140816, 2.7313015945831359e-8},
      {lognormal_law(16.5, 0.25), 315360000000.0, 800.92728827539757, 5.0650620286667431e-10},
  };
  for (const Row& row : rows) {
    CAPTURE(row.law.text());
    CAPTURE(row.x);
    CHECK(is_near(row.law.cumulative_hazard(row.x), row.cumulative, 1e-11));
    CHECK(is_near(row.law.hazard(row.x), row.hazard, 1e-11));
    CHECK(is_near(row.law.inverse_cumulative_hazard(row.cumulative), row.x, 1e-10));
  }
}

TEST_CASE("Law: the eight laws of the campaign at 1 hour, 1 day, 1 year") {
  struct Row {
    Law law;
    double hour[2], day[2], year[2];
  };
  const Row rows[] = {
      {exponential_law(kMean),
       {1.1415525114e-05, 3.1709791984e-09},
       {2.7397260274e-04, 3.1709791984e-09},
       {1.0000000000e-01, 3.1709791984e-09}},
      {weibull_law_of_mean(0.5, kMean),
       {4.7781848257e-03, 6.6363678134e-07},
       {2.3408229439e-02, 1.3546429074e-07},
       {4.4721359550e-01, 7.0905250428e-09}},
      {weibull_law_of_mean(0.7, kMean),
       {4.0917428764e-04, 7.9561667042e-08},
       {3.7849156401e-03, 3.0664825788e-08},
       {2.3532128396e-01, 5.2233922746e-09}},
      {weibull_law_of_mean(1.5, kMean),
       {3.3081994849e-08, 1.3784164520e-11},
       {3.8896323386e-06, 6.7528339211e-11},
       {2.7123632343e-02, 1.2901271092e-09}},
      {gamma_law_of_mean(0.5, kMean),
       {2.6994371822e-03, 3.7542689691e-07},
       {1.3294051824e-02, 7.7439748182e-08},
       {2.8524553117e-01, 5.0613840828e-09}},
      {gamma_law_of_mean(0.7, kMean),
       {2.9750048552e-04, 5.7855650332e-08},
       {2.7550926344e-03, 2.2349607828e-08},
       {1.8181849744e-01, 4.2464984687e-09}},
      {lognormal_law_of_ratio(kMean, 2.51),
       {7.1547153642e-04, 2.6968984903e-07},
       {2.6411969457e-02, 2.8209125681e-07},
       {1.0356225615e+00, 1.3041900815e-08}},
      {lognormal_law_of_ratio(kMean, 9.34),
       {8.8650023261e-14, 1.3089421430e-16},
       {1.5996635800e-07, 6.9507126187e-12},
       {1.9454591348e-01, 7.0865869078e-09}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.law.text());
    const auto check = [&](double x, const double(&expected)[2]) {
      CHECK(is_near(row.law.cumulative_hazard(x), expected[0], 1e-10));
      CHECK(is_near(row.law.hazard(x), expected[1], 1e-10));
    };
    check(3600, row.hour);
    check(86400, row.day);
    check(31536000, row.year);
  }
}

TEST_CASE("Law: finite and increasing up to 1000 means") {
  for (const Law& law : all_laws()) {
    CAPTURE(law.text());
    double previous = 0;
    for (double x = 1e-9 * law.mean(); x <= 1000 * law.mean(); x *= 1.01) {
      const HazardValue value = law.at(x);
      REQUIRE(std::isfinite(value.cumulative));
      REQUIRE(std::isfinite(value.hazard));
      REQUIRE(std::isfinite(value.slope));
      if (value.cumulative < 1e-300) continue;
      REQUIRE(value.cumulative > previous);
      REQUIRE(value.hazard > 0);
      previous = value.cumulative;
    }
  }
}

TEST_CASE("Law: h is the derivative of H, and h' that of h") {
  for (const Law& law : campaign_laws()) {
    CAPTURE(law.text());
    for (const double x : {100.0, 1e5, 3e7, 1e9}) {
      CAPTURE(x);
      const double step = 1e-4 * x;
      const HazardValue value = law.at(x);
      const double hazard =
          (law.cumulative_hazard(x + step) - law.cumulative_hazard(x - step)) / (2 * step);
      const double slope = (law.hazard(x + step) - law.hazard(x - step)) / (2 * step);
      CHECK(is_near(value.hazard, hazard, 2e-6));
      CHECK(std::abs(value.slope - slope) <= 2e-6 * std::max(std::abs(slope), value.hazard / x));
      CHECK(law.density(x) == doctest::Approx(value.hazard * law.survival(x)));
    }
  }
}

TEST_CASE("Law: the mean is the integral of the survival function") {
  for (const Law& law : all_laws()) {
    CAPTURE(law.text());
    double sum = 0;  // in ln x, by the trapezoidal rule
    const double step = 1.0 / 64;
    for (double u = -60; u < 40; u += step) sum += law.survival(std::exp(u)) * std::exp(u) * step;
    CHECK(is_near(law.mean(), sum, law.is_smooth() ? 1e-9 : 1e-3));
  }
}

TEST_CASE("Law: inverses, quantiles, residual times") {
  for (const Law& law : all_laws()) {
    CAPTURE(law.text());
    CHECK(law.cumulative_hazard(0) == 0);
    CHECK(law.inverse_cumulative_hazard(0) == 0);
    CHECK(law.quantile(0) == 0);
    for (const double y : {1e-12, 1e-6, 0.01, 0.5, 0.7, 5.0, 50.0, 700.0}) {
      CAPTURE(y);
      CHECK(is_near(law.cumulative_hazard(law.inverse_cumulative_hazard(y)), y, 1e-10));
    }
    for (const double p : {1e-9, 0.3, 0.999}) {
      CHECK(is_near(1 - law.survival(law.quantile(p)), p, 1e-6));
    }
    const double age = 0.4 * law.mean();
    const double x = law.residual(age, 0.8);
    CHECK(is_near(law.cumulative_hazard(age + x) - law.cumulative_hazard(age), 0.8, 1e-10));
    CHECK(law.residual(age, 0) == doctest::Approx(0).epsilon(1e-3));
    CHECK(law.residual(0, 0.8) == law.inverse_cumulative_hazard(0.8));
  }
}

TEST_CASE("Law: the batch forms give the same bits") {
  std::vector<double> x;
  for (double value = 1; value < 1e11; value *= 3.1) x.push_back(value);
  std::vector<double> out(x.size());
  for (const Law& law : all_laws()) {
    CAPTURE(law.text());
    law.cumulative_hazards(x, out);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(out[i] == law.cumulative_hazard(x[i]));
    law.hazards(x, out);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(out[i] == law.hazard(x[i]));
  }
}

TEST_CASE("Law: the minimum of p lifetimes") {
  // Weibull stays Weibull: scale / p^(1/k) (thesis, 5.3.6); exponential: mean / p.
  CHECK(is_near(weibull_law_of_mean(0.5, kMean).mean_of_minimum(1000), kMean / 1e6, 1e-12));
  CHECK(is_near(exponential_law(kMean).mean_of_minimum(1000), kMean / 1000, 1e-12));
  // The quadrature that the other laws use, where the answer is known: gamma of shape 1.
  CHECK(is_near(gamma_law_of_mean(1, kMean).mean_of_minimum(1000), kMean / 1000, 1e-9));
  // mpmath: integral of Q(0.5, x)^100 dx
  CHECK(is_near(gamma_law(0.5, 1).mean_of_minimum(100), 0.00015256449069297159, 1e-9));
  for (const Law& law : all_laws()) CHECK(law.mean_of_minimum(1) == law.mean());
  const double breakpoints[] = {0, 10};
  const double hazards[] = {0, 0.5};
  CHECK(is_near(empirical_law(breakpoints, hazards).mean_of_minimum(4), 10.5, 1e-14));
}

TEST_CASE("Law: measuring time in another unit changes nothing but the unit") {
  CHECK(rc::check([](unsigned short a, unsigned short b) {
    const double shape = 0.3 + a / 16384.0;
    const double x = 1 + b;
    RC_ASSERT(weibull_law(shape, 500).cumulative_hazard(x) ==
              weibull_law(shape, 1000).cumulative_hazard(2 * x));
    RC_ASSERT(gamma_law(shape, 500).cumulative_hazard(x) ==
              gamma_law(shape, 1000).cumulative_hazard(2 * x));
    RC_ASSERT(exponential_law(500).cumulative_hazard(x) ==
              exponential_law(1000).cumulative_hazard(2 * x));
    RC_ASSERT(is_near(lognormal_law_of_mean(500, shape).cumulative_hazard(x),
                      lognormal_law_of_mean(1000, shape).cumulative_hazard(2 * x), 1e-10));
  }));
}

TEST_CASE("Law: draws follow the law (Kolmogorov-Smirnov), one uniform each") {
  for (const Law& law : all_laws()) {
    CAPTURE(law.text());
    Stream stream({.seed = 7, .purpose = Purpose::tool});
    Stream uniforms({.seed = 7, .purpose = Purpose::tool});
    std::vector<double> values;
    for (int i = 0; i < 20000; ++i) {
      values.push_back(law.draw(stream));
      uniforms.uniform();
    }
    CHECK(stream.uniform() == uniforms.uniform());
    CHECK(kolmogorov(values, [&](double x) { return 1 - law.survival(x); }) < 1.95);
  }
}
