#include "holdfast/domains/taskgraph/engine_workflow.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/models/speedup/fit_report.hpp"
#include "holdfast/models/speedup/profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

namespace holdfast::taskgraph {
namespace {

constexpr double kAssumedShare = 0.05;  // of sequential work, where one number of threads is known

// Returns the same speedup with so much more time on any number of processors.
Speedup with_delay(const Speedup& speedup, double delay, std::int64_t cores) {
  if (delay == 0) return speedup;
  if (speedup.model() == SpeedupModel::power || speedup.model() == SpeedupModel::table) {
    std::vector<double> times;
    for (std::int64_t p = 1; p <= speedup.limit(cores); ++p)
      times.push_back(speedup.time(p) + delay);
    return Speedup::table(std::move(times));
  }
  return Speedup::mix_of_parts(speedup.parallel_work(), speedup.sequential_work() + delay,
                               speedup.max_parallelism(), speedup.overhead());
}

// Fits the run times of a rule, and says how.
Result<Speedup> fit_rule(const std::string& rule, const SpeedupProfile& profile, RuleFacts& facts,
                         std::vector<std::string>& warnings) {
  facts.measured = profile.processors;
  if (profile.size() == 1 && profile.processors.front() == 1) {
    facts.law = "only known on 1";
    return Speedup::amdahl(profile.seconds.front(), 1);
  }
  if (profile.size() == 1) {
    facts.law = "5 % sequential, assumed";
    warnings.push_back(
        fmt::format("{}: run times on one number of threads ({}), 5 % of sequential work is "
                    "assumed; run it on two "
                    "others",
                    rule, profile.processors.front()));
    const double p = static_cast<double>(profile.processors.front());
    return Speedup::amdahl(profile.seconds.front() / ((1 - kAssumedShare) / p + kAssumedShare),
                           kAssumedShare);
  }
  SpeedupReport report = report_speedup(rule, profile);
  if (profile.size() == 2) {  // several models fit exactly
    const auto amdahl =
        std::ranges::find(report.fits, SpeedupModel::amdahl,
                          [](const SpeedupFit& fit) { return fit.speedup.model(); });
    if (amdahl != report.fits.end())
      report.preferred = static_cast<std::size_t>(amdahl - report.fits.begin());
    warnings.push_back(fmt::format(
        "{}: run times on two numbers of threads ({}), Amdahl's law is assumed; run it on a third",
        rule, fmt::join(profile.processors, ", ")));
  }
  const SpeedupFit& fit = report.fits[report.preferred];
  facts.law = fmt::format("{} ({:.0f} % off)", name(fit.speedup.model()), 100 * fit.rms);
  return fit.speedup;
}

// The run times of all rules, each fitted once.
class RuleFits {
 public:
  RuleFits(const SpeedupTable& runs, std::int64_t cores, double delay)
      : runs_{runs}, cores_{cores}, delay_{delay} {}

  bool knows(const std::string& rule) const {
    return std::ranges::find(runs_, rule, &SpeedupRuns::name) != runs_.end();
  }
  Result<Speedup> fit(const std::string& rule, RuleFacts& facts,
                      std::vector<std::string>& warnings) const {
    const auto runs = std::ranges::find(runs_, rule, &SpeedupRuns::name);
    if (runs == runs_.end()) {
      facts.law = "0 s, assumed";
      warnings.push_back(fmt::format("{}: no run time, 0 s is assumed", rule));
      return with_delay(Speedup::amdahl(0, 1), delay_, cores_);
    }
    HOLDFAST_TRY(profile, make_profile(runs->processors, runs->seconds));
    HOLDFAST_TRY(speedup, fit_rule(rule, profile, facts, warnings));
    return with_delay(speedup, delay_, cores_);
  }

 private:
  const SpeedupTable& runs_;
  std::int64_t cores_;
  double delay_;
};

std::int64_t median(std::vector<std::int64_t> numbers) {
  const auto middle = numbers.begin() + std::ssize(numbers) / 2;
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

// Returns for each task whether it stays: all but targets, which only name what is wanted.
std::vector<bool> tasks_to_keep(const WorkflowRun& graph, const RuleFits& fits) {
  std::vector<bool> kept(graph.tasks.size(), true);
  for (std::size_t task = 0; task < kept.size(); ++task)
    kept[task] = fits.knows(graph.tasks[task].kind());
  for (const WorkflowRun::Dependency& edge : graph.dependencies) kept[edge.parent] = true;
  return kept;
}

}  // namespace

Result<EngineWorkflow> engine_workflow(const WorkflowRun& graph, const SpeedupTable& runs,
                                       std::int64_t cores, double delay) {
  const RuleFits fits(runs, cores, delay);
  if (std::ranges::none_of(graph.tasks,
                           [&](const MeasuredTask& task) { return fits.knows(task.kind()); })) {
    return fail(
        ErrorCode::bad_value, "/graph",
        fmt::format("found {} of rules without a run time, expected rules of the runs, such as {}",
                    counted(graph.tasks.size(), "job"),
                    runs.empty() ? "none" : in_quotes(runs.front().name)));
  }
  const std::vector<bool> kept = tasks_to_keep(graph, fits);
  EngineWorkflow out;
  out.instance.processors = cores;
  std::vector<std::uint32_t> place(kept.size());
  for (std::size_t task = 0; task < kept.size(); ++task) {
    if (!kept[task]) continue;
    place[task] = static_cast<std::uint32_t>(out.instance.ids.size());
    out.instance.ids.push_back(graph.tasks[task].id);
    out.instance.groups.push_back(graph.tasks[task].kind());
  }
  std::vector<Edge> edges;
  for (const auto& [parent, child] : graph.dependencies) {
    if (kept[parent] && kept[child]) edges.push_back({place[parent], place[child]});
  }
  HOLDFAST_TRY(dag, Dag::from_edges(out.instance.ids.size(), edges));
  out.instance.graph = std::move(dag);
  out.rules = groups_of(out.instance);
  std::vector<std::vector<std::int64_t>> threads(out.rules.names.size());
  for (std::size_t task = 0; task < kept.size(); ++task) {
    if (kept[task])
      threads[out.rules.of[place[task]]].push_back(
          std::max<std::int64_t>(1, graph.tasks[task].cores));
  }
  std::vector<Speedup> speedups;
  for (std::size_t rule = 0; rule < threads.size(); ++rule) {
    RuleFacts& facts = out.facts.emplace_back();
    facts.jobs = std::ssize(threads[rule]);
    facts.threads = std::min(median(std::move(threads[rule])), cores);
    HOLDFAST_TRY(speedup, fits.fit(out.rules.names[rule], facts, out.warnings));
    speedups.push_back(std::move(speedup));
  }
  for (const std::uint32_t rule : out.rules.of) out.instance.tasks.push_back(speedups[rule]);
  HOLDFAST_CHECK(check(out.instance));
  return out;
}

}  // namespace holdfast::taskgraph
