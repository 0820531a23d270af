#include "holdfast/domains/capacity/point.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/domains/capacity/instance_io.hpp"
#include "holdfast/domains/capacity/metrics.hpp"
#include "holdfast/domains/capacity/simulate.hpp"
#include "holdfast/domains/capacity/strategies.hpp"

#include <algorithm>
#include <array>

namespace holdfast::capacity {
namespace {

constexpr auto kSchedule = std::to_array<TimelineColumn>({
    {"job", "", Role::label},
    {"machine", "", Role::lane},
    {"cores", "", Role::width},
    {"start", "s", Role::start},
    {"end", "s", Role::end},
    {"outcome", "", Role::state},
    {"release", "s", Role::plain},
});

struct Prepared {
  Instance instance;
  std::vector<Task> tasks;
};

class Cache final : public Workspace {
 public:
  const void* owner = nullptr;
  Draw draw;
  std::unique_ptr<Prepared> prepared;
};

Timeline timeline_of(const Prepared& prepared, std::span<const Execution> log) {
  Timeline timeline(kSchedule);
  for (const Execution& run : log) {
    const Task& task = prepared.tasks[run.task];
    const Job& job = prepared.instance.jobs[task.job];
    timeline.add({timeline.intern(job.id), run.machine, task.cores, run.start, run.end,
                  name(run.outcome), job.release});
  }
  timeline.sort_by_start();
  return timeline;
}

class CapacityPoint final : public Point {
 public:
  CapacityPoint(std::optional<GeneratorParameters> generator, std::optional<std::int64_t> distance,
                std::unique_ptr<Prepared> fixed, std::span<const StrategySpec> specs)
      : generator_{generator},
        distance_{distance},
        fixed_{std::move(fixed)},
        specs_(specs.begin(), specs.end()) {
    definition_ = generator_ ? to_value(*generator_) : to_value(fixed_->instance);
    if (generator_ && distance_) definition_.set("distance", *distance_);
    if (fixed_) warnings_ = capacity::warnings(fixed_->instance);
  }

  const Value& definition() const override { return definition_; }
  /// A fixed instance leaves one thing to chance: the permutation of first-fit-unaware.
  bool is_fixed() const override {
    return fixed_ != nullptr &&
           std::none_of(specs_.begin(), specs_.end(),
                        [](const StrategySpec& spec) { return spec.text == "first-fit-unaware"; });
  }
  std::span<const std::string> warnings() const override { return warnings_; }
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Cache>(); }

  Result<Outcome> run(const Draw& draw, std::size_t strategy, Workspace& workspace,
                      bool want_timeline) const override {
    const Prepared& prepared = fixed_ ? *fixed_ : drawn(draw, static_cast<Cache&>(workspace));
    const Stream coin({.seed = draw.seed,
                       .purpose = Purpose::strategy,
                       .instance = draw.instance,
                       .scenario = draw.scenario});
    HOLDFAST_TRY(maker, make_strategy(specs_[strategy], prepared.instance, coin));
    std::vector<Execution> log;
    const Metrics metrics =
        simulate(prepared.instance, prepared.tasks, maker, want_timeline ? &log : nullptr);
    Outcome outcome{.metrics = values(metrics), .details = {}, .timeline = {}};
    if (want_timeline) {
      outcome.timeline = timeline_of(prepared, log);
      outcome.details =
          Value::object({{"accounts", Value::object({{"capacity", metrics.capacity},
                                                     {"useful", metrics.useful},
                                                     {"aborted", metrics.aborted},
                                                     {"completed", metrics.completed},
                                                     {"running", metrics.running},
                                                     {"waiting", metrics.waiting},
                                                     {"dropped", metrics.dropped}})}});
    }
    return outcome;
  }

 private:
  const Prepared& drawn(const Draw& draw, Cache& cache) const {
    const bool is_same = cache.owner == this && cache.draw.seed == draw.seed &&
                         cache.draw.instance == draw.instance &&
                         cache.draw.scenario == draw.scenario;
    if (is_same) return *cache.prepared;
    cache.prepared = std::make_unique<Prepared>();
    cache.prepared->instance = generate(*generator_, draw.seed, draw.instance, draw.scenario);
    cache.prepared->instance.distance = distance_;
    cache.prepared->tasks = tasks_of(cache.prepared->instance);
    cache.owner = this;
    cache.draw = draw;
    return *cache.prepared;
  }

  std::optional<GeneratorParameters> generator_;
  std::optional<std::int64_t> distance_;
  std::unique_ptr<Prepared> fixed_;
  std::vector<StrategySpec> specs_;
  std::vector<std::string> warnings_;
  Value definition_;
};

}  // namespace

std::vector<TimelineColumn> schedule_columns() {
  return {kSchedule.begin(), kSchedule.end()};
}

Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path&) {
  if (describes_generator(parameters)) {
    HOLDFAST_TRY(generator, read_generator(parameters));
    std::optional<std::int64_t> distance;
    if (const Value* value = parameters.find("distance")) {
      HOLDFAST_TRY(whole, read_integer(*value, "/distance", non_negative()));
      distance = whole;
    }
    return std::make_unique<CapacityPoint>(generator, distance, nullptr, strategies);
  }
  auto fixed = std::make_unique<Prepared>();
  HOLDFAST_TRY(instance, read_instance(parameters));
  fixed->instance = std::move(instance);
  fixed->tasks = tasks_of(fixed->instance);
  for (const StrategySpec& spec : strategies) {
    if (auto maker = make_strategy(spec, fixed->instance, Stream(StreamKey{})); !maker) {
      return fail(std::move(maker).error());
    }
  }
  return std::make_unique<CapacityPoint>(std::nullopt, std::nullopt, std::move(fixed), strategies);
}

}  // namespace holdfast::capacity
