#include "holdfast/models/failures/fit.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/math/chi_square.hpp"
#include "holdfast/math/gamma_function.hpp"
#include "holdfast/models/failures/fit_bounds.hpp"

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

/// One number of a law: its name, and the coordinate to which it belongs: log_shape, or the location plus an offset.
struct Described {
  std::string_view name;
  Unit unit;
  Form form;
  Curved (*offset)(double log_shape);  ///< null: the coordinate is log_shape
};

constexpr auto kShape = nullptr;
Curved kLocation(double) {
  return {};
}

constexpr auto kExponential =
    std::to_array<Described>({{"mtbf", Unit::seconds, Form::logarithm, kLocation}});
constexpr auto kWeibull =
    std::to_array<Described>({{"shape", Unit::none, Form::logarithm, kShape},
                              {"scale", Unit::seconds, Form::logarithm, kLocation},
                              {"mtbf", Unit::seconds, Form::logarithm, weibull_mean_offset}});
constexpr auto kGamma =
    std::to_array<Described>({{"shape", Unit::none, Form::logarithm, kShape},
                              {"scale", Unit::seconds, Form::logarithm, gamma_scale_offset},
                              {"mtbf", Unit::seconds, Form::logarithm, kLocation}});
constexpr auto kLognormal =
    std::to_array<Described>({{"log_mean", Unit::none, Form::plain, kLocation},
                              {"log_sd", Unit::none, Form::inverse, kShape},
                              {"mtbf", Unit::seconds, Form::logarithm, lognormal_mean_offset}});

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

LawQuantity quantity_of(const Described& number) {
  if (number.offset == nullptr)
    return [](const LawPoint& law) { return Curved{.value = law.log_shape, .s = 1}; };
  return [offset = number.offset](const LawPoint& law) {
    Curved out = offset(law.log_shape);
    out.value += law.location;
    out.l = 1;
    return out;
  };
}

/// The ends of a quantity: logarithms of times in seconds and of shapes, or the quantity itself.
ConfidenceInterval ends_of(const LawQuantity& quantity, LikelihoodRegion& region, double shift) {
  return {region.end(quantity, -1) + shift, region.end(quantity, +1) + shift};
}

ConfidenceInterval exponentials(const ConfidenceInterval& logs) {
  return {elementary::exp(logs.low), elementary::exp(logs.high)};
}

FittedParameter describe(const Described& number, const LikelihoodMaximum& maximum,
                         const Covariance& covariance, double log_unit, LikelihoodRegion* region) {
  const LawQuantity quantity = quantity_of(number);
  const Curved at = quantity(maximum.law);
  FittedParameter out{.name = number.name, .unit = number.unit, .interval = {}, .logs = {}};
  out.value = value_of(number, at.value, log_unit);
  out.standard_error =
      std::sqrt(covariance.of(at.l, at.s)) * (number.form == Form::plain ? 1 : out.value);
  out.interval = {out.value, out.value};
  if (region == nullptr) return out;
  out.logs = ends_of(quantity, *region, number.offset == nullptr ? 0 : log_unit);
  if (number.form == Form::inverse) out.logs = {-out.logs.high, -out.logs.low};
  out.interval = number.form == Form::plain ? out.logs : exponentials(out.logs);
  return out;
}

/// Returns ln(quantile) of a law in units of the sample: the y at which the cumulative hazard is -ln(1 - probability).
LawQuantity log_quantile(LawFamily family, double probability) {
  return [family, target = elementary::log(-elementary::log1p(-probability))](const LawPoint& law) {
    double y = law.location;
    Curved h;
    for (int i = 0; i < 200; ++i) {
      h = cumulative_hazard(family, law, y);
      const double widest = 2 + 2 * elementary::exp(-law.log_shape);
      const double step =
          h.value > 0 ? (elementary::log(h.value) - target) * h.value / h.l : widest;
      y += std::clamp(step, -widest, widest);
      if (std::abs(step) < 1e-13 * (1 + std::abs(y))) break;
    }
    // H stays the same on the way, and depends on y - location: dy/d(log_shape) = -H_s / H_y, H_y = -H_l.
    return Curved{.value = y, .l = 1, .s = h.s / h.l};
  };
}

/// Returns ln H(age) of a law, at an age whose logarithm in units of the sample is y.
LawQuantity log_hazard(LawFamily family, double y) {
  return [family, y](const LawPoint& law) {
    const Curved h = cumulative_hazard(family, law, y);
    const double l = h.l / h.value;
    const double s = h.s / h.value;
    return Curved{elementary::log(h.value), l, s, h.ll / h.value - l * l, h.ls / h.value - l * s,
                  h.ss / h.value - s * s};
  };
}

/// Adds what people ask of a fitted law: quantiles, and the survival at ages.
void add_answers(const FitOptions& options, LikelihoodRegion& region, LawFit& fit) {
  for (const double probability : options.quantiles) {
    const LawQuantity quantity = log_quantile(fit.family, probability);
    FittedQuantile out{.probability = probability, .interval = {}, .logs = {}};
    out.value = elementary::exp(quantity(fit.point).value + fit.log_unit);
    out.logs = ends_of(quantity, region, fit.log_unit);
    out.interval = exponentials(out.logs);
    fit.quantiles.push_back(out);
  }
  for (const double age : options.ages) {
    const LawQuantity quantity = log_hazard(fit.family, elementary::log(age) - fit.log_unit);
    const ConfidenceInterval ends = exponentials(ends_of(quantity, region, 0));
    fit.survivals.push_back(
        {.age = age,
         .value = survival_of(fit, age),
         .interval = {elementary::exp(-ends.high), elementary::exp(-ends.low)}});
  }
}

std::string_view reason_of(Border border) {
  switch (border) {
    case Border::one_age:
      return "it grows while the law shrinks to one age";
    case Border::all_ages:
      return "it grows while the law spreads over all ages";
    case Border::none:
      break;
  }
  return "none was found";
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
  const MaximumSearch search = find_maximum(family, sample);
  if (!search.maximum) {
    return fail(
        ErrorCode::bad_value, {},
        fmt::format(
            "found {} failures among {} lifetimes that no {} law fits best: the likelihood has no "
            "maximum ({}), expected more failures or narrower intervals",
            sample.failures(), sample.lives(), name_of(family), reason_of(search.border)));
  }
  const LikelihoodMaximum& maximum = *search.maximum;
  LawFit fit{.family = family,
             .parameters = {},
             .quantiles = {},
             .survivals = {},
             .point = {},
             .covariance = {}};
  LikelihoodRegion region{family, sample, maximum,
                          0.5 * chi_square_quantile(1, options.confidence)};
  fit.point = maximum.law;
  fit.covariance = covariance_at(family, maximum.at);
  fit.log_unit = sample.log_unit();
  fit.log_likelihood = maximum.at.value - static_cast<double>(sample.exact()) * sample.log_unit();
  fit.aic = 2 * (free_parameters(family) - fit.log_likelihood);
  for (const Described& number : numbers_of(family)) {
    fit.parameters.push_back(describe(number, maximum, fit.covariance, fit.log_unit,
                                      options.intervals ? &region : nullptr));
  }
  if (options.intervals) add_answers(options, region, fit);
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

double survival_of(const LawFit& fit, double age) {
  if (!(age > 0)) return 1;
  return elementary::exp(
      -cumulative_hazard(fit.family, fit.point, elementary::log(age) - fit.log_unit).value);
}

}  // namespace holdfast
