#include "holdfast/models/failures/law.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/math/quadrature.hpp"
#include "holdfast/models/failures/law_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace holdfast {
namespace {

/// Returns the mean of a function of an exponential variable of mean 1: the integral of f(y) e^-y dy. In v = ln y the integrand
/// is smooth and its range short, whatever the law.
template <class Function>
double mean_over_hazard(const Function& f) {
  constexpr double kFrom = -45;
  constexpr double kPanel = 0.25;
  constexpr int kPanels = 206;  // up to y = 665
  double sum = 0;
  for (int i = 0; i < kPanels; ++i) {
    const double low = kFrom + i * kPanel;
    sum += kGaussLegendre8.integrate(low, low + kPanel, [&](double v) {
      const double y = elementary::exp(v);
      return f(y) * elementary::exp(v - y);
    });
  }
  return sum;
}

}  // namespace

double Law::cumulative_hazard(double x) const {
  return model_->cumulative_hazard(x);
}

double Law::hazard(double x) const {
  return model_->at(x).hazard;
}

HazardValue Law::at(double x) const {
  return model_->at(x);
}

void Law::cumulative_hazards(std::span<const double> x, std::span<double> out) const {
  assert(x.size() == out.size());
  model_->cumulative_hazards(x, out);
}

void Law::hazards(std::span<const double> x, std::span<double> out) const {
  assert(x.size() == out.size());
  model_->hazards(x, out);
}

double Law::survival(double x) const {
  return elementary::exp(-cumulative_hazard(x));
}

double Law::density(double x) const {
  const HazardValue value = at(x);
  return value.hazard * elementary::exp(-value.cumulative);
}

double Law::mean() const {
  return model_->mean();
}

double Law::inverse_cumulative_hazard(double y) const {
  return model_->inverse_cumulative_hazard(y);
}

double Law::quantile(double probability) const {
  assert(probability >= 0 && probability < 1);
  return inverse_cumulative_hazard(-elementary::log1p(-probability));
}

double Law::residual(double age, double y) const {
  if (age == 0) return inverse_cumulative_hazard(y);
  return std::max(0.0, inverse_cumulative_hazard(cumulative_hazard(age) + y) - age);
}

double Law::draw(Stream& stream) const {
  // -log1p(-u) and not -log(u): early failures, which are decisive for a large platform, keep all digits.
  return inverse_cumulative_hazard(-elementary::log1p(-stream.uniform()));
}

double Law::mean_of_minimum(std::int64_t processors) const {
  assert(processors >= 1);
  return processors == 1 ? mean() : model_->mean_of_minimum(static_cast<double>(processors));
}

double Law::mean_residual_life(double age) const {
  assert(age >= 0);
  return age > 0 ? mean_over_hazard([&](double y) { return residual(age, y); }) : mean();
}

bool Law::is_smooth() const {
  return model_->is_smooth();
}

const Value& Law::description() const {
  return model_->description();
}

std::string_view Law::name() const {
  return *description().find("distribution")->string();
}

std::string Law::text() const {
  std::string out(name());
  for (const auto& [field, value] : *description().members()) {
    if (field == "distribution" || field == "mtbf") continue;
    if (const auto* items = value.array_items()) {
      out += fmt::format(", {} {}", items->size(), field);
    } else {
      const std::string number =
          field == "scale" ? format_duration(value.number()) : to_text(value.number(), 6);
      out += fmt::format(", {} {}", field, number);
    }
  }
  return fmt::format("{}, mean {}", in_words(out), format_duration(mean()));
}

double LawModel::mean_of_minimum(double processors) const {
  return mean_over_hazard([&](double y) { return inverse_cumulative_hazard(y / processors); });
}

}  // namespace holdfast
