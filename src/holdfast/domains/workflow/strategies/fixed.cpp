#include "holdfast/domains/workflow/strategies/makers.hpp"

namespace holdfast::workflow {
namespace {

/// The same period for all tasks.
class Fixed final : public LocalStrategy {
 public:
  explicit Fixed(double period) : period_{period} {}
  Cut cut(const TaskView& task) const override { return cut_by_period(task.length, period_); }

 private:
  double period_;
};

}  // namespace

Made make_fixed(const StrategySpec& spec, const Instance&) {
  return std::make_unique<Fixed>(spec.number("period"));
}

}  // namespace holdfast::workflow
