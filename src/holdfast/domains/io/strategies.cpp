#include "holdfast/domains/io/strategies.hpp"

#include "holdfast/algorithms/bandwidth/strategies.hpp"
#include "holdfast/domains/io/strategies/makers.hpp"

#include <array>

namespace holdfast::io {
// The functions that make the strategies, each in the file of strategies/ or algorithms/bandwidth/ with its name. Apart from
// these, a strategy needs only its row below.
using Make = std::unique_ptr<Strategy>(const Setting&);
Make make_as_given, make_custom;

namespace {

std::unique_ptr<Strategy> make_fair_share(const Setting&) {
  return bandwidth::make_fair_share();
}
std::unique_ptr<Strategy> make_fcfs(const Setting&) {
  return bandwidth::make_fcfs();
}
std::unique_ptr<Strategy> make_greedy_yield(const Setting& setting) {
  return bandwidth::make_greedy_yield(setting.instance.reading.ties_by_index);
}
std::unique_ptr<Strategy> make_greedy_com(const Setting& setting) {
  return bandwidth::make_greedy_com(setting.instance.reading.ties_by_index);
}
std::unique_ptr<Strategy> make_look_ahead(const Setting& setting) {
  const Reading& reading = setting.instance.reading;
  return bandwidth::make_look_ahead({.ties_by_index = reading.ties_by_index,
                                     .in_window = reading.lookahead_in_window,
                                     .floor = reading.lookahead_floor});
}
std::unique_ptr<Strategy> make_periodic(const Setting& setting) {
  const Reading& reading = setting.instance.reading;
  const double period = setting.spec.has("period") ? setting.spec.number("period")
                        : reading.rolling_timer    ? setting.load.rolling_period
                                                   : setting.load.period;
  return bandwidth::make_periodic({.period = period,
                                   .begin = setting.instance.begin,
                                   .rolling = reading.rolling_timer,
                                   .ties_by_index = reading.ties_by_index});
}
std::unique_ptr<Strategy> make_set_10(const Setting&) {
  return bandwidth::make_set_10();
}
std::unique_ptr<Strategy> make_best_next_event(const Setting& setting) {
  return bandwidth::make_best_next_event(setting.instance.reading.whole_window);
}

struct StrategyRow {
  StrategyEntry entry;
  Maker make;
};

constexpr auto kPeriod = std::to_array<Parameter>({
    {.name = "period",
     .summary = "time between decisions in addition to those at events; default: the length of the "
                "window divided by twice the number of operations",
     .unit = Unit::seconds,
     .range = positive()},
});

const auto kStrategies = std::to_array<StrategyRow>({
    {.entry = {.name = "fair-share",
               .summary =
                   "all operations at the same fraction of the bandwidth that they could use",
               .source = "common practice; thesis, section 7.4.1"},
     .make = make_fair_share},
    {.entry = {.name = "fcfs",
               .summary = "full bandwidth in order of posting",
               .source = "common practice; thesis, section 7.4.1"},
     .make = make_fcfs},
    {.entry = {.name = "greedy-yield",
               .summary = "full bandwidth to the lowest yields",
               .source = "thesis, section 7.4.1"},
     .make = make_greedy_yield},
    {.entry = {.name = "greedy-com",
               .summary = "full bandwidth to the operations that could end first",
               .source = "thesis, section 7.4.1"},
     .make = make_greedy_com},
    {.entry = {.name = "look-ahead-greedy-yield",
               .summary = "first the operation with which the minimum yield is best when the next "
                          "operation ends",
               .source = "thesis, section 7.4.1"},
     .make = make_look_ahead},
    {.entry = {.name = "periodic-greedy-yield",
               .summary = "greedy-yield that also decides every PERIOD",
               .source = "thesis, section 7.4.1",
               .parameters = kPeriod},
     .make = make_periodic},
    {.entry = {.name = "set-10",
               .summary = "applications of similar iteration times form sets, which share the "
                          "bandwidth in inverse proportion to these times",
               .source = "Boito et al. 2023; thesis, section 7.4.2"},
     .make = make_set_10},
    {.entry = {.name = "best-next-event",
               .summary = "the best yields at the next event that can be predicted",
               .source = "thesis, section 7.4.3"},
     .make = make_best_next_event},
    {.entry = {.name = "as-given",
               .summary = "the rates that the instance lists, from their dates on",
               .source = "for schedules of proofs and of other tools"},
     .make = make_as_given},
    {.entry = custom_entry(), .make = make_custom},
});

}  // namespace

std::vector<StrategyEntry> strategies() {
  std::vector<StrategyEntry> entries;
  for (const StrategyRow& row : kStrategies) entries.push_back(row.entry);
  return entries;
}

Result<std::unique_ptr<Strategy>> make_strategy(const StrategySpec& spec, const Instance& instance,
                                                const Load& load) {
  const StrategyRow& row = kStrategies[spec.index];
  if (row.make == make_as_given && instance.given.empty()) {
    return fail(ErrorCode::bad_value, "/rates",
                "is missing; strategy 'as-given' takes them from the instance");
  }
  return row.make({instance, spec, load});
}

}  // namespace holdfast::io
