#include "holdfast/domains/machine/strategies.hpp"

#include "holdfast/algorithms/bandwidth/strategies.hpp"
#include "holdfast/contract/parameter_list.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace holdfast::machine {
// The functions that make the strategies, each in the file of strategies/ or algorithms/bandwidth/ with its name. Apart from
// these, a strategy needs only its row below.
using Make = std::unique_ptr<bandwidth::Strategy>(const StrategySpec&);
Make make_node_share, make_least_waste, make_shortest_weighted, make_most_overdue, make_alone,
    make_custom;

namespace {

std::unique_ptr<bandwidth::Strategy> make_fair_share(const StrategySpec&) {
  return bandwidth::make_fair_share();
}
std::unique_ptr<bandwidth::Strategy> make_fcfs(const StrategySpec&) {
  return bandwidth::make_fcfs();
}
std::unique_ptr<bandwidth::Strategy> make_greedy_yield(const StrategySpec&) {
  return bandwidth::make_greedy_yield();
}
std::unique_ptr<bandwidth::Strategy> make_greedy_com(const StrategySpec&) {
  return bandwidth::make_greedy_com();
}
std::unique_ptr<bandwidth::Strategy> make_look_ahead(const StrategySpec&) {
  return bandwidth::make_look_ahead();
}
std::unique_ptr<bandwidth::Strategy> make_periodic(const StrategySpec& spec) {
  return bandwidth::make_periodic({.period = spec.number("every")});
}
std::unique_ptr<bandwidth::Strategy> make_set_10(const StrategySpec&) {
  return bandwidth::make_set_10();
}
std::unique_ptr<bandwidth::Strategy> make_best_next_event(const StrategySpec&) {
  return bandwidth::make_best_next_event();
}

// In the order of PeriodKind.
constexpr auto kPeriods = std::to_array<std::string_view>(
    {"young-daly", "daly", "optimal-exponential", "local-young-daly", "next-step", "measured",
     "cooperative", "cooperative-first-order", "as-given", "fixed"});
constexpr auto kWaitings = std::to_array<std::string_view>({"blocking", "working"});

constexpr Parameter kPeriod = {
    .name = "period",
    .summary =
        "when jobs ask for checkpoints; default: their own period or segments, else young-daly",
    .kind = Kind::choice,
    .choices = kPeriods};
constexpr Parameter kInterval = {.name = "interval",
                                 .summary = "period=fixed: work between two checkpoints",
                                 .unit = Unit::seconds,
                                 .range = positive()};
constexpr Parameter kLoad = {
    .name = "load",
    .summary = "fraction of the bandwidth that cooperative periods may use",
    .range = {.minimum = 0, .maximum = 1, .above_minimum = true},
    .fallback = "1"};

constexpr Parameter waiting(std::string_view usual) {
  return {
      .name = "waiting",
      .summary =
          "what a job does until its checkpoint gets bandwidth: it stalls, or it goes on working",
      .kind = Kind::choice,
      .fallback = usual,
      .choices = kWaitings};
}

constexpr auto kBlocking =
    std::to_array<Parameter>({kPeriod, kInterval, kLoad, waiting("blocking")});
constexpr auto kWorking = std::to_array<Parameter>({kPeriod, kInterval, kLoad, waiting("working")});
constexpr auto kPeriodic = std::to_array<Parameter>({
    kPeriod,
    kInterval,
    kLoad,
    waiting("blocking"),
    {.name = "every",
     .summary = "time between decisions in addition to those at events",
     .unit = Unit::seconds,
     .range = positive(),
     .fallback = "10min"},
});

// The entry of the strategy whose rule for bandwidth the caller supplies; when jobs ask is a parameter, as for all others.
StrategyEntry own_entry() {
  static const std::vector<Parameter> kAll = one_list({custom_entry().parameters, kBlocking});
  StrategyEntry entry = custom_entry();
  entry.parameters = kAll;
  return entry;
}

struct StrategyRow {
  StrategyEntry entry;
  std::unique_ptr<bandwidth::Strategy> (*make)(const StrategySpec& spec) = nullptr;
  bool uses_prices = false;
  bool ignores_others = false;
};

constexpr std::string_view kThesis = "thesis, chapter 7";
constexpr std::string_view kOwn = "not in the sources";

const auto kStrategyRows = std::to_array<StrategyRow>({
    {.entry = {"most-overdue",
               "first stalled jobs; then the job with the most unsaved work relative to the period "
               "that 'plan' gives its class",
               kOwn, kWorking},
     .make = make_most_overdue,
     .uses_prices = true},
    {.entry =
         {"shortest-weighted",
          "first the job that loses most by waiting, per second of its transfer (Smith's rule)",
          kOwn, kWorking},
     .make = make_shortest_weighted},
    {.entry = {"least-waste", "first the operation that costs the others least",
               "Herault et al. 2018, formula derived again", kWorking},
     .make = make_least_waste},
    {.entry = {"fcfs", "full bandwidth in order of posting", "common practice", kWorking},
     .make = make_fcfs},
    {.entry = {"node-share", "all operations at once, in proportion to the nodes of their jobs",
               "common practice; Herault et al. 2018", kBlocking},
     .make = make_node_share},
    {.entry = {"fair-share",
               "all operations at the same fraction of the bandwidth that they could use", kThesis,
               kBlocking},
     .make = make_fair_share},
    {.entry = {"greedy-yield", "full bandwidth to the lowest yields", kThesis, kBlocking},
     .make = make_greedy_yield},
    {.entry = {"greedy-com", "full bandwidth to the operations that could end first", kThesis,
               kBlocking},
     .make = make_greedy_com},
    {.entry =
         {"look-ahead-greedy-yield",
          "first the operation with which the minimum yield is best when the next operation ends",
          kThesis, kBlocking},
     .make = make_look_ahead},
    {.entry = {"periodic-greedy-yield",
               "greedy-yield that also decides at regular times (parameter every)", kThesis,
               kPeriodic},
     .make = make_periodic},
    {.entry = {"set-10",
               "applications of similar iteration times form sets, which share the bandwidth in "
               "inverse proportion to these times",
               "Boito et al. 2023; thesis, chapter 7", kBlocking},
     .make = make_set_10},
    {.entry = {"best-next-event", "the best yields at the next event that can be predicted",
               kThesis, kBlocking},
     .make = make_best_next_event},
    {.entry =
         {"alone",
          "each operation as if it had the file system for itself: a reference without contention",
          "reference", kBlocking},
     .make = make_alone,
     .ignores_others = true},
    {.entry = own_entry(), .make = make_custom},
});

PeriodRule rule_of(const StrategySpec& spec) {
  PeriodRule rule{.load = spec.number("load")};
  if (spec.has("period")) {
    const std::string_view name = spec.choice("period");
    const auto place = std::find(kPeriods.begin(), kPeriods.end(), name);
    rule.kind = static_cast<PeriodKind>(place - kPeriods.begin());
  } else {
    rule.own_first = true;
  }
  if (spec.has("interval")) rule.interval = spec.number("interval");
  return rule;
}

Status check_rule(const StrategySpec& spec, const PeriodRule& rule, const Instance& instance) {
  if (rule.kind == PeriodKind::fixed && rule.interval == 0) {
    return fail(ErrorCode::usage, "/strategy",
                "found '" + spec.text + "' without an interval, expected period=fixed:interval=1h");
  }
  if (rule.kind != PeriodKind::fixed && rule.interval > 0) {
    return fail(ErrorCode::usage, "/strategy",
                "found '" + spec.text + "' with an interval, expected it with period=fixed alone");
  }
  const bool needs_law =
      rule.kind == PeriodKind::local_young_daly || rule.kind == PeriodKind::next_step;
  if (needs_law && !instance.law) {
    return fail(ErrorCode::bad_value, "/failures/distribution",
                "is missing; strategy '" + spec.text + "' plans from the law of the failures");
  }
  return {};
}

}  // namespace

std::vector<StrategyEntry> strategies() {
  std::vector<StrategyEntry> entries;
  for (const StrategyRow& row : kStrategyRows) entries.push_back(row.entry);
  return entries;
}

Result<Strategy> make_strategy(const StrategySpec& spec, const Instance& instance) {
  const StrategyRow& row = kStrategyRows[spec.index];
  Strategy out{
      .sharing = nullptr,
      .waiting = spec.choice("waiting") == kWaitings[1] ? Waiting::working : Waiting::blocking,
      .period = rule_of(spec),
      .ignores_others = row.ignores_others};
  HOLDFAST_CHECK(check_rule(spec, out.period, instance));
  out.sharing = row.make(spec);
  return out;
}

bool uses_prices(const StrategySpec& spec) {
  if (kStrategyRows[spec.index].uses_prices) return true;
  const PeriodKind kind = rule_of(spec).kind;
  return kind == PeriodKind::cooperative || kind == PeriodKind::cooperative_first_order;
}

}  // namespace holdfast::machine
