#include "holdfast/base/elementary.hpp"
#include "holdfast/models/failures/law_model.hpp"

#include <cassert>
#include <memory>

namespace holdfast {
namespace {

/// H(x) = (x / scale)^shape, mean = scale Gamma(1 + 1/shape).
class Weibull final : public LawModelOf<Weibull> {
 public:
  Weibull(double shape, double scale, Value description)
      : LawModelOf{std::move(description)}, shape_{shape}, scale_{scale} {}

  [[nodiscard]] double cumulative_hazard(double x) const override {
    return elementary::pow(x / scale_, shape_);
  }
  [[nodiscard]] HazardValue at(double x) const override {
    const double cumulative = cumulative_hazard(x);
    const double hazard = shape_ * cumulative / x;
    return {cumulative, hazard, (shape_ - 1) * hazard / x};
  }
  [[nodiscard]] double inverse_cumulative_hazard(double y) const override {
    return scale_ * elementary::pow(y, 1 / shape_);
  }
  [[nodiscard]] double mean() const override { return scale_ * elementary::tgamma(1 + 1 / shape_); }
  /// The minimum of p lifetimes is again Weibull, of scale / p^(1/shape) (thesis, section 5.3.6).
  [[nodiscard]] double mean_of_minimum(double processors) const override {
    return mean() / elementary::pow(processors, 1 / shape_);
  }

 private:
  double shape_;
  double scale_;
};

}  // namespace

Law weibull_law(double shape, double scale) {
  assert(shape > 0 && scale > 0);
  return Law{std::make_shared<Weibull>(
      shape, scale,
      Value::object({{"distribution", "weibull"}, {"shape", shape}, {"scale", scale}}))};
}

Law weibull_law_of_mean(double shape, double mean) {
  assert(shape > 0 && mean > 0);
  return Law{std::make_shared<Weibull>(
      shape, mean / elementary::tgamma(1 + 1 / shape),
      Value::object({{"distribution", "weibull"}, {"shape", shape}, {"mtbf", mean}}))};
}

std::optional<Law> read_weibull(ObjectReader& read, const std::filesystem::path& /*directory*/) {
  const double shape = read.number("shape", positive());
  const MeanOrOther given = read_mean_or(read, "scale");
  if (!read.ok()) return std::nullopt;
  return checked(read, given.is_mean ? weibull_law_of_mean(shape, given.value)
                                     : weibull_law(shape, given.value));
}

}  // namespace holdfast
