#include "holdfast/domains/taskgraph/point.hpp"

#include "holdfast/contract/ask.hpp"
#include "holdfast/contract/rule_run.hpp"
#include "holdfast/contract/schedule_table.hpp"
#include "holdfast/domains/taskgraph/headline.hpp"
#include "holdfast/domains/taskgraph/instance_io.hpp"
#include "holdfast/domains/taskgraph/metrics.hpp"
#include "holdfast/domains/taskgraph/simulate.hpp"
#include "holdfast/domains/taskgraph/strategies.hpp"
#include "holdfast/domains/taskgraph/validate.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/models/resilience/silent_errors.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace holdfast::taskgraph {
namespace {

struct ScheduleRow {
  std::string_view job;
  std::uint32_t attempt = 1;
  double start = 0;
  double end = 0;
  std::int64_t processors = 0;
  bool failed = false;
};
constexpr auto kScheduleRows = std::to_array<ScheduleColumn<ScheduleRow>>({
    {{"job", Unit::none, Role::label}, member<&ScheduleRow::job>},
    {{"attempt", Unit::none, Role::plain}, member<&ScheduleRow::attempt>},
    {{"start", Unit::seconds, Role::start}, member<&ScheduleRow::start>},
    {{"end", Unit::seconds, Role::end}, member<&ScheduleRow::end>},
    {{"processors", Unit::none, Role::width}, member<&ScheduleRow::processors>},
    {{"failed", Unit::none, Role::state}, member<&ScheduleRow::failed>},
});
constexpr std::span<const ScheduleColumn<ScheduleRow>> kColumns = kScheduleRows;

/// An instance, and the decisions of its strategies that are made once for all scenarios.
class PreparedInstance {
 public:
  /// @param draw  the draw of the instance; decisions are made for all its scenarios
  PreparedInstance(Instance instance, std::size_t strategies, const Draw& draw)
      : instance_{std::make_unique<Instance>(std::move(instance))},
        draw_{draw},
        rules_(strategies) {}

  [[nodiscard]] const Instance& instance() const { return *instance_; }

  struct Rule {
    std::unique_ptr<Strategy> strategy;
    Plan plan;
  };
  /// Returns the strategy at that position, which is made when it is first needed.
  Result<const Rule*> rule(std::size_t position, const StrategySpec& spec) {
    auto& rule = rules_[position];
    if (!rule) {
      HOLDFAST_TRY(strategy, make_strategy(spec, *instance_));
      if (spec.rule != nullptr) by_rule(*strategy)->meet(draw_);
      Plan plan = make_plan(*instance_, *strategy);
      HOLDFAST_CHECK(status_of_rule(*strategy));
      rule.emplace(Rule{std::move(strategy), std::move(plan)});
    }
    return &*rule;
  }
  /// Returns a strategy that has been made. @pre rule(position, ...) succeeded
  [[nodiscard]] const Rule& made(std::size_t position) const { return *rules_[position]; }

 private:
  std::unique_ptr<Instance> instance_;  // strategies point to it
  Draw draw_;
  std::vector<std::optional<Rule>> rules_;
};

struct Cache {
  CacheSlot<PreparedInstance> prepared;
};

// Turns a timeline of this domain back into a schedule.
Result<Schedule> to_schedule(const Instance& instance, const Timeline& timeline) {
  std::unordered_map<std::string, TaskIndex> positions;
  for (std::size_t task = 0; task < instance.size(); ++task) {
    positions.emplace(instance.name(task), static_cast<TaskIndex>(task));
  }
  HOLDFAST_TRY(rows, rows_from(kColumns, timeline));
  Schedule schedule;
  for (const ScheduleRow& row : rows) {
    schedule.push_back({.task = positions.at(std::string(row.job)),
                        .number = row.attempt,
                        .start = row.start,
                        .end = row.end,
                        .processors = row.processors,
                        .failed = row.failed});
  }
  return schedule;
}

StreamKey failures_key(const Draw& draw) {
  return {.seed = draw.seed,
          .purpose = Purpose::failures,
          .instance = draw.instance,
          .scenario = draw.scenario};
}

class TaskgraphPoint final : public Point {
 public:
  TaskgraphPoint(Value definition, std::optional<GeneratorParameters> generator,
                 std::optional<PreparedInstance> fixed, std::span<const StrategySpec> specs)
      : definition_{std::move(definition)},
        generator_{std::move(generator)},
        fixed_{std::move(fixed)},
        specs_(specs.begin(), specs.end()) {
    if (fixed_) warnings_ = taskgraph::warnings(fixed_->instance());
    if (!fixed_ && generator_->log != nullptr) warnings_ = generator_->log->notes;
  }

  const Value& definition() const override { return definition_; }
  bool is_fixed() const override { return fixed_ && fixed_->instance().is_fixed(); }
  std::span<const std::string> warnings() const override { return warnings_; }
  std::string headline(std::uint64_t seed) const override {
    return fixed_ ? taskgraph::headline(fixed_->instance())
                  : taskgraph::headline(*generator_, seed);
  }

  Result<Outcome> run(const Draw& draw, std::size_t strategy, Workspace& workspace,
                      bool want_timeline) const override {
    if (fixed_) return run_one(fixed_->instance(), fixed_->made(strategy), draw, want_timeline);
    HOLDFAST_TRY(prepared, drawn(draw, workspace.of<Cache>()));
    HOLDFAST_TRY(rule, prepared->rule(strategy, specs_[strategy]));
    return run_one(prepared->instance(), *rule, draw, want_timeline);
  }

  std::optional<Status> check(const Draw& draw, std::size_t strategy,
                              const Outcome& outcome) const override {
    Cache cache;
    const PreparedInstance* prepared = fixed_ ? &*fixed_ : nullptr;
    if (prepared == nullptr) {
      HOLDFAST_TRY(again, drawn(draw, cache));
      prepared = again;
    }
    const Instance& instance = prepared->instance();
    const auto rule = make_strategy(specs_[strategy], instance);
    if (!rule) return fail(rule.error());
    const bool may_idle = (*rule)->is_given() || (*rule)->discipline() == Discipline::place;
    HOLDFAST_TRY(schedule, to_schedule(instance, *outcome.timeline));
    const auto strikes = strikes_of(instance, draw);
    return validate(instance, failures_of(instance, draw), schedule,
                    may_idle ? Idling::allowed : Idling::forbidden, strikes ? &*strikes : nullptr);
  }

 private:
  static Result<Outcome> run_one(const Instance& instance, const PreparedInstance::Rule& rule,
                                 const Draw& draw, bool want_timeline) {
    Schedule schedule;
    const auto strikes = strikes_of(instance, draw);
    const Metrics metrics =
        simulate(instance, *rule.strategy, rule.plan, failures_of(instance, draw),
                 want_timeline ? &schedule : nullptr, strikes ? &*strikes : nullptr);
    const std::int64_t failed = metrics.attempts - static_cast<std::int64_t>(instance.size());
    if (strikes && failed >= Strikes::kMostFailed) return fail(hopeless_run());
    Outcome out{.metrics = values(metrics), .details = {}, .timeline = {}};
    if (!want_timeline) return out;
    out.timeline = to_timeline(instance, schedule);
    if (const auto ratio = rule.strategy->proven_ratio()) {
      out.details = Value::object({{"proven_ratio", *ratio}});
    }
    return out;
  }

  Result<PreparedInstance*> drawn(const Draw& draw, Cache& cache) const {
    const Origin origin = origin_of_instance(draw);
    return cache.prepared.get(origin, [&]() -> Result<std::unique_ptr<PreparedInstance>> {
      Instance instance = generate(*generator_, draw.seed, draw.instance);
      // The number of failures of all tasks together is known only once the tasks are drawn.
      HOLDFAST_CHECK(taskgraph::check(instance));
      return std::make_unique<PreparedInstance>(std::move(instance), specs_.size(), origin.draw);
    });
  }

  Value definition_;
  std::optional<GeneratorParameters> generator_;
  std::optional<PreparedInstance> fixed_;
  std::vector<StrategySpec> specs_;
  std::vector<std::string> warnings_;
};

}  // namespace

std::vector<TimelineColumn> columns() {
  return columns_of(kColumns);
}

Timeline to_timeline(const Instance& instance, const Schedule& schedule) {
  Timeline timeline(columns());
  for (const Attempt& attempt : schedule) {
    const std::string job = instance.name(attempt.task);
    add_row(timeline, kColumns,
            {.job = job,
             .attempt = attempt.number,
             .start = attempt.start,
             .end = attempt.end,
             .processors = attempt.processors,
             .failed = attempt.failed});
  }
  return timeline;
}

std::optional<Strikes> strikes_of(const Instance& instance, const Draw& draw) {
  if (!instance.strikes.empty()) return Strikes(instance.errors(), instance.strikes);
  if (!instance.errors().counts_area()) return std::nullopt;
  return Strikes(failures_key(draw), instance.errors(), instance.size());
}

std::vector<std::int64_t> failures_of(const Instance& instance, const Draw& draw) {
  if (!instance.failures.empty() || instance.error_rate == 0 || instance.fails_by_processors()) {
    return instance.failures;
  }
  std::vector<std::int64_t> failed(instance.size());
  Stream stream(failures_key(draw));
  draw_failed_attempts(stream, instance.error_rate, sequential_times(instance), failed);
  return failed;
}

Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path& directory) {
  if (describes_generator(parameters)) {
    HOLDFAST_TRY(generator, read_generator(parameters, directory));
    Value definition = to_value(generator);
    return std::make_unique<TaskgraphPoint>(std::move(definition), generator, std::nullopt,
                                            strategies);
  }
  HOLDFAST_TRY(instance, read_instance(parameters));
  Value definition = with_header("taskgraph", to_value(instance));
  PreparedInstance prepared(std::move(instance), strategies.size(), {});
  for (std::size_t position = 0; position < strategies.size(); ++position) {
    if (auto rule = prepared.rule(position, strategies[position]); !rule) {
      return fail(std::move(rule).error());
    }
  }
  return std::make_unique<TaskgraphPoint>(std::move(definition), std::nullopt, std::move(prepared),
                                          strategies);
}

}  // namespace holdfast::taskgraph
