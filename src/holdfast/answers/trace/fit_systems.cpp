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

/// The largest number of systems in the table.
constexpr std::size_t kMostSystems = 50;

// Divides a log by its systems; each outage is in memory once.
std::vector<FailureLog> by_system(FailureLog log) {
  std::vector<OutageList> outages(log.systems.size());
  std::vector<std::vector<LoggedNode>> nodes(log.systems.size());
  std::vector<std::uint32_t> place;
  for (LoggedNode& node : log.nodes) {
    std::vector<LoggedNode>& of = nodes[std::exchange(node.system, 0)];
    place.push_back(static_cast<std::uint32_t>(of.size()));
    of.push_back(std::move(node));
  }
  log.nodes.clear();
  log.outages.drain([&](const Outage& outage) {
    Outage own = outage;
    own.system = 0;
    if (own.node != Outage::kNoNode) own.node = place[own.node];
    outages[outage.system].push_back(own);
  });
  std::vector<FailureLog> out;
  for (std::size_t system = 0; system < log.systems.size(); ++system) {
    FailureLog& part = out.emplace_back(log);
    part.systems = {log.systems[system]};
    part.nodes = std::move(nodes[system]);
    part.outages = std::move(outages[system]);
    part.rows = static_cast<std::int64_t>(part.outages.size());
  }
  return out;
}

// "weibull, shape 0.7": a law without its mean, which may lie beyond what was seen.
std::string law_in_words(const LawFit& fit) {
  const std::string text = fit.law().text();
  return text.substr(0, text.rfind(", mean "));
}

}  // namespace

void add_systems(FailureLog log, const LifetimeQuery& query, const FitQuestion& question,
                 Answer& answer) {
  if (log.systems.size() > kMostSystems) return;
  Table table{.title = "each system (--system NAME says more of it)",
              .columns = {{.title = "system"},
                          {.title = "nodes"},
                          {.title = "failures"},
                          {.title = "a node fails once in"},
                          {.title = "best law of ages"}}};
  Value rows = Value::array();
  for (const FailureLog& part : by_system(std::move(log))) {
    const auto lives = lifetimes_of(part, query);
    if (!lives) continue;
    const auto report = fit_laws(
        {.lives = lives->lifetimes, .ageless = lives->ageless, .resolution = lives->resolution},
        question);
    const std::string& name = part.systems.front().name;
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
