#include "holdfast/domains/workflow/point.hpp"

#include "holdfast/contract/rule_run.hpp"
#include "holdfast/domains/workflow/aged_run.hpp"
#include "holdfast/domains/workflow/headline.hpp"
#include "holdfast/domains/workflow/instance_io.hpp"
#include "holdfast/domains/workflow/metrics.hpp"
#include "holdfast/domains/workflow/schedule.hpp"
#include "holdfast/domains/workflow/strategies.hpp"
#include "holdfast/domains/workflow/validate.hpp"

#include <optional>
#include <string>
#include <utility>

namespace holdfast::workflow {
namespace {

/// Returns the FNV-1a hash of a text, which is the same on every machine, for the random stream of a strategy.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  return hash;
}

bool nothing_fails(const Instance& instance) {
  return !(1 / instance.mtbf > 0) && instance.fixed_outcomes.empty();
}

// Where nothing fails, a strategy that computes its period from the failures saves at the end of each task.
Result<std::unique_ptr<Strategy>> strategy_for(const StrategySpec& spec, const Instance& instance) {
  if (!nothing_fails(instance) || !computes_period(spec)) return make_strategy(spec, instance);
  HOLDFAST_TRY(none, parse_strategy("none", strategies()));
  return make_strategy(none, instance);
}

/// An instance and one simulator per strategy, made when it is first needed.
class InstanceCache {
 public:
  /// @param draw  the draw of the instance; decisions are made for all its scenarios
  InstanceCache(std::shared_ptr<const Instance> instance, std::size_t strategies, const Draw& draw)
      : instance_{std::move(instance)},
        draw_{draw},
        prepared_{*instance_},
        simulators_(strategies) {}
  InstanceCache(const InstanceCache&) = delete;
  InstanceCache& operator=(const InstanceCache&) = delete;

  [[nodiscard]] const Instance& instance() const { return *instance_; }

  Result<Simulator*> simulator(std::size_t index, const StrategySpec& spec) {
    if (!simulators_[index]) {
      HOLDFAST_TRY(strategy, strategy_for(spec, *instance_));
      if (spec.rule != nullptr) by_rule(*strategy)->meet(draw_);
      const std::vector<Cut> cuts = decided(prepared_, *strategy);
      HOLDFAST_CHECK(status_of_rule(*strategy));
      auto made = std::make_unique<Simulator>(prepared_, cuts);
      HOLDFAST_CHECK(made->feasible());
      simulators_[index] = std::move(made);
    }
    return simulators_[index].get();
  }

  /// Runs a scenario on processors whose ages count. @pre instance().law
  Result<Metrics> run_aged(std::size_t index, const StrategySpec& spec, const StreamKey& key,
                           std::vector<TaskRun>* tasks) {
    aged_.resize(simulators_.size());
    if (!aged_[index]) {
      HOLDFAST_TRY(strategy, strategy_for(spec, *instance_));
      if (spec.rule != nullptr) by_rule(*strategy)->meet(draw_);
      const auto weights = strategy->hazard_weights(prepared_.situation());
      // Where tasks plan themselves, there is nothing to decide before.
      const std::vector<Cut> cuts =
          weights ? std::vector<Cut>(instance_->size()) : decided(prepared_, *strategy);
      HOLDFAST_CHECK(status_of_rule(*strategy));
      aged_[index] = std::make_unique<AgedSimulator>(prepared_, *strategy, cuts);
    }
    if (!failures_ || aged_drawn_ != key) {
      failures_.emplace(prepared_.law, *instance_, key);
      aged_drawn_ = key;
    }
    return aged_[index]->run(*failures_, tasks);
  }

  /// Returns what is given in addition to the metrics: for small workflows the bound of Theorem 25 on this run.
  [[nodiscard]] Value details(std::span<const TaskRun> tasks) const {
    constexpr std::size_t kMost = 2000;
    if (instance_->size() > kMost) return {};
    std::vector<double> durations(instance_->size());
    for (const TaskRun& run : tasks) durations[run.task] = run.end - run.start;
    return Value::object(
        {{"virtual_makespan", virtual_makespan(*instance_, prepared_.schedule, durations)}});
  }

  /// Returns the first failures of a scenario, drawn once for all strategies that share the draw.
  const std::vector<FirstFailure>& first_failures(const StreamKey& key) {
    if (drawn_ != key) {
      prepared_.failures.draw(key, first_);
      drawn_ = key;
    }
    return first_;
  }

 private:
  std::shared_ptr<const Instance> instance_;
  Draw draw_;
  PreparedInstance prepared_;
  std::vector<std::unique_ptr<Simulator>> simulators_;
  std::optional<StreamKey> drawn_;
  std::vector<FirstFailure> first_;
  std::vector<std::unique_ptr<AgedSimulator>> aged_;
  std::optional<AgedFailures> failures_;
  std::optional<StreamKey> aged_drawn_;
};

/// The cache of the instance that was used last.
struct Cache {
  CacheSlot<InstanceCache> of_instance;
  FactorCache factors;
};

class WorkflowPoint final : public Point {
 public:
  /// @param fixed  the instance of the document; absent if instances are drawn
  WorkflowPoint(Experiment experiment, std::shared_ptr<const Instance> fixed,
                std::span<const StrategySpec> specs, std::vector<std::string> warnings)
      : experiment_{std::move(experiment)},
        fixed_{std::move(fixed)},
        specs_(specs.begin(), specs.end()),
        definition_{fixed_ ? to_definition(*fixed_) : to_value(experiment_)},
        warnings_{std::move(warnings)} {}

  const Value& definition() const override { return definition_; }
  bool is_fixed() const override { return fixed_ && fixed_->is_fixed(); }
  std::span<const std::string> warnings() const override { return warnings_; }
  std::string headline(std::uint64_t seed) const override {
    return fixed_ ? workflow::headline(*fixed_) : workflow::headline(experiment_, seed);
  }

  Result<Outcome> run(const Draw& draw, std::size_t strategy, Workspace& workspace,
                      bool want_timeline) const override {
    InstanceCache& instance_cache = cache_of(draw, workspace.of<Cache>());
    // The steps that take time are drawing a workflow, the decisions, and the run.
    const auto stopped = [&] { return workspace.stop().wanted(); };
    if (stopped()) return fail(ErrorCode::interrupted, {}, "stopped");
    std::vector<TaskRun> tasks;
    HOLDFAST_TRY(metrics, run_in(instance_cache, draw, strategy, want_timeline ? &tasks : nullptr));
    if (stopped()) return fail(ErrorCode::interrupted, {}, "stopped");
    Outcome outcome{.metrics = values(metrics), .details = {}, .timeline = {}};
    if (want_timeline) {
      outcome.timeline = timeline_of(instance_cache.instance(), tasks);
      outcome.details = instance_cache.details(tasks);
    }
    return outcome;
  }

  std::optional<Status> check(const Draw& draw, std::size_t strategy,
                              const Outcome& outcome) const override;

 private:
  StreamKey key_of(const Draw& draw, const Instance& instance, std::size_t strategy) const {
    const std::uint64_t own =
        instance.luck == LuckOf::each ? hash_of(specs_[strategy].text) : std::uint64_t{0};
    return {.seed = draw.seed ^ own,
            .purpose = Purpose::failures,
            .instance = draw.instance,
            .scenario = draw.scenario};
  }

  Result<Metrics> run_in(InstanceCache& instance_cache, const Draw& draw, std::size_t strategy,
                         std::vector<TaskRun>* wanted) const {
    const StreamKey key = key_of(draw, instance_cache.instance(), strategy);
    if (instance_cache.instance().law) {
      return instance_cache.run_aged(strategy, specs_[strategy], key, wanted);
    }
    HOLDFAST_TRY(simulator, instance_cache.simulator(strategy, specs_[strategy]));
    if (instance_cache.instance().is_fixed()) return simulator->run_fixed(wanted);
    return simulator->run(key, instance_cache.first_failures(key), wanted);
  }

  InstanceCache& cache_of(const Draw& draw, Cache& cache) const {
    const Origin origin = fixed_ ? this->origin() : origin_of_instance(draw);
    return cache.of_instance.get(origin, [&] {
      auto instance = fixed_;
      if (!instance) {
        instance = std::make_shared<const Instance>(
            made(experiment_, draw.seed, draw.instance, &cache.factors, false));
      }
      return InstanceCache(std::move(instance), specs_.size(), origin.draw);
    });
  }

  Experiment experiment_;
  std::shared_ptr<const Instance> fixed_;
  std::vector<StrategySpec> specs_;
  Value definition_;
  std::vector<std::string> warnings_;
};

std::optional<Status> WorkflowPoint::check(const Draw& draw, std::size_t /*strategy*/,
                                           const Outcome& outcome) const {
  Cache cache;
  const Instance& instance = cache_of(draw, cache).instance();
  const auto tasks = tasks_of(instance, *outcome.timeline);
  if (!tasks) return Status(fail(tasks.error()));
  return validate(instance, *tasks);
}

}  // namespace

Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path& directory) {
  if (describes_generator(parameters)) {
    HOLDFAST_TRY(experiment, read_experiment(parameters));
    // If a strategy lacks something in one drawn instance, it lacks it in all.
    Instance sample = without_tasks(experiment);
    sample.lengths = {1};
    for (const StrategySpec& spec : strategies) HOLDFAST_CHECK(strategy_for(spec, sample));
    return std::make_unique<WorkflowPoint>(std::move(experiment), nullptr, strategies,
                                           std::vector<std::string>{});
  }
  HOLDFAST_TRY(read, read_instance(parameters, directory));
  for (const StrategySpec& spec : strategies) HOLDFAST_CHECK(strategy_for(spec, read.instance));
  if (nothing_fails(read.instance))
    read.warnings.emplace_back("no mtbf is given: nothing fails, and all strategies save alike");
  return std::make_unique<WorkflowPoint>(Experiment{},
                                         std::make_shared<const Instance>(std::move(read.instance)),
                                         strategies, std::move(read.warnings));
}

}  // namespace holdfast::workflow
