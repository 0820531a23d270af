#include "holdfast/models/speedup/fit_report.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/models/speedup/fit_errors.hpp"
#include "holdfast/models/speedup/speedup_io.hpp"

#include <fmt/format.h>

#include <utility>

namespace holdfast {
namespace {

Value fit_value(const SpeedupFit& fit, const std::vector<SpeedupParameter>& parameters) {
  Value numbers = Value::object();
  for (const SpeedupParameter& parameter : parameters) {
    Value number = Value::object({{"value", parameter.value}});
    if (parameter.standard_error) number.set("standard_error", *parameter.standard_error);
    numbers.set(parameter.name, std::move(number));
  }
  return Value::object({{"speedup", to_value(fit.speedup)},
                        {"parameters", std::move(numbers)},
                        {"rms", fit.rms},
                        {"largest", fit.worst},
                        {"residuals", Value::list(fit.residuals)}});
}

std::string parameters_text(const std::vector<SpeedupParameter>& parameters) {
  std::string out;
  for (const SpeedupParameter& parameter : parameters) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", parameter.name,
                       to_text(parameter.value, 5));
    if (parameter.standard_error) out += " +- " + to_text(*parameter.standard_error, 2);
  }
  return out;
}

}  // namespace

SpeedupReport report_speedup(std::string_view name, const SpeedupProfile& profile) {
  SpeedupReport out{.title = std::string(name.empty() ? "the program" : name),
                    .fits = fit_speedups(profile),
                    .document = Value::object({{"name", std::string(name)},
                                               {"processors", Value::list(profile.processors)},
                                               {"seconds", Value::list(profile.seconds)}}),
                    .rows = {}};
  if (!out.fits.empty()) out.preferred = preferred_fit(out.fits);
  Value fits = Value::array();
  for (std::size_t i = 0; i < out.fits.size(); ++i) {
    const SpeedupFit& fit = out.fits[i];
    const auto parameters = fitted_parameters(profile, fit);
    fits.push(fit_value(fit, parameters));
    out.rows.push_back({holdfast::name(fit.speedup.model()), parameters_text(parameters),
                        100 * fit.rms, 100 * fit.worst, i == out.preferred ? "preferred" : ""});
  }
  out.document.set("fits", std::move(fits));
  if (!out.fits.empty()) {
    out.document.set("preferred", holdfast::name(out.fits[out.preferred].speedup.model()));
  }
  return out;
}

std::string best_in_words(const SpeedupReport& report) {
  const std::vector<Value>& row = report.rows[report.preferred];
  return fmt::format("{}: {}, {}", report.title, *row[0].string(), *row[1].string());
}

std::string too_few_for_fit(const SpeedupReport& report) {
  return report.title + ": one number of processors is too few for a model";
}

}  // namespace holdfast
