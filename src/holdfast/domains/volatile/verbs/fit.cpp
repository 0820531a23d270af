#include "holdfast/base/text.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/volatile/instance_io.hpp"
#include "holdfast/domains/volatile/recorded_pool.hpp"
#include "holdfast/domains/volatile/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>

namespace holdfast::volatile_workers {
namespace {

struct FitOptions {
  std::filesystem::path file;
  double slot = 3600;
  bool is_reclaimed = false;
  std::string read_as;
  std::optional<std::int64_t> most_workers;
};
constexpr auto kFitFile = std::to_array<Field<FitOptions>>({
    {.name = "file", .summary = "recorded availability", .member = member<&FitOptions::file>},
});
constexpr auto kFitOptions = std::to_array<Field<FitOptions>>({
    {.name = "slot",
     .summary = "length of a slot",
     .member = member<&FitOptions::slot>,
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "unavailable",
     .summary = "state of a worker that is not up according to a record that has only two states",
     .member = choice<&FitOptions::is_reclaimed, kUnavailable>},
    {.name = "read_as",
     .summary = "format of the file (default: recognised from its contents)",
     .member = member<&FitOptions::read_as>,
     .value_name = "NAME"},
    {.name = "most_workers",
     .summary = "number of workers to fit, the first of the record (default: all)",
     .member = member<&FitOptions::most_workers>,
     .range = at_least(1)},
});

Table pool_table(const FittedChains& fit) {
  Table table{.title = "chain of all workers together", .columns = {{.title = "from"}}, .rows = {}};
  for (const std::string_view name : kWorkerStates) {
    table.columns.push_back({.title = fmt::format("to {}", name)});
  }
  table.columns.push_back({.title = "transitions"});
  table.columns.push_back({.title = "times in it"});
  table.columns.push_back({.title = "spread / geometric"});
  for (std::size_t i = 0; i < 3; ++i) {
    std::int64_t visits = 0;
    for (const std::int64_t count : fit.counts[i]) visits += count;
    if (visits == 0) continue;
    std::vector<Value> row = {kWorkerStates[i]};
    for (std::size_t j = 0; j < 3; ++j) {
      row.emplace_back(fmt::format("{:.4g} [{:.4g}, {:.4g}]", fit.pool[i][j],
                                   fit.intervals[i][j][0], fit.intervals[i][j][1]));
    }
    row.emplace_back(visits);
    row.emplace_back(fit.holding[i].runs);
    row.emplace_back(fit.holding[i].runs > 0
                         ? Value(fmt::format("{:.2f}", fit.holding[i].dispersion))
                         : Value("-"));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Result<Answer> run_fit(const FitOptions& options, const Request& request) {
  if (options.file.empty()) {
    return fail(ErrorCode::usage, "fit", "is missing the file of recorded availability");
  }
  HOLDFAST_TRY(pool, load_pool(request.directory / options.file, options.read_as,
                               options.is_reclaimed ? WorkerState::reclaimed : WorkerState::down,
                               options.slot, std::nullopt));
  const std::vector<std::string> letters =
      letters_of(pool, options.most_workers ? static_cast<std::size_t>(*options.most_workers)
                                            : pool.workers.size());
  const FittedChains fit = fit_chains(letters);
  Answer answer;
  Value& out = answer.document;
  out.set("workers", static_cast<std::int64_t>(letters.size()));
  out.set("slots", pool.slots);
  out.set("slot", pool.slot);
  out.set("pool", matrix_value(fit.pool));
  Value intervals = Value::array();
  for (const auto& row : fit.intervals) {
    Value cells = Value::array();
    for (const auto& cell : row) cells.push(Value::list(cell));
    intervals.push(std::move(cells));
  }
  out.set("intervals", std::move(intervals));
  out.set("log_likelihood", fit.log_likelihood);
  Value holding = Value::object();
  for (std::size_t i = 0; i < 3; ++i) {
    if (fit.holding[i].runs == 0) continue;
    holding.set(kWorkerStates[i], Value::object({{"runs", fit.holding[i].runs},
                                                 {"dispersion", fit.holding[i].dispersion},
                                                 {"score", fit.holding[i].score},
                                                 {"geometric", !fit.holding[i].is_suspicious()}}));
  }
  out.set("holding_times", std::move(holding));
  Value chains = Value::array();
  for (std::size_t q = 0; q < fit.workers.size(); ++q) {
    chains.push(
        Value::object({{"id", pool.workers[q].name}, {"markov", matrix_value(fit.workers[q])}}));
  }
  out.set("chains", std::move(chains));
  answer.tables.push_back(pool_table(fit));
  answer.verdict.push_back(fmt::format(
      "{}, {} each; in the long run the chain is up for {:.4f} of the time",
      counted(letters.size(), "worker"), counted(pool.slots, "slot"), stationary(fit.pool)[0]));
  answer.warnings = doubts(fit);
  return answer;
}

constexpr auto kFitResults = std::to_array<ResultField>(
    {{"workers", "number of workers", Holds::integer},
     {"slots", "slots of all histories", Unit::slots},
     {"slot", "length of a slot", Unit::seconds},
     {"pool[][]", "probabilities of the pooled Markov chain"},
     {"intervals[][][]", "95 % interval of each"},
     {"log_likelihood", "log-likelihood of the chain"},
     {"holding_times.*.runs", "stays in that state", Holds::integer},
     {"holding_times.*.dispersion", "dispersion of their lengths, 1 for a Markov chain"},
     {"holding_times.*.score", "its score"},
     {"holding_times.*.geometric", "whether a Markov chain describes them", Holds::flag},
     {"chains?[].id", "a worker with a chain of its own", Holds::text},
     {"chains?[].markov[][]", "probabilities of its chain"}});

}  // namespace

Verb fit_verb() {
  return {
      .name = "fit",
      .summary = "fit Markov chains to recorded availability, and test whether they are adequate",
      .example =
          "holdfast volatile fit examples/data/sample-hosts.avt --slot 1h --unavailable reclaimed",
      .options = fields_of<kFitOptions>().parameters(),
      .positionals = fields_of<kFitFile>().parameters(),
      .results = kFitResults,
      .takes_instance = false,
      .takes_seed = false,
      .run = with_options<run_fit, fields_of<kFitFile>, fields_of<kFitOptions>>};
}

}  // namespace holdfast::volatile_workers
