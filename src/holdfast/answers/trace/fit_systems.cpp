#include "holdfast/answers/trace/fit_systems.hpp"

#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

/// The largest number of systems in the table, each of which takes a copy of its part of the log.
constexpr std::size_t kMostSystems = 50;

// Returns the part of a log that is about one of its systems.
FailureLog of_system(const FailureLog& log, std::uint32_t system) {
  FailureLog out = log;
  out.systems = {log.systems[system]};
  out.nodes.clear();
  std::vector<std::uint32_t> place(log.nodes.size(), Outage::kNoNode);
  for (std::size_t i = 0; i < log.nodes.size(); ++i) {
    if (log.nodes[i].system != system) continue;
    place[i] = static_cast<std::uint32_t>(out.nodes.size());
    out.nodes.push_back(log.nodes[i]);
    out.nodes.back().system = 0;
  }
  out.outages.update([&](Outage& outage) {
    if (outage.system != system) return false;
    outage.system = 0;
    if (outage.node != Outage::kNoNode) outage.node = place[outage.node];
    return true;
  });
  out.rows = static_cast<std::int64_t>(out.outages.size());
  return out;
}

// "weibull, shape 0.7": a law without its mean, which may lie beyond what was seen.
std::string law_in_words(const LawFit& fit) {
  const std::string text = fit.law().text();
  return text.substr(0, text.rfind(", mean "));
}

}  // namespace

void add_systems(const FailureLog& log, const LifetimeQuery& query, const FitQuestion& question,
                 Answer& answer) {
  if (log.systems.size() > kMostSystems) return;
  Table table{.title = "each system (--system NAME says more of it)",
              .columns = {{.title = "system"},
                          {.title = "nodes"},
                          {.title = "failures"},
                          {.title = "a node fails once in"},
                          {.title = "best law of ages"}}};
  Value rows = Value::array();
  for (std::uint32_t system = 0; system < log.systems.size(); ++system) {
    const FailureLog part = of_system(log, system);
    const auto lives = lifetimes_of(part, query);
    if (!lives) continue;
    const auto report = fit_laws(
        {.lives = lives->lifetimes, .ageless = lives->ageless, .resolution = lives->resolution},
        question);
    const std::string& name = log.systems[system].name;
    Value row =
        Value::object({{"system", name}, {"units", lives->units}, {"failures", lives->failures}});
    std::vector<Value> cells = {name, lives->units, lives->failures, Value(), Value()};
    if (report) {
      const LawFit& best = report->rows.front().law.fit;
      cells[3] = format_duration(report->observed.mean);
      cells[4] = law_in_words(best);
      row.set("mean", report->observed.mean);
      row.set("law", best.law().description());
    }
    table.rows.push_back(std::move(cells));
    rows.push(std::move(row));
  }
  answer.document.set("by_system", std::move(rows));
  answer.tables.insert(answer.tables.begin(), std::move(table));
}

}  // namespace holdfast
