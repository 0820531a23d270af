#include "holdfast/field/replay.hpp"

#include "holdfast/contract/draw.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/checkpoint/generator.hpp"
#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/realisation.hpp"
#include "holdfast/domains/checkpoint/simulate.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/field/renewals.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace holdfast::field {
namespace {

/// The strategies that are replayed in addition to the guard's own.
constexpr auto kUsual = std::to_array<std::string_view>(
    {"advised", "young-daly", "adaptive-young-daly", "fixed:period=1h"});
/// The number of draws of failures after the record. There are fewer for a long record, depending on its checkpoints and
/// failures.
constexpr double kMostDraws = 200;
constexpr double kMostDecisions = 10'000;
constexpr double kLeastDraws = 10;
/// The largest number of failures of one draw.
constexpr double kMostFailures = 100'000;

double mean_of(double sum, std::size_t count) {
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

/// Returns the part of a long job that is replayed.
std::optional<PastSample> part_of(const History& history) {
  return history.checkpoints > kSample ? std::optional(history.sample) : std::nullopt;
}

/// Returns the job as an instance, without its failures.
Value recorded_instance(const History& history, const Value& instance) {
  Value out = Value::object();
  const auto part = part_of(history);
  out.set("work", part ? part->saved : history.saved);
  for (const auto* name : {"processors", "platform_age", "ages", "nodes", "now", "rejuvenation"}) {
    if (const Value* value = instance.find(name)) out.set(name, *value);
  }
  out.set("checkpoint", history.mean_checkpoint());
  out.set("recovery", mean_of(history.recovering, static_cast<std::size_t>(history.recoveries)));
  double down = 0;
  std::size_t count = 0;
  for (const PastFailure& failure : history.failures) {
    if (!failure.is_of_nodes()) continue;
    down += failure.down;
    ++count;
  }
  out.set("downtime", mean_of(down, count));
  out.set("no_final_checkpoint", history.end == "finish" && !part);
  const Value* law = instance.find("failures");
  out.set("failures", law == nullptr ? Value::object({{"mtbf", 100 * 86400.0}}) : *law);
  return out;
}

/// Returns the guard's strategy as a text in a list of strategies.
std::string own_strategy(const Value& advice) {
  const Value* name = advice.find("strategy");
  std::string out = name == nullptr || name->string() == nullptr ? "advised" : *name->string();
  const Value* trust = advice.find("trust");
  const bool learns = out == "advised" || out == "adaptive-young-daly";
  if (learns && trust != nullptr && trust->string() != nullptr) out += ":trust=" + *trust->string();
  return out;
}

Result<std::vector<StrategySpec>> strategies_of(const GuardedJob& job) {
  const auto known = checkpoint::strategies();
  std::vector<StrategySpec> out;
  HOLDFAST_TRY(own, parse_strategy(own_strategy(job.advice), known));
  out.push_back(std::move(own));
  for (const std::string_view text : kUsual) {
    HOLDFAST_TRY(usual, parse_strategy(text, known));
    if (usual.text != out.front().text) out.push_back(std::move(usual));
  }
  return out;
}

/// The recorded failures, against which strategies are run.
class Record {
 public:
  Record(const History& history, checkpoint::Instance job)
      : job_(std::move(job)),
        renewals_(checkpoint::initial_groups(job_), *job_.law),
        end_((part_of(history) ? part_of(history)->clock : history.saved_at) - history.began) {
    for (const PastFailure& failure : history.failures) {
      const double date = std::max(0.0, failure.clock - history.began);
      if (!failure.is_of_nodes() || date > end_) continue;
      events_.push_back({.date = date, .processor = renewals_.renew(date, failure.node)});
    }
    const std::int64_t checkpoints = std::min(history.checkpoints, kSample);
    decisions_ = static_cast<double>(checkpoints) + static_cast<double>(events_.size());
  }

  [[nodiscard]] double end() const { return end_; }
  [[nodiscard]] std::size_t failures() const { return events_.size(); }

  [[nodiscard]] Result<Replayed> meet(const StrategySpec& spec) const {
    Replayed out{.strategy = spec.text};
    HOLDFAST_TRY(metrics, run(spec, events_));
    out.makespan = metrics.completed ? metrics.makespan : 0;
    out.failures = static_cast<double>(metrics.failures);
    out.outlives_record = out.makespan > end_;
    if (out.outlives_record) HOLDFAST_CHECK(go_on(spec, out));
    return out;
  }

 private:
  [[nodiscard]] Result<checkpoint::Metrics> run(const StrategySpec& spec,
                                                std::vector<FailureEvent> events) const {
    checkpoint::Instance job = job_;
    job.events = std::move(events);
    HOLDFAST_TRY(strategy, checkpoint::make_strategy(spec, job));
    const auto failures =
        checkpoint::Realisation::make(job, std::make_shared<const TabulatedLaw>(*job.law), Draw{});
    return checkpoint::simulate(job, *strategy, *failures, checkpoint::replans(spec));
  }

  // Computes the mean makespan over draws of the failures after the record.
  Status go_on(const StrategySpec& spec, Replayed& out) const {
    const double duration = std::max(10 * (out.makespan - end_), out.makespan);
    const double rate = 1 / checkpoint::job_mtbf(job_);
    const double draws = std::min(kMostDraws, kMostDecisions / std::max(decisions_, 1.0));
    if (draws < kLeastDraws || rate * duration > kMostFailures) return {};
    checkpoint::Instance rest = job_;
    rest.ages = renewals_.at(end_).groups;
    rest.events.reset();
    double sum = 0;
    for (std::uint64_t scenario = 0; scenario < static_cast<std::uint64_t>(draws); ++scenario) {
      std::vector<FailureEvent> events = events_;
      const auto drawn = checkpoint::generate(rest, Draw{.scenario = scenario}, duration);
      for (const FailureEvent& event : *drawn.events) {
        events.push_back(
            {.date = end_ + event.date, .processor = renewals_.by_age(event.processor)});
      }
      HOLDFAST_TRY(metrics, run(spec, std::move(events)));
      if (!metrics.completed) return {};
      sum += metrics.makespan;
      ++out.draws;
    }
    out.continued = sum / static_cast<double>(out.draws);
    return {};
  }

  checkpoint::Instance job_;
  Renewals renewals_;
  double end_;
  double decisions_ = 0;
  std::vector<FailureEvent> events_;
};

/// Returns true if a strategy would save so often that no job can have done that: a journal may come from anywhere.
bool is_more_than_a_job(const History& history, const checkpoint::Instance& job) {
  constexpr double kMostCheckpoints = 1e6;
  constexpr double kLongest = 3600;  // one of the strategies saves every hour
  const auto part = part_of(history);
  const double period = young_daly_period(history.mean_checkpoint(), checkpoint::job_mtbf(job));
  return !((part ? part->saved : history.saved) < kMostCheckpoints * std::min(period, kLongest));
}

}  // namespace

Result<Replay> replay(const History& history, const GuardedJob& job) {
  if (!(history.mean_checkpoint() > 0) || !(history.saved > 0)) return Replay{};
  HOLDFAST_TRY(instance,
               checkpoint::read_instance(recorded_instance(history, job.instance), job.directory));
  HOLDFAST_TRY(strategies, strategies_of(job));
  const bool is_endless = is_more_than_a_job(history, instance);
  const Record record(history, std::move(instance));
  if (is_endless || history.saved > 2 * (history.saved_at - history.began)) return Replay{};
  Replay out{.measured = record.end(),
             .failures = static_cast<std::int64_t>(record.failures()),
             .checkpoints = part_of(history) ? kSample : 0,
             .strategies = {}};
  for (const StrategySpec& spec : strategies) {
    HOLDFAST_TRY(replayed, record.meet(spec));
    if (replayed.makespan > 0) out.strategies.push_back(std::move(replayed));
  }
  return out;
}

}  // namespace holdfast::field
