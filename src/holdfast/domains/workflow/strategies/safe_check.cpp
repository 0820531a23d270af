#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/workflow/strategies/makers.hpp"

#include <algorithm>
#include <optional>

namespace holdfast::workflow {
namespace {

/// Young/Daly periods divided by ln(delta) + 1, so that the slowest of delta tasks is not slow. The
/// author's simulator divides by ln(delta), at least 1.
class SafeCheck final : public LocalStrategy {
 public:
  /// @param delta  nothing: the concurrency of each task
  SafeCheck(std::optional<double> delta, bool adds_one) : delta_{delta}, adds_one_{adds_one} {}

  Cut cut(const TaskView& task) const override {
    const double log = elementary::log(delta_.value_or(static_cast<double>(task.concurrency)));
    const double times = adds_one_ ? log + 1 : std::max(1.0, log);
    // Computed as the source writes it, times * T / W: another rounding could change the ceiling.
    Cut out = cut_by_period(times * task.length, task.young_daly());
    out.period = task.young_daly() / times;
    return out;
  }

 private:
  std::optional<double> delta_;
  bool adds_one_;
};

}  // namespace

Made make_safe_check(const StrategySpec& spec, const Instance& instance) {
  HOLDFAST_CHECK(has_period(instance));
  return std::make_unique<SafeCheck>(spec.number("delta"), true);
}

Made make_check_more(const StrategySpec&, const Instance& instance) {
  HOLDFAST_CHECK(has_period(instance));
  return std::make_unique<SafeCheck>(std::nullopt, instance.profile == Profile::standard);
}

Made make_basic_check_more(const StrategySpec&, const Instance& instance) {
  HOLDFAST_CHECK(has_period(instance));
  const bool is_author = instance.profile == Profile::author;
  const auto processors = static_cast<double>(instance.processors);
  const auto tasks = static_cast<double>(instance.size());
  return std::make_unique<SafeCheck>(is_author ? processors : std::min(tasks, processors),
                                     !is_author);
}

}  // namespace holdfast::workflow
