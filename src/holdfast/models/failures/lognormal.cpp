#include "holdfast/base/elementary.hpp"
#include "holdfast/math/normal_tail.hpp"
#include "holdfast/models/failures/law_model.hpp"

#include <cassert>
#include <cmath>
#include <memory>

namespace holdfast {
namespace {

/// ln X (X in seconds) is normal: H(x) = -ln(erfc((ln x - m) / (s sqrt 2)) / 2), mean = exp(m + s^2 / 2).
class Lognormal final : public LawModelOf<Lognormal> {
 public:
  Lognormal(double log_mean, double log_sd, Value description)
      : LawModelOf{std::move(description)}, log_mean_{log_mean}, log_sd_{log_sd} {}

  [[nodiscard]] double cumulative_hazard(double x) const override {
    return x > 0 ? minus_log_normal_survival((elementary::log(x) - log_mean_) / log_sd_) : 0;
  }
  [[nodiscard]] HazardValue at(double x) const override {
    const double z = (elementary::log(x) - log_mean_) / log_sd_;
    const double hazard = normal_hazard(z) / (log_sd_ * x);
    return {minus_log_normal_survival(z), hazard, hazard * (hazard - (1 + z / log_sd_) / x)};
  }
  [[nodiscard]] double inverse_cumulative_hazard(double y) const override {
    return y > 0 ? elementary::exp(log_mean_ + log_sd_ * inverse_minus_log_normal_survival(y)) : 0;
  }
  [[nodiscard]] double mean() const override {
    return elementary::exp(log_mean_ + 0.5 * log_sd_ * log_sd_);
  }

 private:
  double log_mean_;
  double log_sd_;
};

Law make(double log_mean, double log_sd, Value description) {
  assert(log_sd > 0);
  return Law{std::make_shared<Lognormal>(log_mean, log_sd, std::move(description))};
}

}  // namespace

Law lognormal_law(double log_mean, double log_sd) {
  return make(
      log_mean, log_sd,
      Value::object({{"distribution", "lognormal"}, {"log_mean", log_mean}, {"log_sd", log_sd}}));
}

Law lognormal_law_of_mean(double mean, double log_sd) {
  assert(mean > 0);
  return make(elementary::log(mean) - 0.5 * log_sd * log_sd, log_sd,
              Value::object({{"distribution", "lognormal"}, {"mtbf", mean}, {"log_sd", log_sd}}));
}

Law lognormal_law_of_ratio(double mean, double k) {
  assert(mean > 1 && k > 0);
  const double log_mean = elementary::log(mean) / (1 + 1 / (2 * k));
  return make(log_mean, std::sqrt(log_mean / k),
              Value::object({{"distribution", "lognormal"}, {"mtbf", mean}, {"k", k}}));
}

std::optional<Law> read_lognormal(ObjectReader& read, const std::filesystem::path& /*directory*/) {
  if (read.has("log_mean")) {
    const double log_mean = read.number("log_mean");
    const double log_sd = read.number("log_sd", positive());
    if (!read.ok()) return std::nullopt;
    return checked(read, lognormal_law(log_mean, log_sd));
  }
  if (read.has("k")) {
    // The source's ratio log_mean / log_sd^2 needs a positive log_mean, with the second as the unit.
    const double mean = read.seconds("mtbf", {.minimum = 1, .above_minimum = true});
    const double k = read.number("k", positive());
    if (!read.ok()) return std::nullopt;
    return checked(read, lognormal_law_of_ratio(mean, k));
  }
  const double mean = read.seconds("mtbf", positive());
  const double log_sd = read.number("log_sd", positive());
  if (!read.ok()) return std::nullopt;
  return checked(read, lognormal_law_of_mean(mean, log_sd));
}

}  // namespace holdfast
