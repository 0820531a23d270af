#include "holdfast/arbiter/compare.hpp"

#include "holdfast/arbiter/compare_remarks.hpp"
#include "holdfast/arbiter/policy.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/field.hpp"
#include "holdfast/domains/io/dedicated.hpp"
#include "holdfast/domains/io/recorded_phases.hpp"
#include "holdfast/domains/io/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::arbiter {
namespace {

constexpr auto kCompareArguments = std::to_array<Field<CompareOptions>>({
    {.name = "file",
     .summary = "a record that 'io serve --record' wrote",
     .member = member<&CompareOptions::file>,
     .is_required = true,
     .value_name = "FILE"},
});
constexpr auto kCompareOptions = std::to_array<Field<CompareOptions>>({
    {.name = "window",
     .summary = "BEGIN,END in seconds of the record, or longest: the longest time in which no "
                "application joins or leaves",
     .member = member<&CompareOptions::window>},
    {.name = "strategy",
     .summary = "strategies to predict beside the server's own: a list with commas, or 'all'",
     .member = member<&CompareOptions::strategy>,
     .value_name = "STRATEGY,..."},
    {.name = "tolerance",
     .summary = "largest difference that is accepted between measured and predicted minimum yield, "
                "and likewise efficiency",
     .member = member<&CompareOptions::tolerance>,
     .range = non_negative()},
});

/// The results of the applications of a window, measured or simulated.
struct Outcome {
  std::string strategy;
  std::vector<double> yields;
  double minimum_yield = 0;
  double efficiency = 0;
};

Outcome measured(const io::RecordedWindow& window) {
  Outcome out{.strategy = {}, .yields = window.yields};
  out.minimum_yield = *std::min_element(out.yields.begin(), out.yields.end());
  double nodes = 0;
  for (std::size_t i = 0; i < window.progress.size(); ++i) {
    const double own = window.instance.applications[i].nodes;
    out.efficiency += own * window.progress[i] / window.instance.length();
    nodes += own;
  }
  out.efficiency /= nodes;
  return out;
}

Result<Outcome> predicted(const io::RecordedWindow& window, std::string_view strategy) {
  HOLDFAST_TRY(policy, make_policy(strategy));
  io::Run run = io::simulate(window.instance, io::load_of(window.instance), *policy.strategy);
  return Outcome{.strategy = policy.text,
                 .yields = std::move(run.yields),
                 .minimum_yield = run.metrics.minimum_yield,
                 .efficiency = run.metrics.efficiency};
}

// Returns the strategy of the arbiter, then the other requested ones.
Result<std::vector<std::string>> strategies_of(const io::Record& record, std::string_view asked) {
  HOLDFAST_TRY(own, make_policy(record.policy));
  std::vector<std::string> out = {own.text};
  std::vector<std::string> names;
  if (asked == "all") {
    for (const StrategyEntry& entry : policies()) names.emplace_back(entry.name);
  } else {
    for (const std::string_view name : split(asked, ',')) names.emplace_back(name);
  }
  for (const std::string& name : names) {
    const auto other = make_policy(name);
    if (!other) return fail(ErrorCode::usage, "/strategy", other.error().message);
    if (std::find(out.begin(), out.end(), other->text) == out.end()) out.push_back(other->text);
  }
  return out;
}

Value document_of(const Outcome& one, const io::RecordedWindow& window) {
  Value yields = Value::object();
  for (std::size_t i = 0; i < one.yields.size(); ++i) {
    yields.set(window.instance.applications[i].id, one.yields[i]);
  }
  Value out = Value::object();
  if (!one.strategy.empty()) out.set("strategy", one.strategy);
  out.set("minimum_yield", one.minimum_yield);
  out.set("efficiency", one.efficiency);
  out.set("yields", std::move(yields));
  return out;
}

Table table_of(const std::vector<Outcome>& all, const io::RecordedWindow& window) {
  constexpr int kDigits = 4;
  Table table{.title = "yields: measured, and as the simulator predicts them",
              .columns = {{.title = "application"}, {.title = "measured", .digits = kDigits}},
              .rows = {}};
  for (std::size_t k = 1; k < all.size(); ++k) {
    table.columns.push_back({.title = all[k].strategy, .digits = kDigits});
  }
  for (std::size_t i = 0; i < window.yields.size(); ++i) {
    auto& row = table.rows.emplace_back();
    row.emplace_back(window.instance.applications[i].id);
    for (const Outcome& one : all) row.emplace_back(one.yields[i]);
  }
  for (const auto& [name, member] : {std::pair{"(minimum yield)", &Outcome::minimum_yield},
                                     {"(efficiency)", &Outcome::efficiency}}) {
    auto& row = table.rows.emplace_back();
    row.emplace_back(name);
    for (const Outcome& one : all) row.emplace_back(one.*member);
  }
  return table;
}

}  // namespace

std::span<const Parameter> compare_parameters() {
  return fields_of<kCompareOptions>().parameters();
}

std::span<const Parameter> compare_arguments() {
  return fields_of<kCompareArguments>().parameters();
}

Result<CompareOptions> read_compare_options(const Value& values) {
  const Value known = values.is_null() ? Value::object() : values;
  if (known.find("file") == nullptr) {
    return fail(ErrorCode::usage, "file", "is missing, expected a record of 'io serve --record'");
  }
  CompareOptions out;
  ObjectReader read(known, "");
  fields_of<kCompareArguments>().read(read, out);
  fields_of<kCompareOptions>().read(read, out);
  HOLDFAST_CHECK(read.finish());
  return out;
}

Result<Answer> compare(const io::Record& record, const CompareOptions& options) {
  HOLDFAST_CHECK(io::check_whole(record, options.file));
  HOLDFAST_TRY(window, io::recorded_window(record, options.window));
  HOLDFAST_TRY(strategies, strategies_of(record, options.strategy));
  std::vector<Outcome> all = {measured(window)};
  for (const std::string& strategy : strategies) {
    HOLDFAST_TRY(outcome, predicted(window, strategy));
    all.push_back(std::move(outcome));
  }
  const Outcome& found = all[0];
  const Outcome& same = all[1];
  const double yield_off = found.minimum_yield - same.minimum_yield;
  const double efficiency_off = found.efficiency - same.efficiency;
  const double off = std::max(std::abs(yield_off), std::abs(efficiency_off));

  Answer answer;
  answer.is_no = !(off <= options.tolerance);
  answer.headline = fmt::format("{} under {} at {}, {} of its record",
                                counted(window.yields.size(), "application"), same.strategy,
                                format_quantity(record.bandwidth, Unit::bytes_per_second),
                                format_duration(window.instance.length()));
  answer.verdict.push_back(fmt::format(
      "minimum yield {:.3f}, predicted {:.3f}; efficiency {:.3f}, predicted {:.3f}: {} {}",
      found.minimum_yield, same.minimum_yield, found.efficiency, same.efficiency,
      answer.is_no ? "NOT within" : "within", to_text(options.tolerance)));
  answer.tables.push_back(table_of(all, window));
  answer.document.set("window",
                      Value::list(std::vector{window.instance.begin, window.instance.end}));
  answer.document.set("policy", same.strategy);
  answer.document.set("bandwidth", record.bandwidth);
  answer.document.set("tolerance", options.tolerance);
  answer.document.set("largest_difference", off);
  answer.document.set("measured", document_of(found, window));
  HOLDFAST_TRY(own, make_policy(record.policy));
  answer.lines = remarks_on(record, window, *own.strategy);
  Value remarks = Value::array();
  for (const std::string& line : answer.lines) remarks.push(line);
  answer.document.set("remarks", std::move(remarks));
  for (std::size_t k = 1; k < all.size(); ++k) {
    if (answer.document.find("predicted") == nullptr)
      answer.document.set("predicted", Value::array());
    answer.document.find("predicted")->push(document_of(all[k], window));
  }
  return answer;
}

}  // namespace holdfast::arbiter
