#include "holdfast/answers/trace/facts.hpp"
#include "holdfast/answers/trace/fit_kinds.hpp"
#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/models/availability/fit_chain.hpp"
#include "holdfast/models/availability/semi_markov.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr double kMostSlots = 1e7;  // of one worker

/// A record as slots, and the chain of all workers.
struct Chain {
  double slot = 1;
  std::int64_t slots = 0;
  FittedChains fit;
};

Result<Chain> fit_chain(const AvailabilityRecord& record, double slot) {
  const double slots = std::floor((record.to - record.from) / slot);
  if (!(slots >= 2) || slots > kMostSlots) {
    return fail(ErrorCode::usage, "--slot",
                fmt::format("found {}, of which the record has {}, expected 2 to {} slots",
                            format_duration(slot), slots, kMostSlots));
  }
  Chain out{.slot = slot, .slots = static_cast<std::int64_t>(slots), .fit = {}};
  std::vector<std::string> letters;
  letters.reserve(record.workers.size());
  for (const WorkerHistory& worker : record.workers) {
    std::ranges::move(watched_slot_states(worker, record.from, slot, out.slots),
                      std::back_inserter(letters));
  }
  if (letters.empty()) {
    return fail(
        ErrorCode::usage, "--slot",
        fmt::format("found {}, in none of which a worker was observed from beginning to end, "
                    "expected shorter slots",
                    format_duration(slot)));
  }
  out.fit = fit_chains(letters);
  return out;
}

Value shares_document(const std::array<double, 3>& shares) {
  Value out = Value::object();
  for (std::size_t i = 0; i < 3; ++i) out.set(kWorkerStates[i], shares[i]);
  return out;
}

Value chain_document(const Chain& chain) {
  Value pool = Value::array(), intervals = Value::array(), holding = Value::object();
  for (std::size_t i = 0; i < 3; ++i) {
    pool.push(Value::list(chain.fit.pool[i]));
    Value row = Value::array();
    for (const auto& interval : chain.fit.intervals[i]) row.push(Value::list(interval));
    intervals.push(std::move(row));
    const HoldingTimes& times = chain.fit.holding[i];
    if (times.runs == 0) continue;
    holding.set(kWorkerStates[i], Value::object({{"runs", times.runs},
                                                 {"dispersion", times.dispersion},
                                                 {"score", times.score},
                                                 {"geometric", !times.is_suspicious()}}));
  }
  return Value::object({{"slot", chain.slot},
                        {"slots", chain.slots},
                        {"pool", std::move(pool)},
                        {"intervals", std::move(intervals)},
                        {"log_likelihood", chain.fit.log_likelihood},
                        {"long_run", shares_document(stationary(chain.fit.pool))},
                        {"holding_times", std::move(holding)}});
}

Table chain_table(const Chain& chain) {
  Table table{.title = fmt::format("Markov chain on slots of {}, all workers together",
                                   format_duration(chain.slot)),
              .columns = {{.title = "from"}},
              .rows = {}};
  for (const std::string_view name : kWorkerStates) {
    table.columns.push_back({.title = fmt::format("to {}", name)});
  }
  table.columns.push_back({.title = "stays"});
  table.columns.push_back({.title = "spread / geometric", .digits = 3});
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& counts = chain.fit.counts[i];
    if (counts[0] + counts[1] + counts[2] == 0) continue;
    std::vector<Value> row = {kWorkerStates[i]};
    for (std::size_t j = 0; j < 3; ++j) {
      row.emplace_back(fmt::format("{:.4g} [{:.4g}, {:.4g}]", chain.fit.pool[i][j],
                                   chain.fit.intervals[i][j][0], chain.fit.intervals[i][j][1]));
    }
    const HoldingTimes& times = chain.fit.holding[i];
    row.emplace_back(times.runs);
    row.push_back(times.runs > 0 ? Value(times.dispersion) : Value());
    table.rows.push_back(std::move(row));
  }
  return table;
}

Value semi_markov_document(const SemiMarkov& process, const std::vector<FittedQuantity>& stays) {
  Value states = Value::object();
  for (const FittedQuantity& quantity : stays) {
    const auto i = static_cast<std::size_t>(std::ranges::find(kWorkerStates, quantity.name) -
                                            kWorkerStates.begin());
    const SemiMarkovState& state = process.states[i];
    Value document = quantity_document(quantity);
    document.set("begun_before", state.stays.begun_before);
    document.set("time_begun_before", state.stays.seconds_begun_before);
    document.set("time", state.stays.seconds);
    Value next = Value::object();
    for (std::size_t j = 0; j < 3 && state.next; ++j) {
      if (j == i) continue;
      next.set(kWorkerStates[j], Value::object({{"count", state.stays.next[j]},
                                                {"value", (*state.next)[j]},
                                                {"low", state.intervals[j].low},
                                                {"high", state.intervals[j].high}}));
    }
    document.set("next", std::move(next));
    states.set(quantity.name, std::move(document));
  }
  Value out = Value::object({{"stays", std::move(states)}});
  if (process.long_run) out.set("long_run", shares_document(*process.long_run));
  return out;
}

Table jumps_table(const SemiMarkov& process) {
  Table table{
      .title = "semi-Markov process: where a stay ends",
      .columns = {{.title = "from"}, {.title = "stays"}, {.title = "begun before the record"}},
      .rows = {}};
  for (const std::string_view name : kWorkerStates) {
    table.columns.push_back({.title = fmt::format("to {}", name)});
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const SemiMarkovState& state = process.states[i];
    if (state.stays.seconds == 0) continue;
    std::vector<Value> row = {kWorkerStates[i], static_cast<std::int64_t>(state.stays.lives.size()),
                              state.stays.begun_before};
    for (std::size_t j = 0; j < 3; ++j) {
      const bool is_known = state.next && j != i;
      row.push_back(is_known ? Value(fmt::format("{:.4g} [{:.4g}, {:.4g}]", (*state.next)[j],
                                                 state.intervals[j].low, state.intervals[j].high))
                             : Value());
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Returns the line of the chain for the stays in a state, which are geometric in slots.
ChartLine chain_line(const Chain& chain, std::size_t state, const ChartLine& seen) {
  constexpr int kPoints = 200;
  ChartLine line{.name = fmt::format("{}, chain", kWorkerStates[state]), .x = {}, .y = {}};
  line.stroke = Stroke::dotted;
  line.color_of = seen.name;
  const double stay = chain.fit.pool[state][state];
  const double first = seen.x.front(), last = std::max(seen.x.back(), 1.001 * first);
  for (int i = 0; i <= kPoints; ++i) {
    const double age = first * elementary::pow(last / first, static_cast<double>(i) / kPoints);
    line.x.push_back(age);
    line.y.push_back(elementary::pow(stay, age / chain.slot));
  }
  return line;
}

std::string shares_line(const SemiMarkov& process, const Chain& chain) {
  const auto percent = [](double share) { return to_text(100 * share, 4); };
  std::string out =
      fmt::format("up for {} % of the observed time, {} % in the long run by the chain",
                  percent(process.seen[0]), percent(stationary(chain.fit.pool)[0]));
  if (process.long_run) {
    out += fmt::format(", {} % by the semi-Markov process", percent((*process.long_run)[0]));
  }
  return out;
}

}  // namespace

Result<Answer> fit_availability(const FormatOf<AvailabilityRecord>& format, TraceText lines,
                                const AvailabilityOptions& options, const FitQuestion& question) {
  const auto slot = parse_quantity(options.slot.empty() ? "1h" : options.slot, Unit::seconds);
  if (!slot || !(*slot > 0)) {
    return fail(
        ErrorCode::usage, "--slot",
        fmt::format("found {}, expected a duration greater than 0", in_quotes(options.slot)));
  }
  if (!options.unavailable.empty() && options.unavailable != "down" &&
      options.unavailable != "reclaimed") {
    return fail(
        ErrorCode::usage, "--unavailable",
        fmt::format("found {}, expected down or reclaimed", in_quotes(options.unavailable)));
  }
  const AvailabilityReading reading{.unavailable = options.unavailable == "reclaimed"
                                                       ? WorkerState::reclaimed
                                                       : WorkerState::down};
  HOLDFAST_TRY(record, format.read(std::move(lines), reading));
  HOLDFAST_TRY(chain, fit_chain(record, *slot));
  HOLDFAST_TRY(process, fit_semi_markov(record.workers, question.families));

  Answer out;
  begin_fit(question, format.facts, out);
  const auto workers = static_cast<std::int64_t>(record.workers.size());
  add_fact(out, "workers", "workers", workers, fmt::format("{}", workers));
  add_fact(out, "period", "period", record.to - record.from,
           format_duration(record.to - record.from));
  out.document.set("seen", shares_document(process.seen));
  out.chart = {.title = picture_title(question.file, "how long workers stay as they are"),
               .x = {.title = "length of a stay", .unit = "s", .is_logarithmic = true},
               .y = {.title = "probability to last longer", .unit = "", .shown = {0, 1}},
               .lines = {}};
  std::vector<FittedQuantity> stays;
  for (std::size_t i = 0; i < 3; ++i) {
    const SemiMarkovState& state = process.states[i];
    if (state.stays.seconds == 0) continue;
    stays.push_back(fit_quantity(std::string(kWorkerStates[i]), std::string(kWorkerStates[i]),
                                 state.stays.lives, question));
    const std::size_t before = out.chart.lines.size();
    add_lines(stays.back(), stays.back().title, out.chart);
    if (out.chart.lines.size() > before) {
      out.chart.lines.push_back(chain_line(chain, i, out.chart.lines[before]));
    }
    const double left_out = state.stays.seconds_begun_before / state.stays.seconds;
    if (left_out > 0.1) {
      out.warnings.push_back(fmt::format(
          "{:.0f} % of the time {} lies in stays that had begun before the record: the laws leave "
          "them out",
          100 * left_out, kWorkerStates[i]));
    }
    if (chain.fit.holding[i].is_suspicious()) {
      out.warnings.push_back(fmt::format(
          "times {} are {:.2f} times as spread as those of a Markov chain ({:+.0f} "
          "standard errors)",
          kWorkerStates[i], chain.fit.holding[i].dispersion, chain.fit.holding[i].score));
    }
  }
  out.document.set("chain", chain_document(chain));
  out.document.set("semi_markov", semi_markov_document(process, stays));
  out.tables.push_back(chain_table(chain));
  out.tables.push_back(jumps_table(process));
  add_law_table(stays, out);
  add_oddities(record.oddities.list(), out);
  out.verdict.push_back(shares_line(process, chain));
  return out;
}

}  // namespace holdfast
