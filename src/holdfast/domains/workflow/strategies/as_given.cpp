#include "holdfast/domains/workflow/strategies/makers.hpp"

namespace holdfast::workflow {
namespace {

/// The segments that the document gives.
class AsGiven final : public Strategy {
 public:
  void decide(const Situation& situation, std::span<Cut> cuts) const override {
    const Instance& instance = *situation.instance;
    for (std::size_t task = 0; task < cuts.size(); ++task) {
      const std::int64_t segments = instance.segments[task];
      cuts[task] = {segments, instance.lengths[task] / static_cast<double>(segments)};
    }
  }
};

}  // namespace

Made make_as_given(const StrategySpec&, const Instance& instance) {
  if (instance.segments.empty()) {
    return fail(ErrorCode::bad_value, "/tasks",
                "found no task with 'segments', expected them for the strategy as-given");
  }
  return std::make_unique<AsGiven>();
}

}  // namespace holdfast::workflow
