#include "holdfast/domains/io/point.hpp"

#include "holdfast/contract/rule_run.hpp"
#include "holdfast/domains/io/generator.hpp"
#include "holdfast/domains/io/headline.hpp"
#include "holdfast/domains/io/instance_io.hpp"
#include "holdfast/domains/io/metrics.hpp"
#include "holdfast/domains/io/optimal_yield.hpp"
#include "holdfast/domains/io/schedule.hpp"
#include "holdfast/domains/io/simulate.hpp"
#include "holdfast/domains/io/strategies.hpp"
#include "holdfast/domains/io/validate.hpp"
#include "holdfast/domains/io/warmup.hpp"
#include "holdfast/domains/io/workload_io.hpp"
#include "holdfast/domains/io/yield_bound.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace holdfast::io {
namespace {

// The data that all strategies of one window share.
struct PreparedInstance {
  Instance instance;
  Load load;
};

// Adds the bounds: by linear programs if the window is small, otherwise by a relaxation alone. Drawn windows have no optimum:
// they differ in size, and a mean of the optima of the small ones would be compared with a mean of the bounds of all.
void add_bounds(const Instance& instance, bool is_drawn, Load& load) {
  load.yield_bound = yield_bound(instance);
  const auto best = optimal_yield(instance, *load.yield_bound);
  if (!best) return;
  load.yield_bound = best->bound;
  if (best->is_optimal && !is_drawn) load.optimal_yield = best->bound;
}

PreparedInstance prepare(Instance instance, bool is_drawn) {
  const double warmup = instance.reading.warmup;
  PreparedInstance out{warmup > 0 ? after_warmup(instance, warmup) : std::move(instance), {}};
  out.load = load_of(out.instance);
  add_bounds(out.instance, is_drawn, out.load);
  if (out.instance.reading.cut_phases) cut_to_window(out.instance);
  return out;
}

using Source = std::variant<GeneratorParameters, WorkloadParameters>;

struct Cache {
  CacheSlot<PreparedInstance> prepared;
  CacheSlot<std::vector<Instance>> windows;  // of one schedule of a workload
};

// Scenarios are the windows of one schedule after the other.
Result<Instance> window_of(const WorkloadParameters& p, const Draw& draw, const Point& point,
                           Cache& cache) {
  const auto count = static_cast<std::uint64_t>(p.windows);
  // The numbers of schedules of different instances differ by more than the largest number of scenarios.
  const std::uint64_t schedule = (draw.instance << 32U) + draw.scenario / count;
  const auto& windows =
      cache.windows.get(point.origin_of_scenario({draw.seed, draw.instance, schedule}),
                        [&] { return make_windows(p, draw.seed, schedule); });
  if (windows.empty()) {
    return fail(ErrorCode::bad_value, "/classes",
                "found classes that leave no window with I/O between two starts");
  }
  return windows[draw.scenario % count % windows.size()];
}

class IoPoint final : public Point {
 public:
  /// @param fixed  the window of the document; absent if windows are drawn from the source
  IoPoint(Source source, std::optional<PreparedInstance> fixed, Value definition,
          std::span<const StrategySpec> strategies)
      : source_{std::move(source)},
        fixed_{std::move(fixed)},
        strategies_(strategies.begin(), strategies.end()),
        definition_{std::move(definition)} {}

  const Value& definition() const override { return definition_; }
  bool is_fixed() const override { return fixed_.has_value(); }
  std::string headline(std::uint64_t seed) const override {
    if (fixed_) return io::headline(fixed_->instance);
    return std::visit([seed](const auto& source) { return io::headline(source, seed); }, source_);
  }

  std::string_view why_alike() const override {
    const bool is_alone = fixed_ && fixed_->instance.applications.size() == 1;
    return is_alone ? "it shares with no other" : std::string_view();
  }

  Result<Outcome> run(const Draw& draw, std::size_t strategy, Workspace& workspace,
                      bool want_timeline) const override {
    HOLDFAST_TRY(prepared, window(draw, workspace.of<Cache>()));
    HOLDFAST_TRY(rules, make_strategy(strategies_[strategy], prepared->instance, prepared->load));
    if (strategies_[strategy].rule != nullptr) by_rule(*rules)->meet(draw);
    std::optional<Timeline> timeline;
    if (want_timeline) timeline.emplace(columns());
    const Run result = simulate(prepared->instance, prepared->load, *rules,
                                timeline ? &*timeline : nullptr, workspace.stop());
    if (workspace.stop().wanted()) return fail(ErrorCode::interrupted, {}, "stopped");
    if (strategies_[strategy].rule != nullptr) HOLDFAST_CHECK(by_rule(*rules)->status());
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
  Result<const PreparedInstance*> window(const Draw& draw, Cache& cache) const {
    if (fixed_) return &*fixed_;
    return cache.prepared.get(
        origin_of_scenario(draw), [&]() -> Result<std::unique_ptr<PreparedInstance>> {
          HOLDFAST_TRY(instance, draw_window(draw, cache));
          return std::make_unique<PreparedInstance>(prepare(std::move(instance), true));
        });
  }

  Result<Instance> draw_window(const Draw& draw, Cache& cache) const {
    if (const auto* workload = std::get_if<WorkloadParameters>(&source_)) {
      return window_of(*workload, draw, *this, cache);
    }
    return generate(std::get<GeneratorParameters>(source_),
                    {.seed = draw.seed, .instance = draw.instance, .scenario = draw.scenario});
  }

  Source source_;
  std::optional<PreparedInstance> fixed_;
  std::vector<StrategySpec> strategies_;
  Value definition_;
};

}  // namespace

Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path& directory) {
  const auto drawn = [&](auto source) {
    Value definition = to_value(source);
    return std::make_unique<IoPoint>(std::move(source), std::nullopt, std::move(definition),
                                     strategies);
  };
  if (describes_workload(parameters)) {
    HOLDFAST_TRY(workload, read_workload(parameters, directory));
    return drawn(std::move(workload));
  }
  if (describes_generator(parameters)) {
    HOLDFAST_TRY(generator, read_generator(parameters));
    return drawn(generator);
  }
  HOLDFAST_TRY(instance, read_instance(parameters, directory));
  Value definition = to_value(instance);
  PreparedInstance prepared = prepare(std::move(instance), false);
  for (const StrategySpec& spec : strategies) {
    if (auto rules = make_strategy(spec, prepared.instance, prepared.load); !rules) {
      return fail(std::move(rules).error());
    }
  }
  return std::make_unique<IoPoint>(Source{}, std::move(prepared), std::move(definition),
                                   strategies);
}

}  // namespace holdfast::io
