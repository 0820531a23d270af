#include "holdfast/domains/io/point.hpp"

#include "holdfast/domains/io/generator.hpp"
#include "holdfast/domains/io/instance_io.hpp"
#include "holdfast/domains/io/metrics.hpp"
#include "holdfast/domains/io/simulate.hpp"
#include "holdfast/domains/io/strategies.hpp"
#include "holdfast/domains/io/validate.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace holdfast::io {
namespace {

// What all strategies of one window share.
struct Prepared {
  Instance instance;
  Load load;
};

Prepared prepare(Instance instance) {
  Prepared out{std::move(instance), {}};
  out.load = load_of(out.instance);
  if (out.instance.reading.cut_phases) cut_to_window(out.instance);
  return out;
}

class Cache final : public Workspace {
 public:
  std::shared_ptr<const GeneratorParameters>
      owner;  // kept alive: its address is not given to another one
  Draw draw;
  std::optional<Prepared> prepared;
};

class IoPoint final : public Point {
 public:
  IoPoint(std::shared_ptr<const GeneratorParameters> generator, std::optional<Prepared> fixed,
          Value definition, std::span<const StrategySpec> strategies)
      : generator_{std::move(generator)},
        fixed_{std::move(fixed)},
        strategies_(strategies.begin(), strategies.end()),
        definition_{std::move(definition)} {}

  const Value& definition() const override { return definition_; }
  bool is_fixed() const override { return fixed_.has_value(); }
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Cache>(); }

  Result<Outcome> run(const Draw& draw, std::size_t strategy, Workspace& workspace,
                      bool want_timeline) const override {
    HOLDFAST_TRY(prepared, window(draw, static_cast<Cache&>(workspace)));
    HOLDFAST_TRY(rules, make_strategy(prepared->instance, prepared->load, strategies_[strategy]));
    std::optional<Timeline> timeline;
    if (want_timeline) timeline.emplace(schedule_columns());
    const Run result =
        simulate(prepared->instance, prepared->load, *rules, timeline ? &*timeline : nullptr);
    Outcome outcome;
    outcome.metrics = values(result.metrics);
    if (want_timeline) {
      outcome.timeline = std::move(timeline);
      outcome.details = Value::object({{"yields", Value::list(result.yields)},
                                       {"progress", Value::list(result.progress)},
                                       {"work", Value::list(result.work)}});
    }
    return outcome;
  }

  std::optional<Status> check(const Draw& draw, std::size_t,
                              const Outcome& outcome) const override {
    Cache cache;
    const auto prepared = window(draw, cache);
    if (!prepared) return fail(prepared.error());
    std::vector<double> yields;
    for (const Value& yield : *outcome.details.find("yields")->array_items()) {
      yields.push_back(yield.number());
    }
    return validate((*prepared)->instance, *outcome.timeline, yields);
  }

 private:
  Result<const Prepared*> window(const Draw& draw, Cache& cache) const {
    if (fixed_) return &*fixed_;
    if (cache.owner != generator_ || cache.draw.seed != draw.seed ||
        cache.draw.instance != draw.instance || cache.draw.scenario != draw.scenario) {
      HOLDFAST_TRY(instance, generate(*generator_, {.seed = draw.seed,
                                                    .instance = draw.instance,
                                                    .scenario = draw.scenario}));
      cache.prepared = prepare(std::move(instance));
      cache.owner = generator_;
      cache.draw = draw;
    }
    return &*cache.prepared;
  }

  std::shared_ptr<const GeneratorParameters> generator_;
  std::optional<Prepared> fixed_;
  std::vector<StrategySpec> strategies_;
  Value definition_;
};

}  // namespace

Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path&) {
  if (describes_generator(parameters)) {
    HOLDFAST_TRY(generator, read_generator(parameters));
    Value definition = to_value(generator);
    return std::make_unique<IoPoint>(std::make_shared<const GeneratorParameters>(generator),
                                     std::nullopt, std::move(definition), strategies);
  }
  HOLDFAST_TRY(instance, read_instance(parameters));
  Value definition = to_value(instance);
  Prepared prepared = prepare(std::move(instance));
  for (const StrategySpec& spec : strategies) {
    if (auto rules = make_strategy(prepared.instance, prepared.load, spec); !rules) {
      return fail(std::move(rules).error());
    }
  }
  return std::make_unique<IoPoint>(nullptr, std::move(prepared), std::move(definition), strategies);
}

}  // namespace holdfast::io
