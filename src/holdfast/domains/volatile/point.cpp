#include "holdfast/domains/volatile/point.hpp"

#include "holdfast/contract/ask.hpp"
#include "holdfast/contract/schedule_table.hpp"
#include "holdfast/domains/volatile/availability.hpp"
#include "holdfast/domains/volatile/generator_io.hpp"
#include "holdfast/domains/volatile/headline.hpp"
#include "holdfast/domains/volatile/instance_io.hpp"
#include "holdfast/domains/volatile/lower_bound.hpp"
#include "holdfast/domains/volatile/metrics.hpp"
#include "holdfast/domains/volatile/simulate.hpp"
#include "holdfast/domains/volatile/simulate_fast.hpp"
#include "holdfast/domains/volatile/strategies.hpp"
#include "holdfast/domains/volatile/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace holdfast::volatile_workers {
namespace {

struct ScheduleRow {
  std::uint32_t worker = 0;
  std::string_view kind;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t configuration = 0;
  std::int64_t tasks = 0;
};
constexpr auto kScheduleRows = std::to_array<ScheduleColumn<ScheduleRow>>({
    {{"worker", Unit::none, Role::lane}, member<&ScheduleRow::worker>},
    {{"kind", Unit::none, Role::state}, member<&ScheduleRow::kind>},
    {{"start", Unit::slots, Role::start}, member<&ScheduleRow::start>},
    {{"end", Unit::slots, Role::end}, member<&ScheduleRow::end>},
    {{"configuration", Unit::none, Role::label}, member<&ScheduleRow::configuration>},
    {{"tasks", Unit::none, Role::plain}, member<&ScheduleRow::tasks>},
});
constexpr std::span<const ScheduleColumn<ScheduleRow>> kColumns = kScheduleRows;

// An instance and the data that its runs share.
struct PreparedInstance {
  explicit PreparedInstance(Instance made) : instance{std::move(made)}, toolbox{instance} {}

  Instance instance;
  Toolbox toolbox;
};

// The last instance and the last states. Both serve all strategies, and the instance also serves all
// scenarios.
struct Cache {
  CacheSlot<PreparedInstance> prepared;
  CacheSlot<std::unique_ptr<Availability>> availability;
  CacheSlot<std::optional<MakespanBound>> bound;  // bound on the makespan with these states
};

void set_bounds(Metrics& metrics, const std::optional<MakespanBound>& bound) {
  if (!bound) return;
  metrics.lower_bound = bound->slots;
  if (bound->is_optimum) metrics.optimum = bound->slots;
}

// Adds the absences of the workers that took part, until the end of the last interval, and says how many did not.
void add_absences(const History& history, Availability& availability, Timeline& timeline) {
  std::int64_t last = 0;
  std::set<std::uint32_t> workers;
  for (const ActivityInterval& interval : history.intervals) {
    last = std::max(last, interval.end);
    workers.insert(interval.worker);
  }
  for (const std::uint32_t worker : workers) {
    for (const Absence& absence : absences(availability, worker, last)) {
      timeline.add_unavailable({.lane = static_cast<std::int64_t>(worker),
                                .state = kWorkerStates[static_cast<std::size_t>(absence.state)],
                                .start = static_cast<double>(absence.start),
                                .end = static_cast<double>(absence.end)});
    }
  }
  if (workers.size() < availability.workers()) {
    timeline.set_note(
        fmt::format("{} of {} workers took part", workers.size(), availability.workers()));
  }
}

Timeline timeline_of(const History& history, Availability& availability) {
  Timeline timeline(columns_of(kColumns));
  for (const ActivityInterval& interval : history.intervals) {
    const auto& adoption = history.adoptions[static_cast<std::size_t>(interval.configuration)];
    add_row(timeline, kColumns,
            {.worker = interval.worker,
             .kind = name(interval.activity),
             .start = interval.start,
             .end = interval.end,
             .configuration = interval.configuration,
             .tasks = adoption.assignment[interval.worker]});
  }
  timeline.sort_by_start();
  add_absences(history, availability, timeline);
  return timeline;
}

Value details_of(const History& history) {
  Value adoptions = Value::array();
  for (const Adoption& adoption : history.adoptions) {
    adoptions.push(
        Value::object({{"slot", adoption.slot}, {"assignment", Value::list(adoption.assignment)}}));
  }
  return Value::object({{"adoptions", std::move(adoptions)}});
}

class VolatilePoint final : public Point {
 public:
  VolatilePoint(std::optional<GeneratorParameters> generator, std::optional<Instance> fixed,
                std::vector<StrategyMaker> strategies)
      : generator_{std::move(generator)},
        fixed_{std::move(fixed)},
        strategies_{std::move(strategies)} {
    definition_ = generator_ ? to_value(*generator_) : with_header("volatile", to_value(*fixed_));
    if (generator_ && generator_->recorded) warnings_ = generator_->recorded->warnings;
    warn_of_size(generator_ ? generator_->workers : std::ssize(fixed_->workers));
  }

  const Value& definition() const override { return definition_; }
  bool is_fixed() const override { return fixed_ && fixed_->is_fixed(); }
  std::span<const std::string> warnings() const override { return warnings_; }
  std::string headline(std::uint64_t seed) const override {
    return fixed_ ? volatile_workers::headline(*fixed_)
                  : volatile_workers::headline(*generator_, seed);
  }

  Result<Outcome> run(const Draw& draw, std::size_t strategy, Workspace& workspace,
                      bool want_timeline) const override {
    Cache& cache = workspace.of<Cache>();
    HOLDFAST_TRY(at, scene_of(draw, cache));
    const auto& [prepared, availability] = at;
    const Instance& instance = prepared->instance;
    const ReadyStrategy ready = strategies_[strategy](prepared->toolbox, availability_draw(draw));
    History history;
    Metrics metrics;
    if (want_timeline || !DecisionTrie::fits(instance)) {
      metrics = simulate(instance, ready.rules, *availability, want_timeline ? &history : nullptr);
    } else {
      DecisionTrie* trie =
          ready.greedy ? &prepared->toolbox.trie(ready.estimator, *ready.greedy) : nullptr;
      metrics = simulate_fast(instance, ready.rules, trie, *availability);
    }
    set_bounds(metrics, bound_of(draw, at, cache));
    const bool completed =
        instance.iterations == 0 ? !metrics.exhausted : metrics.makespan.has_value();
    Outcome outcome{.metrics = values(metrics),
                    .completed = completed,
                    .in_statistics = completed,
                    .details = {},
                    .timeline = {}};
    if (want_timeline) {
      outcome.timeline = timeline_of(history, *availability);
      outcome.details = details_of(history);
    }
    return outcome;
  }

  std::optional<Status> check(const Draw& draw, std::size_t strategy,
                              const Outcome& outcome) const override {
    Cache cache;
    const auto at = scene_of(draw, cache);
    if (!at) return fail(at.error());
    const auto& [prepared, availability] = *at;
    const ReadyStrategy ready = strategies_[strategy](prepared->toolbox, availability_draw(draw));
    History history;
    Metrics metrics = simulate(prepared->instance, ready.rules, *availability, &history);
    set_bounds(metrics, bound_of(draw, *at, cache));
    if (values(metrics) != outcome.metrics) {
      return fail(ErrorCode::bad_value, {}, "the fast and the plain simulator disagree");
    }
    return validate(prepared->instance, *availability, history, metrics, ready.rules.keep_data);
  }

 private:
  // Warns of the memory and the time that runs need if the pool is large.
  void warn_of_size(std::int64_t workers) {
    constexpr std::int64_t kMany = 4000;
    if (workers < kMany) return;
    const double part = static_cast<double>(workers) / static_cast<double>(kLargestPool);
    warnings_.push_back(
        fmt::format("{} workers: a scenario takes about {:.1f} GB of memory on each thread "
                    "(--threads 1), and many of them take minutes (--scenarios)",
                    workers, part * part * kMemoryOfLargestPool / 1e9));
  }

  AvailabilityDraw availability_draw(const Draw& draw) const {
    return {.seed = draw.seed,
            .instance = draw.instance,
            .scenario = draw.scenario,
            .sample = generator_ ? generator_->sample : 0};
  }

  bool is_recorded() const { return generator_ && generator_->recorded; }

  Result<Instance> instance_of(const Draw& draw) const {
    if (fixed_) return *fixed_;
    HOLDFAST_TRY(instance, generate(*generator_, draw.seed, draw.instance, draw.scenario));
    HOLDFAST_CHECK(volatile_workers::check(instance));
    return instance;
  }

  // Recorded states are part of the instance, so each scenario has an instance of its own.
  Origin origin_of_prepared(const Draw& draw) const {
    if (fixed_) return origin();
    return is_recorded() ? origin_of_scenario(draw) : origin_of_instance(draw);
  }

  struct Scene {
    PreparedInstance* prepared;
    Availability* availability;
  };
  Result<Scene> scene_of(const Draw& draw, Cache& cache) const {
    HOLDFAST_TRY(prepared,
                 cache.prepared.get(
                     origin_of_prepared(draw), [&]() -> Result<std::unique_ptr<PreparedInstance>> {
                       HOLDFAST_TRY(instance, instance_of(draw));
                       return std::make_unique<PreparedInstance>(std::move(instance));
                     }));
    const Instance& instance = prepared->instance;
    auto& availability = cache.availability.get(origin_of_scenario(draw), [&] {
      return instance.is_fixed() ? recorded_availability(instance.states)
                                 : drawn_availability(instance, availability_draw(draw));
    });
    return Scene{prepared, availability.get()};
  }

  std::optional<MakespanBound> bound_of(const Draw& draw, const Scene& scene, Cache& cache) const {
    return cache.bound.get(origin_of_scenario(draw), [&] {
      return lower_bound(scene.prepared->instance, *scene.availability);
    });
  }

  std::optional<GeneratorParameters> generator_;
  std::optional<Instance> fixed_;
  std::vector<StrategyMaker> strategies_;
  std::vector<std::string> warnings_;
  Value definition_;
};

// All instances that a point draws have the same fields, so one of them shows whether the strategies can be made.
Result<std::vector<StrategyMaker>> makers_of(std::span<const StrategySpec> specs,
                                             const Instance& instance) {
  std::vector<StrategyMaker> out;
  for (const StrategySpec& spec : specs) {
    HOLDFAST_TRY(make, make_strategy(spec, instance));
    out.push_back(std::move(make));
  }
  return out;
}

}  // namespace

std::vector<TimelineColumn> columns() {
  return columns_of(kColumns);
}

Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path& directory) {
  if (describes_generator(parameters)) {
    HOLDFAST_TRY(generator, read_generator(parameters, directory));
    HOLDFAST_TRY(probe, generate(generator, 1, 0));
    HOLDFAST_TRY(makers, makers_of(strategies, probe));
    return std::make_unique<VolatilePoint>(generator, std::nullopt, std::move(makers));
  }
  HOLDFAST_TRY(instance, read_instance(parameters));
  HOLDFAST_TRY(makers, makers_of(strategies, instance));
  return std::make_unique<VolatilePoint>(std::nullopt, std::move(instance), std::move(makers));
}

}  // namespace holdfast::volatile_workers
