#include "holdfast/domains/checkpoint/optimum/optimum.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/checkpoint/fields.hpp"
#include "holdfast/domains/checkpoint/headline.hpp"
#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/optimum/renewal.hpp"
#include "holdfast/domains/checkpoint/progress.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::checkpoint {
namespace {

// An expected makespan has no horizon, planning takes no time, and a new node is always there.
constexpr auto kUnusedByOptimum = and_spares(std::to_array<std::string_view>(
    {"horizon", "planning_time", "iteration", "time_limit", "checkpoint_spread", "recovery_spread",
     "local_checkpoint", "local_recovery", "local_share", "belief_distribution", "belief_mtbf",
     "belief_shape", "belief_file"}));

struct OptimumOptions {
  std::string strategies = "next-step,local-young-daly,young-daly";
  std::optional<std::int64_t> cells;
  bool eight_laws = false;
  std::vector<double> works;
};
constexpr auto kOptimumOptions = std::to_array<Field<OptimumOptions>>({
    {.name = "strategies",
     .summary = "strategies to compare with the optimum",
     .member = member<&OptimumOptions::strategies>,
     .value_name = "NAME,NAME,..."},
    {.name = "cells",
     .summary = "time step of the grid of work; default: 32 steps within the shortest period",
     .member = member<&OptimumOptions::cells>,
     .range = between(16, 100'000)},
    {.name = "eight_laws",
     .summary = "the eight laws of the thesis with the same mean, instead of one law",
     .member = member<&OptimumOptions::eight_laws>},
    {.name = "works",
     .summary = "with --eight-laws: several lengths of the job",
     .member = member<&OptimumOptions::works>,
     .unit = Unit::seconds,
     .range = positive()},
});

struct LawOfThesis {
  std::string_view name;
  Law (*make)(double mean);
};
constexpr auto kEightLaws = std::to_array<LawOfThesis>({
    {"lognormal, k 2.51", [](double mean) { return lognormal_law_of_ratio(mean, 2.51); }},
    {"weibull, shape 0.5", [](double mean) { return weibull_law_of_mean(0.5, mean); }},
    {"gamma, shape 0.5", [](double mean) { return gamma_law_of_mean(0.5, mean); }},
    {"weibull, shape 0.7", [](double mean) { return weibull_law_of_mean(0.7, mean); }},
    {"gamma, shape 0.7", [](double mean) { return gamma_law_of_mean(0.7, mean); }},
    {"exponential", [](double mean) { return exponential_law(mean); }},
    {"weibull, shape 1.5", [](double mean) { return weibull_law_of_mean(1.5, mean); }},
    {"lognormal, k 9.34", [](double mean) { return lognormal_law_of_ratio(mean, 9.34); }},
});

double above(const OnTwoGrids& strategy, const Optimum& optimum) {
  return strategy.value / optimum.makespan.value - 1;
}

// The error of a strategy's relative difference to the optimum: the errors of both grids.
double error_above(const OnTwoGrids& strategy, const Optimum& optimum) {
  return (strategy.error() + optimum.makespan.error()) / optimum.makespan.value;
}

// Rounds a percentage for display, so that a difference in the last bits does not show.
double percent(double part) {
  return std::round(100 * part * 1e6) / 1e6 + 0.0;
}

Value document_of(const Optimum& optimum, const std::vector<StrategySpec>& specs, double work) {
  Value strategies = Value::object();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const OnTwoGrids& found = optimum.strategies[i];
    strategies.set(specs[i].text, Value::object({{"expected_makespan", found.value},
                                                 {"grid_error", found.error()},
                                                 {"above_optimum", above(found, optimum)}}));
  }
  return Value::object({{"expected_makespan", optimum.makespan.value},
                        {"efficiency", work / optimum.makespan.value},
                        {"grid_error", optimum.makespan.error()},
                        {"cumulative", Value::list(optimum.cuts)},
                        {"checkpoints", static_cast<std::int64_t>(optimum.cuts.size())},
                        {"cells", static_cast<std::int64_t>(optimum.cells)},
                        {"ages", static_cast<std::int64_t>(optimum.ages)},
                        {"strategies", std::move(strategies)}});
}

bool is_finite(const Optimum& optimum) {
  bool all = std::isfinite(optimum.makespan.value) && std::isfinite(optimum.makespan.coarse);
  for (const OnTwoGrids& found : optimum.strategies)
    all = all && std::isfinite(found.value) && std::isfinite(found.coarse);
  return all;
}

Result<Optimum> optimum_of(const Instance& instance, const std::vector<StrategySpec>& specs,
                           const OptimumOptions& options, const Request& request) {
  std::optional<std::size_t> cells;
  if (options.cells) cells = static_cast<std::size_t>(*options.cells);
  HOLDFAST_TRY(optimum, find_optimum(instance, specs, cells, request.stop));
  if (!is_finite(optimum)) {
    return fail(ErrorCode::infeasible, "",
                "the expected makespan is too large for a number: nothing survives a recovery, or "
                "a checkpoint");
  }
  return optimum;
}

Table table_of(const Optimum& optimum, const std::vector<StrategySpec>& specs) {
  Table table{.title = "expected makespan",
              .columns = {{.title = "strategy"},
                          {.title = "mean", .unit = Unit::seconds},
                          {.title = "above the optimum (%)", .digits = 4},
                          {.title = "error of the grid (%)", .digits = 2}}};
  table.rows.push_back({"optimum", optimum.makespan.value, 0.0,
                        percent(optimum.makespan.error() / optimum.makespan.value)});
  for (std::size_t i = 0; i < specs.size(); ++i) {
    table.rows.push_back({specs[i].shown, optimum.strategies[i].value,
                          percent(above(optimum.strategies[i], optimum)),
                          percent(error_above(optimum.strategies[i], optimum))});
  }
  return table;
}

Result<Answer> for_one_law(const Instance& instance, const std::vector<StrategySpec>& specs,
                           const OptimumOptions& options, const Request& request) {
  HOLDFAST_TRY(optimum, optimum_of(instance, specs, options, request));
  Answer answer;
  answer.document = document_of(optimum, specs, instance.work);
  answer.headline = headline(instance);
  answer.verdict.push_back(fmt::format(
      "at best the job takes {} on average, efficiency {:.4f} (ETTR), with its first checkpoint "
      "after {} of work, and {} in all if nothing fails",
      format_duration(optimum.makespan.value), instance.work / optimum.makespan.value,
      format_duration(optimum.cuts.front()),
      counted(static_cast<std::int64_t>(optimum.cuts.size()), "checkpoint")));
  answer.tables.push_back(table_of(optimum, specs));
  answer.lines.push_back(
      fmt::format("grid: the work in {} cells, {} ages; its error is the change with half as many "
                  "of each",
                  optimum.cells, optimum.ages));
  return answer;
}

// One row per law, and one column per strategy and length of the job.
Result<Answer> for_eight_laws(Instance instance, const std::vector<StrategySpec>& specs,
                              const OptimumOptions& options, const Request& request) {
  const double mean = instance.law->mean();
  std::vector<double> works = options.works;
  if (works.empty()) works.push_back(instance.work);
  Answer answer;
  answer.headline = fmt::format("jobs on {}, mean time between failures {} of each",
                                counted(instance.processors, "processor"), format_duration(mean));
  Table table{.title = "expected makespan above the optimum (%)",
              .columns = {{.title = "law"}, {.title = "work", .unit = Unit::seconds}}};
  for (const StrategySpec& spec : specs)
    table.columns.push_back({.title = spec.shown, .digits = 3});
  table.columns.push_back({.title = "optimum", .unit = Unit::seconds});
  Value rows = Value::array();
  double error = 0;
  for (const LawOfThesis& law : kEightLaws) {
    instance.law = law.make(mean);
    for (const double work : works) {
      instance.work = work;
      HOLDFAST_CHECK(check(instance));
      HOLDFAST_TRY(optimum, optimum_of(instance, specs, options, request));
      Value row = document_of(optimum, specs, work);
      row.set("law", law.name);
      row.set("work", work);
      rows.push(std::move(row));
      std::vector<Value> cells{law.name, work};
      for (const OnTwoGrids& found : optimum.strategies) {
        cells.emplace_back(percent(above(found, optimum)));
        error = std::max(error, error_above(found, optimum));
      }
      cells.emplace_back(optimum.makespan.value);
      table.rows.push_back(std::move(cells));
    }
  }
  answer.document.set("laws", std::move(rows));
  answer.tables.push_back(std::move(table));
  answer.lines.push_back(fmt::format(
      "half as many cells and ages change no percentage by more than {:.1g}", 100 * error));
  return answer;
}

Result<Answer> run_optimum(const OptimumOptions& options, const Request& request) {
  HOLDFAST_TRY(instance, read_instance(request.parameters, request.directory));
  if (options.eight_laws && std::isinf(instance.work) && !options.works.empty())
    instance.work = options.works.front();
  HOLDFAST_CHECK(check_renewal(instance));
  if (!options.works.empty() && !options.eight_laws) {
    return fail(ErrorCode::usage, "/works", "found without --eight-laws, expected with it");
  }
  HOLDFAST_TRY(specs, parse_strategies(options.strategies, strategies()));
  HOLDFAST_TRY(answer, options.eight_laws ? for_eight_laws(instance, specs, options, request)
                                          : for_one_law(instance, specs, options, request));
  answer.warnings = instance.notes;
  warn_of_unused(kUnusedByOptimum, request.parameters, answer.warnings);
  if (lacks_ages(instance)) answer.warnings.push_back(ages_in_words(instance));
  return answer;
}

constexpr auto kOneOptimum = std::to_array<ResultField>(
    {{"law?", "law of this row, with --eight-laws", Holds::text},
     {"work?", "length of the job of this row, with --eight-laws", Unit::seconds},
     {"expected_makespan?", "expected makespan of the best policy", Unit::seconds},
     {"efficiency?", "work over that makespan"},
     {"grid_error?", "change of it on a grid of half the fineness", Unit::seconds},
     {"cumulative?[]", "work that is done at each of its checkpoints, if nothing fails",
      Unit::seconds},
     {"checkpoints?", "number of these checkpoints", Holds::integer},
     {"cells?", "steps of the grid of work", Holds::integer},
     {"ages?", "steps of the grid of ages", Holds::integer},
     {"strategies?.*.expected_makespan", "expected makespan of that strategy", Unit::seconds},
     {"strategies?.*.grid_error", "change of it on the coarse grid", Unit::seconds},
     {"strategies?.*.above_optimum", "part by which it exceeds the optimum"}});
constexpr auto kOptimumResults = std::to_array<ResultField>(
    {{"", "the optimum of one law", kOneOptimum},
     {"laws?[]", "with --eight-laws, one optimum for each law and length of the job",
      kOneOptimum}});

}  // namespace

Verb optimum_verb() {
  return {
      .name = "optimum",
      .summary = "least expected makespan of all policies, and the distance of strategies from it",
      .example =
          "holdfast checkpoint optimum --work 24h --checkpoint 5min --mtbf 8h "
          "--distribution weibull --shape 0.7",
      .options = fields_of<kOptimumOptions>().parameters(),
      .results = kOptimumResults,
      .takes_seed = false,
      .unused = kUnusedByOptimum,
      .run = with_options<run_optimum, fields_of<kOptimumOptions>>};
}

}  // namespace holdfast::checkpoint
