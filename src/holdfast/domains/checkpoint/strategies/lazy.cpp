#include "holdfast/base/elementary.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/strategies/since_failure.hpp"

#include <algorithm>

namespace holdfast::checkpoint {
namespace {

/// Young and Daly's period W while failures of shape k are as frequent as on average, and W (t / M)^(1 - k) a time t after the last
/// one: under a Weibull law of the whole job, as many failures are then expected in each segment. t counts as at least W.
class Lazy final : public SinceFailure {
 public:
  Lazy(const Instance& instance, double mtbf, double shape)
      : SinceFailure(instance), period_{usual_period(instance, mtbf)}, mtbf_{mtbf}, shape_{shape} {}

 private:
  double period(double since) const override {
    return period_ * elementary::pow(std::max(since, period_) / mtbf_, 1 - shape_);
  }

  double period_, mtbf_, shape_;
};

}  // namespace

Made make_lazy(const Instance& instance, const StrategySpec& spec) {
  double shape = 1;  // that of an exponential law
  if (spec.has("shape")) {
    shape = spec.number("shape");
  } else if (const Value* own = instance.law->description().find("shape")) {
    shape = own->number();
  } else if (instance.law->name() != "exponential") {
    return fail(ErrorCode::bad_value, "/failures/shape",
                "is missing; strategy 'lazy' needs the shape of a Weibull law: lazy:shape=0.7");
  }
  return std::make_unique<Lazy>(instance, mtbf_for(instance, spec), shape);
}

}  // namespace holdfast::checkpoint
