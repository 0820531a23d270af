#include "holdfast/domains/capacity/point.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/contract/field.hpp"
#include "holdfast/contract/schedule_table.hpp"
#include "holdfast/domains/capacity/goodput_bound.hpp"
#include "holdfast/domains/capacity/headline.hpp"
#include "holdfast/domains/capacity/instance_io.hpp"
#include "holdfast/domains/capacity/load.hpp"
#include "holdfast/domains/capacity/metrics.hpp"
#include "holdfast/domains/capacity/off_intervals.hpp"
#include "holdfast/domains/capacity/simulate.hpp"
#include "holdfast/domains/capacity/strategies.hpp"
#include "holdfast/domains/capacity/tariff.hpp"
#include "holdfast/domains/capacity/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>

namespace holdfast::capacity {
namespace {

// A row of --schedule: a run of a job.
struct ScheduleRow {
  std::string_view job;
  std::int64_t machine = 0;
  std::int64_t cores = 0;
  std::int64_t start = 0;  // seconds
  std::int64_t end = 0;
  Execution::Outcome outcome = Execution::Outcome::running;
  std::int64_t release = 0;
};

constexpr auto kSchedule = std::to_array<ScheduleColumn<ScheduleRow>>({
    {{"job", Unit::none, Role::label}, member<&ScheduleRow::job>},
    {{"machine", Unit::none, Role::lane}, member<&ScheduleRow::machine>},
    {{"cores", Unit::none, Role::width}, member<&ScheduleRow::cores>},
    {{"start", Unit::seconds, Role::start}, member<&ScheduleRow::start>},
    {{"end", Unit::seconds, Role::end}, member<&ScheduleRow::end>},
    {{"outcome", Unit::none, Role::state}, choice<&ScheduleRow::outcome, kOutcomes>},
    {{"release", Unit::seconds, Role::release}, member<&ScheduleRow::release>},
});

struct PreparedInstance {
  Instance instance;
  std::vector<Task> tasks;
};

struct Cache {
  CacheSlot<PreparedInstance> prepared;  // by the origin of its jobs
  Origin of_capacity;                    // origin of its capacity
};

Timeline timeline_of(const PreparedInstance& prepared, std::span<const Execution> log,
                     std::span<const std::int64_t> rank_of) {
  Timeline timeline(columns());
  for (const Execution& run : log) {
    const Task& task = prepared.tasks[run.task];
    const Job& job = prepared.instance.jobs[task.job];
    add_row<ScheduleRow>(
        timeline, kSchedule,
        {job.id, run.machine, task.cores, run.start, run.end, run.outcome, job.release});
  }
  timeline.sort_by_start();
  for (const OffInterval& off : off_intervals(prepared.instance, rank_of)) {
    timeline.add_unavailable({.lane = off.machine,
                              .state = "off",
                              .start = static_cast<double>(off.start),
                              .end = static_cast<double>(off.end)});
  }
  return timeline;
}

// Returns the schedule's rows as executions; nothing if several jobs have the same id, because then a row does not say to which
// of them it belongs.
Result<std::optional<std::vector<Execution>>> executions_of(const PreparedInstance& prepared,
                                                            const Timeline& timeline) {
  std::unordered_map<std::string_view, std::size_t> task_of;
  for (std::size_t i = 0; i < prepared.tasks.size(); ++i) {
    const std::string_view id = prepared.instance.jobs[prepared.tasks[i].job].id;
    if (!task_of.emplace(id, i).second) return std::nullopt;
  }
  HOLDFAST_TRY(rows, rows_from<ScheduleRow>(kSchedule, timeline));
  std::vector<Execution> log;
  for (const ScheduleRow& row : rows) {
    log.push_back({task_of.at(row.job), row.machine, row.start, row.end, row.outcome});
  }
  return log;
}

// The accounts of a run, as its details list them. Those of saving are there only if runs are saved.
constexpr auto kAccounts = std::to_array<Field<Metrics>>({
    {"capacity", "", member<&Metrics::capacity>},
    {"useful", "", member<&Metrics::useful>},
    {"aborted", "", member<&Metrics::aborted>},
    {"aborted_time", "", member<&Metrics::aborted_time>},
    {"kills", "", member<&Metrics::kills>},
    {"completed", "", member<&Metrics::completed>},
    {"running", "", member<&Metrics::running>},
    {"waiting", "", member<&Metrics::waiting>},
    {"dropped", "", member<&Metrics::dropped>},
    {"saves", "", member<&Metrics::saves>},
    {"saving", "", member<&Metrics::saving>},
});

Value accounts_of(const Metrics& metrics) {
  Value out = Value::object();
  fields_of<kAccounts>().write(metrics, out);
  return out;
}

// Returns the accounts of a run, and its metrics about stretches.
Result<Metrics> booked(const Outcome& outcome) {
  Metrics out;
  const Value* const accounts = outcome.details.find("accounts");
  if (accounts == nullptr) return fail(ErrorCode::bad_value, "/accounts", "is missing");
  ObjectReader read(*accounts, "/accounts");
  fields_of<kAccounts>().read(read, out);
  HOLDFAST_CHECK(read.finish());
  if (accounts_of(out) != *accounts) {
    return fail(ErrorCode::bad_value, "/accounts", "lacks one of the accounts");
  }
  const std::vector<Metric> table = metrics();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double value = outcome.metrics[i].value_or(0);
    if (table[i].name == "maximum_stretch") out.largest_stretch = value;
    if (table[i].name == "money" && outcome.metrics[i]) out.money = Bill{.busy = value};
    if (table[i].name == "grams" && outcome.metrics[i]) out.grams = Bill{.busy = value};
    if (table[i].name == "average_stretch") {
      out.sum_of_stretch = value * static_cast<double>(out.completed);
    }
  }
  return out;
}

// A part of the warning about a light load: if most jobs come too early, the window is to blame.
std::string before_window(const Instance& instance) {
  const auto early = std::ranges::count_if(
      instance.jobs, [&](const Job& job) { return job.release < instance.begin; });
  if (2 * static_cast<std::size_t>(early) <= instance.jobs.size()) return {};
  return fmt::format(
      "; {} of {} jobs are released before the window, which begins at {} (--window)", early,
      instance.jobs.size(), format_duration(static_cast<double>(instance.begin)));
}

class CapacityPoint final : public Point {
 public:
  CapacityPoint(Problem problem, std::span<const StrategySpec> specs)
      : problem_{std::move(problem)}, specs_(specs.begin(), specs.end()) {
    warnings_ = problem_.notes;
    std::ranges::move(capacity::warnings(problem_.fixed), std::back_inserter(warnings_));
    if (!problem_.draws_jobs) tasks_ = tasks_of(problem_.fixed);
  }

  /// Checks the load of the first draw: a window without jobs or machines is refused, and one with few jobs gets a warning.
  Status weigh() {
    const PreparedInstance sample = prepared_for({});
    const WindowLoad load = window_load(sample.instance, sample.tasks);
    HOLDFAST_CHECK(capacity::check(load, sample.instance));
    constexpr double kLight = 0.2;
    if (load.share() < kLight) {
      warnings_.push_back(fmt::format(
          "load {:.2g} %: most machines have nothing to do, so that policies cannot differ much{}",
          100 * load.share(), before_window(sample.instance)));
    }
    return {};
  }

  const Value& definition() const override { return problem_.definition; }
  std::size_t objective() const override { return position_of(problem_.fixed.objective); }
  /// Returns true if nothing is random. With a fixed instance, only the permutation of first-fit-unaware is.
  bool is_fixed() const override {
    return problem_.is_fixed() &&
           std::none_of(specs_.begin(), specs_.end(),
                        [](const StrategySpec& spec) { return spec.text == "first-fit-unaware"; });
  }
  std::span<const std::string> warnings() const override { return warnings_; }
  std::string headline(std::uint64_t seed) const override {
    const PreparedInstance sample = prepared_for({.seed = seed});
    return capacity::headline(problem_, sample.instance, window_load(sample.instance, sample.tasks),
                              seed);
  }

  Result<Outcome> run(const Draw& draw, std::size_t strategy, Workspace& workspace,
                      bool want_timeline) const override {
    const PreparedInstance& prepared = drawn(draw, workspace.of<Cache>());
    HOLDFAST_TRY(maker, make_strategy(specs_[strategy], prepared.instance, coin_of(draw)));
    const Instance& instance = prepared.instance;
    const bool is_priced = !instance.price.empty() || !instance.carbon.empty();
    std::vector<Execution> log;
    Metrics metrics = simulate(instance, prepared.tasks, maker,
                               want_timeline || is_priced ? &log : nullptr, workspace.stop());
    metrics.useful_bound = useful_bound(instance, prepared.tasks);
    if (!instance.price.empty())
      metrics.money = bill_of(instance, instance.price, log, metrics.useful);
    if (!instance.carbon.empty())
      metrics.grams = bill_of(instance, instance.carbon, log, metrics.useful);
    if (workspace.stop().wanted()) return fail(ErrorCode::interrupted, {}, "stopped");
    Outcome outcome{.metrics = values(metrics), .details = {}, .timeline = {}};
    if (want_timeline) {
      outcome.timeline = timeline_of(prepared, log, ranks(draw, strategy, prepared));
      outcome.details = Value::object({{"accounts", accounts_of(metrics)}});
    }
    return outcome;
  }

  std::optional<Status> check(const Draw& asked, std::size_t strategy,
                              const Outcome& outcome) const override {
    Cache cache;
    const PreparedInstance& prepared = drawn(asked, cache);
    if (!outcome.timeline) return std::nullopt;
    const auto log = executions_of(prepared, *outcome.timeline);
    if (!log) return fail(log.error());
    if (!*log) return std::nullopt;
    const auto books = booked(outcome);
    if (!books) return fail(books.error());
    return validate(prepared.instance, prepared.tasks, *books, **log,
                    ranks(asked, strategy, prepared));
  }

 private:
  /// Returns the rank of each machine. First-fit-unaware has a permutation of its own.
  std::vector<std::int64_t> ranks(const Draw& asked, std::size_t strategy,
                                  const PreparedInstance& prepared) const {
    const auto maker = make_strategy(specs_[strategy], prepared.instance, coin_of(asked));
    return ranks_of(*maker, prepared.instance, prepared.tasks);
  }

  static Stream coin_of(const Draw& asked) {
    return Stream({.seed = asked.seed,
                   .purpose = Purpose::strategy,
                   .instance = asked.instance,
                   .scenario = asked.scenario});
  }

  PreparedInstance prepared_for(const Draw& asked) const {
    PreparedInstance out{capacity::draw(problem_, asked.seed, asked.instance, asked.scenario),
                         tasks_};
    if (problem_.draws_jobs) out.tasks = tasks_of(out.instance);
    return out;
  }

  // From one scenario to the next of an instance, only the capacity changes.
  const PreparedInstance& drawn(const Draw& asked, Cache& cache) const {
    const auto& [seed, index, scenario] = asked;
    const Origin of_jobs = problem_.draws_jobs ? origin_of_instance(asked) : origin();
    const Origin of_capacity = problem_.is_fixed() ? origin() : origin_of_scenario(asked);
    PreparedInstance& out = cache.prepared.get(of_jobs, [&] {
      cache.of_capacity = of_capacity;
      return prepared_for(asked);
    });
    if (cache.of_capacity != of_capacity) {
      draw_capacity(problem_, seed, index, scenario, out.instance);
      cache.of_capacity = of_capacity;
    }
    return out;
  }

  Problem problem_;
  std::vector<StrategySpec> specs_;
  std::vector<std::string> warnings_;
  std::vector<Task> tasks_;
};

}  // namespace

std::vector<TimelineColumn> columns() {
  return columns_of<ScheduleRow>(kSchedule);
}

Result<std::unique_ptr<Point>> open_point(const Value& parameters,
                                          std::span<const StrategySpec> strategies,
                                          const std::filesystem::path& directory) {
  HOLDFAST_TRY(problem, read_problem(parameters, directory));
  for (const StrategySpec& spec : strategies) {
    if (auto maker = make_strategy(spec, problem.fixed, Stream(StreamKey{})); !maker) {
      return fail(std::move(maker).error());
    }
  }
  auto point = std::make_unique<CapacityPoint>(std::move(problem), strategies);
  HOLDFAST_CHECK(point->weigh());
  return point;
}

}  // namespace holdfast::capacity
