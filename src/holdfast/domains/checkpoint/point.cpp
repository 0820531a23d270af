#include "holdfast/domains/checkpoint/point.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/contract/rule_run.hpp"
#include "holdfast/domains/checkpoint/headline.hpp"
#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/metrics.hpp"
#include "holdfast/domains/checkpoint/progress.hpp"
#include "holdfast/domains/checkpoint/realisation.hpp"
#include "holdfast/domains/checkpoint/schedule.hpp"
#include "holdfast/domains/checkpoint/simulate.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::checkpoint {
namespace {

/// The last law and the last draw of the failures: 80 cells of the thesis's tables see the same ones.
class Cache {
 public:
  /// @param key  everything that decides the realisation in addition to the draw
  Realisation& realisation(const Instance& instance, const std::string& key, const Draw& draw) {
    return *realisation_.get(
        {key, draw}, [&] { return Realisation::make(instance, tabulated(instance), draw); });
  }

 private:
  std::shared_ptr<const TabulatedLaw> tabulated(const Instance& instance) {
    if (!instance.law) return nullptr;
    if (law_ == nullptr || law_->law().description() != instance.law->description()) {
      law_ = std::make_shared<const TabulatedLaw>(*instance.law);
    }
    return law_;
  }

  std::shared_ptr<const TabulatedLaw> law_;
  CacheSlot<std::unique_ptr<Realisation>, std::pair<std::string, Draw>> realisation_;
};

// Everything in an instance that decides which failures are drawn. The platform's age does not if the trace starts at its
// birth, and the job never does.
std::string realisation_key(const Value& definition) {
  Value key = Value::object();
  for (const char* field : {"processors", "failures", "belief", "rejuvenation", "ages", "spares",
                            "repair", "repairers", "repair_failure", "failed_repair", "relapse",
                            "replacement", "idle_ageing", "spare_delay", "minimum_nodes"}) {
    if (const Value* value = definition.find(field)) key.set(field, *value);
  }
  const bool has_pool =
      definition.find("spares") != nullptr || definition.find("repair") != nullptr;
  if (has_pool || definition.at("/failures/events") != nullptr)
    key.set("platform_age", *definition.find("platform_age"));
  if (definition.at("/failures/recorded") != nullptr) {  // the work decides when a job may start
    if (const Value* work = definition.find("work")) key.set("work", *work);
  }
  return to_compact_json(key);
}

class CheckpointPoint final : public Point {
 public:
  CheckpointPoint(Instance instance, std::span<const StrategySpec> strategies)
      : instance_{std::move(instance)},
        believed_{as_believed(instance_)},
        strategies_(strategies.begin(), strategies.end()),
        definition_{to_value(instance_)},
        realisation_key_{realisation_key(definition_)} {}

  const Value& definition() const override { return definition_; }
  bool is_fixed() const override {
    const double share =
        instance_.local.share;  // it is drawn which of the given failures destroy local checkpoints
    return instance_.events && !(instance_.local.exists() && share > 0 && share < 1) &&
           instance_.platform.chosen() != Replacement::random && instance_.late.failure == 0;
  }
  std::span<const std::string> warnings() const override { return instance_.notes; }
  std::string headline(std::uint64_t) const override { return checkpoint::headline(instance_); }
  std::string_view why_alike() const override {
    return instance_.law && instance_.law->name() == "exponential" ? "failures are memoryless" : "";
  }

  Result<Outcome> run(const Draw& draw, std::size_t strategy, Workspace& workspace,
                      bool want_timeline) const override {
    const StrategySpec& spec = strategies_[strategy];
    HOLDFAST_TRY(rule, make_strategy(spec, believed_));
    if (spec.rule != nullptr) by_rule(*rule)->meet(draw);
    Realisation& realisation = workspace.of<Cache>().realisation(instance_, realisation_key_, draw);
    std::vector<ScheduleRow> rows;
    Outcome out = outcome(
        simulate(instance_, *rule, realisation, replans(spec), want_timeline ? &rows : nullptr));
    if (spec.rule != nullptr) HOLDFAST_CHECK(by_rule(*rule)->status());
    if (want_timeline) out.timeline = timeline_of(rows);
    return out;
  }

  std::optional<Status> check(const Draw& draw, std::size_t strategy,
                              const Outcome& outcome) const override {
    Cache cache;
    const Metrics metrics = metrics_of(outcome);
    Realisation& realisation = cache.realisation(instance_, realisation_key_, draw);
    Instance job = instance_;  // it ends with a log that is replayed
    job.horizon = std::min(job.horizon, job.platform_age + realisation.end());
    const auto rows = rows_of(*outcome.timeline);
    if (!rows) return Status(fail(rows.error()));
    return validate_run(job, replans(strategies_[strategy]), realisation, *rows, metrics);
  }

 private:
  Instance instance_;
  Instance believed_;
  std::vector<StrategySpec> strategies_;
  Value definition_;
  std::string realisation_key_;
};

// Failures are drawn from the platform's birth on, and all are kept in memory.
Status check_age(const Instance& instance) {
  if (!instance.law) return {};
  const double mtbf = job_mtbf(instance);
  if (start_date(instance) <= kMostBefore * mtbf) return {};
  return fail(
      ErrorCode::bad_value, "/platform_age",
      fmt::format(
          "found {}, in which {:.3g} failures strike before the job begins, expected at most {:g} "
          "of "
          "them: {}. A platform is as good as aged after a few mean lives of a processor ({})",
          format_duration(instance.platform_age), instance.platform_age / mtbf, kMostBefore,
          format_duration(kMostBefore * mtbf), format_duration(processor_mtbf(instance))));
}

void add_warnings(Instance& instance) {
  if (const auto sentence = cannot_end(instance)) {
    instance.notes.push_back(*sentence +
                             ". Runs that would not end are given up, and are no results");
  }
  if (lacks_ages(instance)) instance.notes.push_back(ages_in_words(instance));
}

}  // namespace

Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path& directory) {
  HOLDFAST_TRY(instance, read_instance(parameters, directory));
  if (std::isinf(instance.work)) {
    return fail(ErrorCode::bad_value, "/work",
                "is missing: only a job with an end can be simulated");
  }
  HOLDFAST_CHECK(check_age(instance));
  if (instance.law) add_warnings(instance);
  if (instance.local.exists() && std::ranges::none_of(strategies, writes_local)) {
    instance.notes.emplace_back(kNoLocalLevel);
  }
  const Instance believed = as_believed(instance);
  for (const StrategySpec& spec : strategies) {
    if (auto rule = make_strategy(spec, believed); !rule) return fail(std::move(rule).error());
  }
  return std::make_unique<CheckpointPoint>(std::move(instance), strategies);
}

}  // namespace holdfast::checkpoint
