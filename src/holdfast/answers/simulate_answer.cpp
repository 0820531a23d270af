#include "holdfast/answers/simulate_answer.hpp"

#include "holdfast/pages/summary_tables.hpp"
#include "holdfast/pages/verdict.hpp"

#include <fmt/format.h>

#include <utility>

namespace holdfast {

Shown shown_of(const Domain& domain, Simulation simulation, std::optional<std::size_t> baseline) {
  Shown shown;
  shown.verdict = point_verdict(
      simulation.summary, simulation.ranking, simulation.shown, simulation.metrics, baseline,
      {.domain = &domain, .why_alike = simulation.why_alike, .split = simulation.split});
  shown.headline = simulation.headline;
  shown.tables =
      point_tables(simulation.summary, simulation.ranking, simulation.shown, simulation.metrics);
  shown.lines.push_back(fmt::format("{} {}, seed {}", simulation.scenarios,
                                    simulation.scenarios == 1 ? "scenario" : "scenarios",
                                    to_compact_json(*simulation.document.find("seed"))));
  StatisticsTable data({}, simulation.strategies, simulation.metrics);
  data.add({}, simulation.summary);
  shown.data = data.table();
  shown.document = std::move(simulation.document);
  tell_problem(shown.headline, shown.verdict, shown.document);
  return shown;
}

PictureTitle title_of(const Domain& domain, const Simulation& simulation) {
  const std::string seed =
      fmt::format("seed {}", to_compact_json(*simulation.document.find("seed")));
  if (simulation.headline.empty()) {
    return {.title = fmt::format("{}: schedule of the first scenario", domain.name), .note = seed};
  }
  return {.title = simulation.headline,
          .note = fmt::format("{}, schedule of the first scenario, {}", domain.name, seed)};
}

}  // namespace holdfast
