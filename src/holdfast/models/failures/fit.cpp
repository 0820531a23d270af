#include "holdfast/models/failures/fit.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/kernel/samplers.hpp"
#include "holdfast/math/chi_square.hpp"
#include "holdfast/math/gamma_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace holdfast {
namespace {

constexpr auto kFamilies = std::to_array<LawFamily>(
    {LawFamily::exponential, LawFamily::weibull, LawFamily::gamma, LawFamily::lognormal});

/// Returns ln(mean / scale) of the Weibull law, ln Gamma(1 + 1/k), as a function of ln k.
Curved weibull_mean_offset(double log_shape) {
  const double r = elementary::exp(-log_shape);
  const double psi = digamma(1 + r);
  return {.value = log_gamma(1 + r), .s = -r * psi, .ss = r * psi + r * r * trigamma(1 + r)};
}

/// Returns ln(mean) - log_mean of the lognormal law, sd^2 / 2, with sd = exp(-log_shape).
Curved lognormal_mean_offset(double log_shape) {
  const double variance = elementary::exp(-2 * log_shape);
  return {.value = 0.5 * variance, .s = -variance, .ss = 2 * variance};
}

/// Returns ln(scale / mean) of the gamma law, -ln k.
Curved gamma_scale_offset(double log_shape) {
  return {.value = -log_shape, .s = -1};
}

/// The relation between a coordinate and the number in documents.
enum class Form {
  logarithm,  ///< value = exp(coordinate): shapes, and times in units of the sample
  inverse,    ///< value = exp(-coordinate): log_sd
  plain,      ///< value = coordinate + log_unit: log_mean
};

/// One number of a law: its name, and the coordinate to which it belongs.
struct Described {
  std::string_view name;
  Unit unit;
  Form form;
  ProfiledQuantity quantity;
};

constexpr ProfiledQuantity kShape{.is_shape = true};
constexpr ProfiledQuantity kLocation{};

constexpr auto kExponential =
    std::to_array<Described>({{"mtbf", Unit::seconds, Form::logarithm, kLocation}});
constexpr auto kWeibull = std::to_array<Described>(
    {{"shape", Unit::none, Form::logarithm, kShape},
     {"scale", Unit::seconds, Form::logarithm, kLocation},
     {"mtbf", Unit::seconds, Form::logarithm, {.offset = weibull_mean_offset}}});
constexpr auto kGamma = std::to_array<Described>(
    {{"shape", Unit::none, Form::logarithm, kShape},
     {"scale", Unit::seconds, Form::logarithm, {.offset = gamma_scale_offset}},
     {"mtbf", Unit::seconds, Form::logarithm, kLocation}});
constexpr auto kLognormal = std::to_array<Described>(
    {{"log_mean", Unit::none, Form::plain, kLocation},
     {"log_sd", Unit::none, Form::inverse, kShape},
     {"mtbf", Unit::seconds, Form::logarithm, {.offset = lognormal_mean_offset}}});

std::span<const Described> numbers_of(LawFamily family) {
  switch (family) {
    case LawFamily::exponential:
      return kExponential;
    case LawFamily::weibull:
      return kWeibull;
    case LawFamily::gamma:
      return kGamma;
    case LawFamily::lognormal:
      return kLognormal;
  }
  return {};
}

double value_of(const Described& number, double coordinate, double log_unit) {
  switch (number.form) {
    case Form::logarithm:
      return elementary::exp(coordinate + (number.unit == Unit::seconds ? log_unit : 0));
    case Form::inverse:
      return elementary::exp(-coordinate);
    case Form::plain:
      return coordinate + log_unit;
  }
  return 0;
}

FittedParameter describe(const Described& number, const LikelihoodMaximum& maximum,
                         const Covariance& covariance, LawFamily family,
                         const LifetimeSample& sample, const FitOptions& options) {
  const double coordinate = number.quantity.at(maximum.law);
  const double variance = number.quantity.is_shape
                              ? covariance.ss
                              : covariance.of(1, number.quantity.slope(maximum.law.log_shape));
  FittedParameter out{.name = number.name, .unit = number.unit, .interval = {}};
  out.value = value_of(number, coordinate, sample.log_unit());
  out.standard_error = std::sqrt(variance) * (number.form == Form::plain ? 1 : out.value);
  out.interval = {out.value, out.value};
  if (!options.intervals) return out;
  const double drop = 0.5 * chi_square_quantile(1, options.confidence);
  const auto bound = [&](int side) {
    return value_of(number, profile_bound(family, sample, maximum, number.quantity, drop, side),
                    sample.log_unit());
  };
  out.interval = number.form == Form::inverse ? ConfidenceInterval{bound(+1), bound(-1)}
                                              : ConfidenceInterval{bound(-1), bound(+1)};
  return out;
}

Status check_identifiable(LawFamily family, const LifetimeSample& sample) {
  if (free_parameters(family) < 2) return {};
  if (sample.failures() < 2) {
    return fail(ErrorCode::bad_value, {},
                fmt::format("found {} among {}, expected at least 2 failures for the {} law",
                            counted(sample.failures(), "failure"),
                            counted(sample.lives(), "lifetime"), name_of(family)));
  }
  if (sample.is_one_age()) {
    return fail(
        ErrorCode::bad_value, {},
        fmt::format(
            "found {} failures all at the age of {:.6g} s, expected different ages for the {} law",
            sample.failures(), elementary::exp(sample.log_unit()), name_of(family)));
  }
  return {};
}

}  // namespace

std::span<const LawFamily> law_families() {
  return kFamilies;
}

Result<LawFamily> law_family(std::string_view name) {
  std::vector<std::string_view> names;
  for (const LawFamily family : kFamilies) {
    if (name_of(family) == name) return family;
    names.push_back(name_of(family));
  }
  return fail(ErrorCode::unknown_name, {},
              fmt::format("found no law {} that can be fitted, {}", in_quotes(name),
                          suggestion(name, names)));
}

const FittedParameter& LawFit::parameter(std::string_view name) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const FittedParameter& p) { return p.name == name; });
  assert(found != parameters.end());
  return *found;
}

Law LawFit::law() const {
  switch (family) {
    case LawFamily::exponential:
      return exponential_law(mean());
    case LawFamily::weibull:
      return weibull_law_of_mean(parameter("shape").value, mean());
    case LawFamily::gamma:
      return gamma_law_of_mean(parameter("shape").value, mean());
    case LawFamily::lognormal:
      return lognormal_law(parameter("log_mean").value, parameter("log_sd").value);
  }
  return exponential_law(mean());
}

Result<LawFit> fit_law(LawFamily family, const LifetimeSample& sample, const FitOptions& options) {
  HOLDFAST_CHECK(check_identifiable(family, sample));
  const auto maximum = find_maximum(family, sample);
  if (!maximum) {
    return fail(
        ErrorCode::bad_value, {},
        fmt::format(
            "found {} failures among {} lifetimes that no {} law fits best: the likelihood has no "
            "maximum, expected more failures or narrower intervals",
            sample.failures(), sample.lives(), name_of(family)));
  }
  LawFit fit{.family = family, .parameters = {}, .point = {}, .covariance = {}};
  fit.lives = sample.lives();
  fit.failures = sample.failures();
  fit.point = maximum->law;
  fit.covariance = covariance_at(family, maximum->at);
  fit.log_unit = sample.log_unit();
  fit.log_likelihood = maximum->at.value - static_cast<double>(sample.exact()) * sample.log_unit();
  fit.aic = 2 * (free_parameters(family) - fit.log_likelihood);
  for (const Described& number : numbers_of(family)) {
    fit.parameters.push_back(describe(number, *maximum, fit.covariance, family, sample, options));
  }
  return fit;
}

Result<LawFit> fit_law(LawFamily family, std::span<const Lifetime> lives,
                       const FitOptions& options) {
  HOLDFAST_TRY(sample, LifetimeSample::make(lives));
  return fit_law(family, sample, options);
}

Result<LawTable> compare_laws(const LifetimeSample& sample, const FitOptions& options,
                              std::span<const LawFamily> families) {
  LawTable table;
  for (const LawFamily family : families.empty() ? law_families() : families) {
    auto fit = fit_law(family, sample, options);
    if (fit) {
      table.rows.push_back({.fit = std::move(*fit)});
    } else {
      table.refusals.push_back({family, std::move(fit).error()});
    }
  }
  if (table.rows.empty()) return fail(table.refusals.front().error);
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const auto& a, const auto& b) { return a.fit.aic < b.fit.aic; });
  double sum = 0;
  for (LawComparison& row : table.rows) {
    row.difference = row.fit.aic - table.rows.front().fit.aic;
    row.weight = elementary::exp(-0.5 * row.difference);
    sum += row.weight;
  }
  for (LawComparison& row : table.rows) row.weight /= sum;
  return table;
}

FittedSurvival survival_of(const LawFit& fit, double age, double confidence) {
  if (!(age > 0)) return {};
  const Curved h = cumulative_hazard(fit.family, fit.point, elementary::log(age) - fit.log_unit);
  if (!(h.value > 0)) return {};
  const double z = normal_quantile(0.5 + 0.5 * confidence);
  const double spread = z * std::sqrt(fit.covariance.of(h.l, h.s)) / h.value;
  return {elementary::exp(-h.value),
          {elementary::exp(-h.value * elementary::exp(spread)),
           elementary::exp(-h.value * elementary::exp(-spread))}};
}

}  // namespace holdfast
