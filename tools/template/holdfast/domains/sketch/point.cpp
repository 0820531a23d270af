#include "holdfast/domains/sketch/point.hpp"

#include "holdfast/domains/sketch/instance_io.hpp"
#include "holdfast/domains/sketch/metrics.hpp"
#include "holdfast/domains/sketch/simulate.hpp"
#include "holdfast/domains/sketch/strategies.hpp"
#include "holdfast/domains/sketch/validate.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace holdfast::sketch {
namespace {

class SketchPoint final : public Point {
 public:
  SketchPoint(Instance instance, std::span<const StrategySpec> strategies)
      : instance_{std::move(instance)},
        strategies_(strategies.begin(), strategies.end()),
        definition_{to_value(instance_)} {}

  const Value& definition() const override { return definition_; }
  bool is_fixed() const override { return instance_.failures.has_value(); }

  Result<Outcome> run(const Draw& draw, std::size_t strategy, Workspace&,
                      bool want_timeline) const override {
    std::optional<Timeline> timeline;
    if (want_timeline) timeline.emplace(schedule_columns());
    const auto rule = make_strategy(instance_, strategies_[strategy]);
    HOLDFAST_TRY(metrics, simulate(instance_, *rule, Failures(instance_, draw),
                                   timeline ? &*timeline : nullptr));
    return Outcome{.metrics = values(metrics), .details = {}, .timeline = std::move(timeline)};
  }

  std::optional<Status> check(const Draw& draw, std::size_t,
                              const Outcome& outcome) const override {
    return validate(instance_, Failures(instance_, draw), *outcome.timeline, metrics_of(outcome));
  }

 private:
  Instance instance_;
  std::vector<StrategySpec> strategies_;
  Value definition_;
};

}  // namespace

Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path&) {
  HOLDFAST_TRY(instance, read_instance(parameters));
  return std::make_unique<SketchPoint>(std::move(instance), strategies);
}

}  // namespace holdfast::sketch
