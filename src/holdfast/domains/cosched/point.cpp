#include "holdfast/domains/cosched/point.hpp"

#include "holdfast/contract/ask.hpp"
#include "holdfast/domains/cosched/headline.hpp"
#include "holdfast/domains/cosched/instance_io.hpp"
#include "holdfast/domains/cosched/lower_bound.hpp"
#include "holdfast/domains/cosched/metrics.hpp"
#include "holdfast/domains/cosched/schedule.hpp"
#include "holdfast/domains/cosched/simulate.hpp"
#include "holdfast/domains/cosched/strategies.hpp"
#include "holdfast/domains/cosched/validate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace holdfast::cosched {
namespace {

// The data that the strategies of one instance share: the durations and Algorithm 1's allocation.
struct PreparedInstance {
  explicit PreparedInstance(Instance made)
      : instance{std::move(made)},
        times{task_times(instance)},
        initial{initial_allocation(times, instance.even_processors())},
        bound{best_known_bound(instance, times)},
        expected{expected_bound(instance, times)} {}
  PreparedInstance(const PreparedInstance&) = delete;
  PreparedInstance& operator=(const PreparedInstance&) = delete;

  Instance instance;
  std::vector<TaskTimes> times;  // point into `instance`
  Allocation initial;
  std::optional<MakespanBound> bound;
  std::optional<double> expected;  // no mean is below it
};

struct Cache {
  CacheSlot<PreparedInstance> prepared;
};

Value details_of(const Run& run, const History& history) {
  Value time = Value::array(), predicted = Value::array(), deviation = Value::array();
  for (const History::Event& event : history.events) {
    if (!std::isfinite(event.predicted_makespan)) continue;  // a document cannot hold it
    time.push(event.time);
    predicted.push(event.predicted_makespan);
    deviation.push(event.allocation_deviation);
  }
  return Value::object(
      {{"finish", Value::list(run.finish)},
       {"series", Value::object({{"time", std::move(time)},
                                 {"predicted_makespan", std::move(predicted)},
                                 {"allocation_deviation", std::move(deviation)}})}});
}

class CoschedPoint final : public Point {
 public:
  CoschedPoint(std::optional<GeneratorParameters> generator,
               std::unique_ptr<PreparedInstance> fixed, std::span<const StrategySpec> specs)
      : generator_{generator}, fixed_{std::move(fixed)}, specs_(specs.begin(), specs.end()) {
    // The digests of cells have included the header of listed instances from the beginning.
    definition_ =
        generator_ ? to_value(*generator_) : with_header("cosched", to_value(fixed_->instance));
    if (fixed_) warnings_ = cosched::warnings(fixed_->instance);
  }

  const Value& definition() const override { return definition_; }
  bool is_fixed() const override {
    return fixed_ && (fixed_->instance.failures || fixed_->instance.fault_free);
  }
  std::span<const std::string> warnings() const override { return warnings_; }
  std::string headline(std::uint64_t seed) const override {
    return fixed_ ? cosched::headline(fixed_->instance) : cosched::headline(*generator_, seed);
  }

  Result<Outcome> run(const Draw& draw, std::size_t strategy, Workspace& workspace,
                      bool want_timeline) const override {
    const PreparedInstance& prepared = fixed_ ? *fixed_ : drawn(draw, workspace.of<Cache>());
    const Instance& instance = prepared.instance;
    HOLDFAST_TRY(rules, make_strategy(specs_[strategy], instance));
    FailureSource failures = instance.failures
                                 ? replay(*instance.failures)
                                 : draw_failures(instance, draw.seed, draw.instance, draw.scenario);
    const Allocation& initial = rules.initial ? *rules.initial : prepared.initial;
    HOLDFAST_CHECK(feasible(instance, prepared.times, initial));
    History history;
    Run result = simulate(instance, prepared.times, initial, rules, std::move(failures),
                          want_timeline ? &history : nullptr);
    if (prepared.bound) {
      result.metrics.lower_bound = prepared.bound->seconds;
      if (prepared.bound->is_optimum) result.metrics.optimum = prepared.bound->seconds;
    }
    if (prepared.expected) {
      result.metrics.expected_bound = prepared.expected;
      result.metrics.bound_ratio = result.metrics.makespan / *prepared.expected;
    }
    Outcome outcome{.metrics = values(result.metrics), .details = {}, .timeline = {}};
    if (want_timeline) {
      outcome.timeline = timeline_of(instance, history.intervals);
      outcome.details = details_of(result, history);
    }
    return outcome;
  }

  std::optional<Status> check(const Draw& draw, std::size_t,
                              const Outcome& outcome) const override {
    Cache cache;
    const Instance& instance = (fixed_ ? *fixed_ : drawn(draw, cache)).instance;
    Run run;
    run.metrics.makespan = *outcome.metrics.front();
    for (const Value& finish : *outcome.details.find("finish")->array_items()) {
      run.finish.push_back(finish.number());
    }
    auto intervals = intervals_of(instance, *outcome.timeline);
    if (!intervals) return Status(fail(intervals.error()));
    return validate(instance, run, {.intervals = std::move(*intervals), .events = {}});
  }

 private:
  const PreparedInstance& drawn(const Draw& draw, Cache& cache) const {
    return cache.prepared.get(origin_of_instance(draw), [&] {
      const Stream stream(
          {.seed = draw.seed, .purpose = Purpose::instance, .instance = draw.instance});
      return PreparedInstance(generate(*generator_, stream));
    });
  }

  std::optional<GeneratorParameters> generator_;
  std::unique_ptr<PreparedInstance> fixed_;
  std::vector<StrategySpec> specs_;
  std::vector<std::string> warnings_;
  Value definition_;
};

}  // namespace

Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path&) {
  if (describes_generator(parameters)) {
    HOLDFAST_TRY(generator, read_generator(parameters));
    return std::make_unique<CoschedPoint>(generator, nullptr, strategies);
  }
  HOLDFAST_TRY(instance, read_instance(parameters));
  for (const StrategySpec& spec : strategies) {
    if (auto rules = make_strategy(spec, instance); !rules) return fail(std::move(rules).error());
  }
  return std::make_unique<CoschedPoint>(
      std::nullopt, std::make_unique<PreparedInstance>(std::move(instance)), strategies);
}

}  // namespace holdfast::cosched
