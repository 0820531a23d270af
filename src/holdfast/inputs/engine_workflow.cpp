#include "holdfast/inputs/engine_workflow.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/models/speedup/fit_report.hpp"
#include "holdfast/models/speedup/profile.hpp"
#include "holdfast/traces/formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace holdfast {
namespace {

constexpr double kAssumedShare = 0.05;  // of sequential work, where one number of threads is known

// Returns the speedup of a job of this size, with so much more time on any number of processors.
Speedup resized(const Speedup& speedup, double size, double delay, std::int64_t cores) {
  if (delay == 0 && size == 1) return speedup;
  if (speedup.model() == SpeedupModel::power || speedup.model() == SpeedupModel::table) {
    std::vector<double> times;
    for (std::int64_t p = 1; p <= speedup.limit(cores); ++p)
      times.push_back(size * speedup.time(p) + delay);
    return Speedup::table(std::move(times));
  }
  return Speedup::mix_of_parts(size * speedup.parallel_work(),
                               size * speedup.sequential_work() + delay, speedup.max_parallelism(),
                               size * speedup.overhead());
}

template <class T>
T median(std::vector<T> numbers) {
  const auto middle = numbers.begin() + std::ssize(numbers) / 2;
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

// Fits the run times of a rule, and says how.
Result<Speedup> fit_rule(const SpeedupProfile& profile, EngineRule& rule,
                         std::vector<std::string>& warnings) {
  rule.measured = profile.processors;
  if (profile.size() == 1 && profile.processors.front() == 1) {
    rule.law = "only known on 1";
    return Speedup::amdahl(profile.seconds.front(), 1);
  }
  if (profile.size() == 1) {
    rule.law = "5 % sequential, assumed";
    warnings.push_back(
        fmt::format("{}: run times on one number of threads ({}), 5 % of sequential work is "
                    "assumed; run it on two "
                    "others",
                    rule.name, profile.processors.front()));
    const double p = static_cast<double>(profile.processors.front());
    return Speedup::amdahl(profile.seconds.front() / ((1 - kAssumedShare) / p + kAssumedShare),
                           kAssumedShare);
  }
  SpeedupReport report = report_speedup(rule.name, profile);
  if (profile.size() == 2) {  // several models fit exactly
    const auto amdahl =
        std::ranges::find(report.fits, SpeedupModel::amdahl,
                          [](const SpeedupFit& fit) { return fit.speedup.model(); });
    if (amdahl != report.fits.end())
      report.preferred = static_cast<std::size_t>(amdahl - report.fits.begin());
    warnings.push_back(fmt::format(
        "{}: run times on two numbers of threads ({}), Amdahl's law is assumed; run it on a third",
        rule.name, fmt::join(profile.processors, ", ")));
  }
  const SpeedupFit& fit = report.fits[report.preferred];
  rule.law = fmt::format("{} ({:.0f} % off)", name(fit.speedup.model()), 100 * fit.rms);
  return fit.speedup;
}

// The run times of all rules, each fitted once.
class RuleFits {
 public:
  explicit RuleFits(const SpeedupTable& runs) : runs_{runs} {}

  bool knows(const std::string& rule) const {
    return std::ranges::find(runs_, rule, &SpeedupRuns::name) != runs_.end();
  }
  Status fit(EngineRule& rule, std::vector<std::string>& warnings) {
    const auto runs = std::ranges::find(runs_, rule.name, &SpeedupRuns::name);
    if (runs == runs_.end()) {
      rule.law = "0 s, assumed";
      warnings.push_back(fmt::format("{}: no run time, 0 s is assumed", rule.name));
    } else {
      HOLDFAST_TRY(profile, make_profile(runs->processors, runs->seconds));
      HOLDFAST_TRY(speedup, fit_rule(profile, rule, warnings));
      rule.speedup = std::move(speedup);
      take_sizes(*runs, rule.speedup);
    }
    return {};
  }
  /// Returns the size of the job that writes this file, by the medians of what it took beside what its rule takes.
  double size(const std::string& product) const {
    const auto known = ratios_.find(product);
    return product.empty() || known == ratios_.end() ? 1.0 : median(known->second);
  }

 private:
  void take_sizes(const SpeedupRuns& runs, const Speedup& speedup) {
    for (std::size_t k = 0; k < runs.products.size(); ++k) {
      const std::int64_t p = runs.processors[k];
      const double usual = speedup.time(std::min(p, speedup.limit(p)));
      if (usual > 0) ratios_[runs.products[k]].push_back(runs.seconds[k] / usual);
    }
  }

  const SpeedupTable& runs_;
  std::unordered_map<std::string, std::vector<double>> ratios_;
};

// Returns for each task whether it stays: all but targets, which only name what is wanted.
std::vector<bool> tasks_to_keep(const WorkflowRun& graph, const RuleFits& fits) {
  std::vector<bool> kept(graph.tasks.size(), true);
  for (std::size_t task = 0; task < kept.size(); ++task)
    kept[task] = fits.knows(graph.tasks[task].kind());
  for (const WorkflowRun::Dependency& edge : graph.dependencies) kept[edge.parent] = true;
  return kept;
}

void add(SpeedupTable& all, SpeedupTable more) {
  for (SpeedupRuns& runs : more) {
    const auto known = std::ranges::find(all, runs.name, &SpeedupRuns::name);
    if (known == all.end()) {
      all.push_back(std::move(runs));
      continue;
    }
    known->processors.insert(known->processors.end(), runs.processors.begin(),
                             runs.processors.end());
    known->seconds.insert(known->seconds.end(), runs.seconds.begin(), runs.seconds.end());
    known->products.resize(known->processors.size() - runs.processors.size());
    known->products.insert(known->products.end(), runs.products.begin(), runs.products.end());
  }
}

// Reads the run times of a file, or of all files below a folder that have some.
Status add_runs(const std::filesystem::path& path, SpeedupTable& all) {
  if (!std::filesystem::is_directory(path)) {
    HOLDFAST_TRY(runs, read_run_times(path));
    add(all, std::move(runs));
    return {};
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  bool has_any = false;
  for (const auto& file : files) {
    auto runs = read_run_times(file);
    if (!runs) continue;
    has_any = true;
    add(all, std::move(*runs));
  }
  if (has_any) return {};
  return fail(ErrorCode::bad_value, path.string(),
              fmt::format("found no run times in {}, expected logs or benchmark files",
                          counted(files.size(), "file")));
}

constexpr auto kEngines = std::to_array<std::string_view>({"none", "snakemake", "nextflow"});
constexpr auto kEngineRuns = std::to_array<Field<EngineOptions>>({
    {.name = "runs",
     .summary = "earlier runs of a workflow: logs, benchmark files, our plugin's history, or "
                "folders of them",
     .member = member<&EngineOptions::runs>,
     .value_name = "RUN"},
});
constexpr auto kEngineOptions = std::to_array<Field<EngineOptions>>({
    {.name = "graph",
     .summary = "the jobs of the workflow: the text of 'snakemake -n -F', or a log of a whole run",
     .member = member<&EngineOptions::graph>},
    {.name = "cores",
     .summary = "cores that the workflow may use",
     .member = member<&EngineOptions::cores>,
     .range = between(1, 1e6)},
    {.name = "delay",
     .summary = "time from the end of a job to the start of the next",
     .member = member<&EngineOptions::delay>,
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "as",
     .summary = "write what was decided for each rule for this engine",
     .member = choice<&EngineOptions::as, kEngines>},
});

}  // namespace

const Fields<EngineOptions>& engine_runs() {
  return fields_of<kEngineRuns>();
}

const Fields<EngineOptions>& engine_options() {
  return fields_of<kEngineOptions>();
}

double EngineRule::time(std::int64_t threads_of_job) const {
  return speedup.time(std::min(threads_of_job, speedup.limit(threads_of_job)));
}

Result<EngineWorkflow> engine_workflow(const WorkflowRun& graph, const SpeedupTable& runs,
                                       std::int64_t cores, double delay) {
  RuleFits fits(runs);
  if (std::ranges::none_of(graph.tasks,
                           [&](const MeasuredTask& task) { return fits.knows(task.kind()); })) {
    return fail(
        ErrorCode::bad_value, "/graph",
        fmt::format("found {} of rules without a run time, expected rules of the runs, such as {}",
                    counted(graph.tasks.size(), "job"),
                    runs.empty() ? "none" : in_quotes(runs.front().name)));
  }
  const std::vector<bool> kept = tasks_to_keep(graph, fits);
  EngineWorkflow out{.cores = cores};
  std::vector<std::uint32_t> place(kept.size());
  std::unordered_map<std::string, std::uint32_t> known;  // rules
  std::vector<std::vector<std::int64_t>> threads;
  for (std::size_t task = 0; task < kept.size(); ++task) {
    if (!kept[task]) continue;
    const std::string rule = graph.tasks[task].kind();
    const auto [at, is_new] = known.try_emplace(rule, static_cast<std::uint32_t>(out.rules.size()));
    if (is_new) {
      out.rules.push_back({.name = rule});
      threads.emplace_back();
    }
    threads[at->second].push_back(std::max<std::int64_t>(1, graph.tasks[task].cores));
    place[task] = static_cast<std::uint32_t>(out.ids.size());
    out.ids.push_back(graph.tasks[task].id);
    out.products.push_back(graph.tasks[task].product);
    out.rule_of.push_back(at->second);
  }
  std::vector<Edge> edges;
  for (const auto& [parent, child] : graph.dependencies) {
    if (kept[parent] && kept[child]) edges.push_back({place[parent], place[child]});
  }
  HOLDFAST_TRY(dag, Dag::from_edges(out.ids.size(), edges));
  out.graph = std::move(dag);
  for (std::size_t rule = 0; rule < threads.size(); ++rule) {
    out.rules[rule].jobs = std::ssize(threads[rule]);
    out.rules[rule].threads = std::min(median(std::move(threads[rule])), cores);
    HOLDFAST_CHECK(fits.fit(out.rules[rule], out.warnings));
  }
  for (std::size_t job = 0; job < out.ids.size(); ++job) {
    out.sizes.push_back(fits.size(out.products[job]));
    out.speedups.push_back(
        resized(out.rules[out.rule_of[job]].speedup, out.sizes.back(), delay, cores));
  }
  for (EngineRule& rule : out.rules) rule.speedup = resized(rule.speedup, 1, delay, cores);
  return out;
}

Result<EngineWorkflow> read_engine_workflow(const EngineOptions& options,
                                            const std::filesystem::path& directory) {
  if (options.runs.empty()) {
    return fail(ErrorCode::usage, "/runs",
                "found none, expected logs or benchmark files of earlier runs with other numbers "
                "of threads");
  }
  if (!options.cores) {
    return fail(ErrorCode::usage, "/cores",
                "found none, expected the cores that the workflow may use");
  }
  const auto placed = [&](const std::filesystem::path& path) {
    return path.is_relative() && path != "-" ? directory / path : path;
  };
  SpeedupTable runs;
  for (const std::string& run : options.runs) HOLDFAST_CHECK(add_runs(placed(run), runs));
  if (options.graph.empty() && options.as != Engine::nextflow) {
    return fail(ErrorCode::usage, "/graph", "found none, expected the text of 'snakemake -n -F'");
  }
  HOLDFAST_TRY(graph, read_workflow_run(placed(options.graph.empty()
                                                   ? std::filesystem::path(options.runs.front())
                                                   : options.graph)));
  return engine_workflow(graph, runs, *options.cores, options.delay);
}

}  // namespace holdfast
