#include "holdfast/domains/workflow/strategies/makers.hpp"

namespace holdfast::workflow {
namespace {

/// One segment: the only checkpoint is at the end.
class None final : public LocalStrategy {
 public:
  Cut cut(const TaskView& task) const override { return {.segments = 1, .period = task.length}; }
};

}  // namespace

Made make_none(const StrategySpec&, const Instance&) {
  return std::make_unique<None>();
}

}  // namespace holdfast::workflow
