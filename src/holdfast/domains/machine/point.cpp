#include "holdfast/domains/machine/point.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/contract/rule_run.hpp"
#include "holdfast/domains/machine/headline.hpp"
#include "holdfast/domains/machine/instance_io.hpp"
#include "holdfast/domains/machine/metrics.hpp"
#include "holdfast/domains/machine/mix.hpp"
#include "holdfast/domains/machine/realisation.hpp"
#include "holdfast/domains/machine/schedule.hpp"
#include "holdfast/domains/machine/simulate.hpp"
#include "holdfast/domains/machine/strategies.hpp"
#include "holdfast/domains/machine/validate.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::machine {
namespace {

/// The last law and the last scenario: all strategies of one point see the same ones.
struct Cache {
  CacheSlot<Realisation> realisation;
};

// The planner's results for the mix, whatever the strategy: the pressure, and the bound if the mix is fixed.
struct Outlook {
  std::optional<double> pressure;
  std::optional<double> bound;
};

bool is_memoryless(const Instance& instance) {
  return instance.law && instance.law->name() == "exponential";
}

Outlook outlook_of(const Instance& instance) {
  const std::optional<SharedMachine> mix = shared_machine(instance);
  if (!mix || instance.node_mtbf() == kNever || instance.bandwidth == kNever) return {};
  Outlook out;
  out.pressure = plan_of_each_alone(shared_classes(*mix), regular_load(*mix)).load;
  if (instance.is_steady() && is_memoryless(instance)) out.bound = useful_share_bound(*mix);
  return out;
}

Value account_value(const JobOutcome& job, const Instance& instance, const Job& given) {
  const auto seconds = [&](Use use) { return job.account[use]; };
  return Value::object({{"id", given.id},
                        {"class", instance.groups[given.group]},
                        {"start", job.start},
                        {"end", job.end},
                        {"completed", job.completed},
                        {"yield", job.yield},
                        {"kept", seconds(Use::kept)},
                        {"open", seconds(Use::open)},
                        {"lost", seconds(Use::lost)},
                        {"checkpoint", seconds(Use::checkpoint)},
                        {"recovery", seconds(Use::recovery)},
                        {"regular", seconds(Use::regular)},
                        {"wait", seconds(Use::wait)},
                        {"downtime", seconds(Use::downtime)}});
}

class MachinePoint final : public Point {
 public:
  MachinePoint(Instance instance, std::span<const StrategySpec> strategies)
      : instance_{std::move(instance)},
        strategies_(strategies.begin(), strategies.end()),
        definition_{to_value(instance_)},
        law_{instance_.law ? std::make_shared<const TabulatedLaw>(*instance_.law) : nullptr},
        outlook_{outlook_of(instance_)} {}

  const Value& definition() const override { return definition_; }
  bool is_fixed() const override {
    return !instance_.draws_jobs() && (instance_.events || !instance_.law);
  }
  std::span<const std::string> warnings() const override { return instance_.notes; }
  std::string headline(std::uint64_t seed) const override {
    return machine::headline(instance_, seed);
  }

  Result<Outcome> run(const Draw& draw, std::size_t strategy, Workspace& workspace,
                      bool want_timeline) const override {
    HOLDFAST_TRY(rules, make_strategy(strategies_[strategy], instance_));
    Realisation& realisation = workspace.of<Cache>().realisation.get(
        origin_of_scenario(draw), [&] { return Realisation(instance_, law_, draw); });
    std::vector<ScheduleRow> rows;
    Run run =
        simulate(instance_, rules, realisation, want_timeline ? &rows : nullptr, workspace.stop());
    if (workspace.stop().wanted()) return fail(ErrorCode::interrupted, {}, "stopped");
    HOLDFAST_CHECK(status_of_rule(*rules.sharing));
    Outcome out;
    out.metrics = values_of(metric_rows(), measured(run, run.all));
    out.completed = run.completed;
    out.in_statistics = run.completed;
    if (want_timeline) {
      out.timeline = timeline_of(rows);
      out.details = details(run, realisation);
    }
    return out;
  }

  std::optional<Status> check(const Draw& draw, std::size_t strategy,
                              const Outcome& outcome) const override {
    Realisation realisation(instance_, law_, draw);
    const auto rules = make_strategy(strategies_[strategy], instance_);
    if (!rules) return Status(fail(rules.error()));
    const auto rows = rows_of(*outcome.timeline);
    if (!rows) return Status(fail(rows.error()));
    const Metrics metrics = metrics_from(metric_rows(), outcome.metrics);
    std::vector<FailureEvent> failures;
    for (std::size_t i = 0; realisation.failure_date(i) < metrics.makespan; ++i) {
      failures.push_back({realisation.failure_date(i), realisation.failed_node(i)});
    }
    std::vector<Job> jobs = instance_.jobs;
    if (instance_.draws_jobs()) {
      const std::size_t seen = jobs_seen(*outcome.timeline);
      for (std::size_t i = 0; i < seen; ++i) {
        jobs.push_back(realisation.jobs().at(i));
      }
    }
    return validate({.instance = instance_,
                     .jobs = jobs,
                     .failures = failures,
                     .shares = !rules->ignores_others},
                    *rows, metrics);
  }

 private:
  Metrics measured(const Run& run, const Tally& tally) const {
    const double window = run.end - instance_.warmup;
    Metrics out = metrics_of(tally, static_cast<double>(instance_.nodes) * window);
    out.events = run.events;
    out.makespan = run.end;
    out.pressure = outlook_.pressure;
    out.bound = outlook_.bound;
    return out;
  }

  Value details(const Run& run, Realisation& realisation) const {
    Value jobs = Value::array();
    for (const JobOutcome& job : run.jobs) {
      jobs.push(account_value(job, instance_, realisation.jobs().at(job.job)));
    }
    Value classes = Value::object();
    const auto rows = metric_rows();
    for (std::size_t k = 0; k < instance_.groups.size(); ++k) {
      Value one = Value::object();
      const auto values = values_of(rows, measured(run, run.groups[k]));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (values[i]) one.set(std::string(rows[i].metric.name), *values[i]);
      }
      classes.set(instance_.groups[k], std::move(one));
    }
    return Value::object({{"jobs", std::move(jobs)}, {"classes", std::move(classes)}});
  }

  // The number of drawn jobs up to the last one in the schedule. The id of a drawn job ends with its number.
  static std::size_t jobs_seen(const Timeline& timeline) {
    std::size_t seen = 0;
    for (std::size_t row = 0; row < timeline.rows(); ++row) {
      const auto& id = std::get<std::string_view>(timeline.row(row)[0]);
      const auto number = parse_integer(id.substr(id.rfind('-') + 1));
      if (number) seen = std::max(seen, static_cast<std::size_t>(*number) + 1);
    }
    return seen;
  }

  Instance instance_;
  std::vector<StrategySpec> strategies_;
  Value definition_;
  std::shared_ptr<const TabulatedLaw> law_;
  Outlook outlook_;
};

void add_warnings(Instance& instance, std::span<const StrategySpec> strategies) {
  if (!instance.law || is_memoryless(instance)) return;
  if (std::any_of(strategies.begin(), strategies.end(), uses_prices)) {
    instance.notes.push_back(
        "prices of the bandwidth assume exponential failures: they use the mean of this law, and "
        "there is no bound");
  }
}

}  // namespace

Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path& directory) {
  HOLDFAST_TRY(instance, read_instance(parameters, directory));
  for (const StrategySpec& spec : strategies) {
    if (auto rules = make_strategy(spec, instance); !rules) return fail(std::move(rules).error());
  }
  add_warnings(instance, strategies);
  return std::make_unique<MachinePoint>(std::move(instance), strategies);
}

}  // namespace holdfast::machine
