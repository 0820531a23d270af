#include "holdfast/math/gamma_tail.hpp"
#include "holdfast/models/failures/law_model.hpp"

#include <cassert>
#include <memory>

namespace holdfast {
namespace {

/// H(x) = -ln Q(shape, x / scale), mean = shape scale.
class Gamma final : public LawModelOf<Gamma> {
 public:
  Gamma(double shape, double scale, Value description)
      : LawModelOf{std::move(description)}, shape_{shape}, scale_{scale}, tail_{shape} {}

  [[nodiscard]] double cumulative_hazard(double x) const override {
    return tail_.minus_log_q(x / scale_);
  }
  [[nodiscard]] HazardValue at(double x) const override {
    const double u = x / scale_;
    const GammaTail::Values value = tail_.at(u);
    const double slope = value.hazard * ((shape_ - 1) / u - 1 + value.hazard);
    return {value.minus_log_q, value.hazard / scale_, slope / (scale_ * scale_)};
  }
  [[nodiscard]] double inverse_cumulative_hazard(double y) const override {
    return scale_ * tail_.inverse(y);
  }
  [[nodiscard]] double mean() const override { return shape_ * scale_; }

 private:
  double shape_;
  double scale_;
  GammaTail tail_;
};

}  // namespace

Law gamma_law(double shape, double scale) {
  assert(shape > 0 && scale > 0);
  return Law{std::make_shared<Gamma>(
      shape, scale,
      Value::object({{"distribution", "gamma"}, {"shape", shape}, {"scale", scale}}))};
}

Law gamma_law_of_mean(double shape, double mean) {
  assert(shape > 0 && mean > 0);
  return Law{std::make_shared<Gamma>(
      shape, mean / shape,
      Value::object({{"distribution", "gamma"}, {"shape", shape}, {"mtbf", mean}}))};
}

std::optional<Law> read_gamma(ObjectReader& read, const std::filesystem::path& /*directory*/) {
  // Outside this range, half of all lifetimes underflow (below 1e-3), or failures are as regular as a clock (above 1e6).
  const double shape = read.number("shape", {.minimum = 0, .maximum = 1e6, .above_minimum = true});
  const MeanOrOther given = read_mean_or(read, "scale");
  if (!read.ok()) return std::nullopt;
  return checked(
      read, given.is_mean ? gamma_law_of_mean(shape, given.value) : gamma_law(shape, given.value));
}

}  // namespace holdfast
