#include "holdfast/domains/moldable/point.hpp"

#include "holdfast/contract/rule_run.hpp"
#include "holdfast/domains/moldable/headline.hpp"
#include "holdfast/domains/moldable/instance_io.hpp"
#include "holdfast/domains/moldable/metrics.hpp"
#include "holdfast/domains/moldable/schedule.hpp"
#include "holdfast/domains/moldable/simulate.hpp"
#include "holdfast/domains/moldable/strategies.hpp"
#include "holdfast/domains/moldable/validate.hpp"

#include <optional>
#include <utility>

namespace holdfast::moldable {
namespace {

/// An instance and one simulator per strategy, made when first needed: the allocations that do
/// not depend on the failures are decided once for all scenarios.
class InstanceCache {
 public:
  /// @param draw  the draw of the instance; decisions are made for all its scenarios
  InstanceCache(std::shared_ptr<const Instance> instance, std::span<const StrategySpec> specs,
                const Draw& draw)
      : instance_{std::move(instance)},
        draw_{draw},
        prepared_{*instance_},
        strategies_(specs.size()),
        simulators_(specs.size()) {}
  InstanceCache(const InstanceCache&) = delete;
  InstanceCache& operator=(const InstanceCache&) = delete;

  [[nodiscard]] const Instance& instance() const { return *instance_; }
  [[nodiscard]] const PreparedInstance& prepared() const { return prepared_; }

  Result<Simulator*> simulator(std::size_t index, const StrategySpec& spec) {
    if (!simulators_[index]) {
      HOLDFAST_TRY(strategy, make_strategy(spec, *instance_));
      if (spec.rule != nullptr) by_rule(*strategy)->meet(draw_);
      Simulator made(prepared_, *strategy);
      HOLDFAST_CHECK(status_of_rule(*strategy));
      strategies_[index] = std::move(strategy);
      simulators_[index] = std::move(made);
    }
    return &*simulators_[index];
  }

  /// Returns the errors of a scenario, drawn once for all strategies.
  const ErrorRealisation& errors(const Draw& draw) {
    if (drawn_ != draw) {
      errors_ = errors_of(prepared_, {.seed = draw.seed,
                                      .purpose = Purpose::failures,
                                      .instance = draw.instance,
                                      .scenario = draw.scenario});
      drawn_ = draw;
    }
    return errors_;
  }

 private:
  std::shared_ptr<const Instance> instance_;
  Draw draw_;
  PreparedInstance prepared_;
  std::vector<std::unique_ptr<Strategy>> strategies_;
  std::vector<std::optional<Simulator>> simulators_;
  std::optional<Draw> drawn_;
  ErrorRealisation errors_;
};

/// The cache of the instance that was used last.
struct Cache {
  CacheSlot<InstanceCache> of_instance;
};

class MoldablePoint final : public Point {
 public:
  /// @param fixed  the instance of the document; absent if instances are drawn
  MoldablePoint(GeneratorParameters generator, std::shared_ptr<const Instance> fixed,
                std::span<const StrategySpec> specs)
      : generator_{generator},
        fixed_{std::move(fixed)},
        specs_(specs.begin(), specs.end()),
        definition_{fixed_ ? to_value(*fixed_) : to_value(generator_)} {}

  const Value& definition() const override { return definition_; }
  bool is_fixed() const override { return fixed_ && fixed_->is_fixed(); }
  std::span<const std::string> warnings() const override {
    return generator_.log ? std::span(generator_.log->notes) : std::span<const std::string>();
  }
  std::string headline(std::uint64_t seed) const override {
    return fixed_ ? moldable::headline(*fixed_) : moldable::headline(generator_, seed);
  }

  Result<Outcome> run(const Draw& draw, std::size_t strategy, Workspace& workspace,
                      bool want_timeline) const override {
    InstanceCache& instance_cache = cache_of(draw, workspace.of<Cache>());
    HOLDFAST_TRY(simulator, instance_cache.simulator(strategy, specs_[strategy]));
    ErrorRealisation errors = instance_cache.errors(draw);
    std::vector<Attempt> attempts;
    const Metrics metrics = simulator->run(errors, want_timeline ? &attempts : nullptr);
    if (errors.strikes() && errors.strikes()->is_hopeless()) return fail(hopeless_run());
    Outcome outcome{.metrics = values(metrics), .details = {}, .timeline = {}};
    if (want_timeline) outcome.timeline = timeline_of(instance_cache.instance(), attempts);
    return outcome;
  }

  std::optional<Status> check(const Draw& draw, std::size_t strategy,
                              const Outcome& outcome) const override;

 private:
  InstanceCache& cache_of(const Draw& draw, Cache& cache) const {
    const Origin origin = fixed_ ? this->origin() : origin_of_instance(draw);
    return cache.of_instance.get(origin, [&] {
      auto instance = fixed_;
      if (!instance) {
        instance = std::make_shared<const Instance>(generate(generator_, draw.seed, draw.instance));
      }
      return InstanceCache(std::move(instance), specs_, origin.draw);
    });
  }

  GeneratorParameters generator_;
  std::shared_ptr<const Instance> fixed_;
  std::vector<StrategySpec> specs_;
  Value definition_;
};

std::optional<Status> MoldablePoint::check(const Draw& draw, std::size_t strategy,
                                           const Outcome& outcome) const {
  Cache cache;
  InstanceCache& instance_cache = cache_of(draw, cache);
  const Instance& instance = instance_cache.instance();
  const auto attempts = attempts_of(instance, *outcome.timeline);
  if (!attempts) return Status(fail(attempts.error()));
  const ErrorRealisation& errors = instance_cache.errors(draw);
  std::vector<std::int64_t> failures = errors.failures();
  if (errors.is_adaptive()) {
    // They followed from the run, so they are taken from the schedule itself.
    for (const Attempt& attempt : *attempts) failures[attempt.job] += attempt.has_failed ? 1 : 0;
  }
  auto made = make_strategy(specs_[strategy], instance);
  if (!made) return Status(fail(made.error()));
  return validate(instance, failures, *attempts, (*made)->is_batched(), (*made)->may_wait(),
                  errors.strikes());
}

}  // namespace

Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path& directory) {
  if (describes_generator(parameters)) {
    HOLDFAST_TRY(generator, read_generator(parameters, directory));
    // If a strategy lacks something in one drawn instance, it lacks it in all.
    const Instance sample = generate({.jobs = 1, .log = generator.log}, 1, 0);
    for (const StrategySpec& spec : strategies) HOLDFAST_CHECK(make_strategy(spec, sample));
    return std::make_unique<MoldablePoint>(generator, nullptr, strategies);
  }
  HOLDFAST_TRY(instance, read_instance(parameters));
  for (const StrategySpec& spec : strategies) HOLDFAST_CHECK(make_strategy(spec, instance));
  return std::make_unique<MoldablePoint>(
      GeneratorParameters{}, std::make_shared<const Instance>(std::move(instance)), strategies);
}

}  // namespace holdfast::moldable
