#include "holdfast/answers/simulate_answer.hpp"

#include "holdfast/pages/summary_tables.hpp"
#include "holdfast/pages/verdict.hpp"

#include <fmt/format.h>

#include <utility>

namespace holdfast {

Answer answer_of(const Domain& domain, Simulation simulation, std::optional<std::size_t> baseline) {
  Answer answer;
  answer.verdict = point_verdict(
      simulation.summary, simulation.ranking, simulation.shown, simulation.metrics, baseline,
      {.domain = &domain, .why_alike = simulation.why_alike, .split = simulation.split});
  answer.headline = simulation.headline;
  answer.tables =
      point_tables(simulation.summary, simulation.ranking, simulation.shown, simulation.metrics);
  const std::string seed =
      fmt::format("seed {}", to_compact_json(*simulation.document.find("seed")));
  answer.lines.push_back(fmt::format("{} {}, {}", simulation.scenarios,
                                     simulation.scenarios == 1 ? "scenario" : "scenarios", seed));
  StatisticsTable data({}, simulation.strategies, simulation.metrics);
  data.add({}, simulation.summary);
  answer.data = data.table();
  answer.document = std::move(simulation.document);
  answer.warnings = std::move(simulation.warnings);
  const bool has_title = !answer.headline.empty();
  answer.schedule_title =
      has_title ? answer.headline : fmt::format("{}: schedule of the first scenario", domain.name);
  answer.schedule_note =
      has_title ? fmt::format("{}, schedule of the first scenario, {}", domain.name, seed) : seed;
  for (std::size_t i = 0; i < simulation.timelines.size(); ++i) {
    if (!simulation.timelines[i]) continue;
    answer.schedules.push_back({.timeline = std::move(*simulation.timelines[i]),
                                .name = simulation.strategies[i],
                                .shown = simulation.shown[i],
                                .result = i});
  }
  tell_problem(answer);
  return answer;
}

}  // namespace holdfast
