#include "holdfast/campaign/simulate.hpp"

#include "holdfast/answers/asked_strategies.hpp"
#include "holdfast/answers/host.hpp"
#include "holdfast/answers/simulate_answer.hpp"
#include "holdfast/answers/verbs.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/campaign/summary_members.hpp"
#include "holdfast/contract/document_members.hpp"
#include "holdfast/contract/verb_options.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>

namespace holdfast {
namespace {

struct SimulateAsked {
  std::int64_t scenarios = 50;
  std::int64_t threads = 0;
  bool check = false;
  bool timing = false;
};

constexpr auto kSimulateOptions = std::to_array<Field<SimulateAsked>>({
    {.name = "scenarios",
     .summary = "number of random scenarios",
     .member = member<&SimulateAsked::scenarios>,
     .range = at_least(1)},
    {.name = "threads",
     .summary = "number of threads (default: all cores); it does not change the results",
     .member = member<&SimulateAsked::threads>,
     .range = at_least(1),
     .fallback = "-"},
    {.name = "check",
     .summary = "check every run with a validator that is independent of the simulator",
     .member = member<&SimulateAsked::check>},
    {.name = "timing",
     .summary = "add wall-clock times",
     .member = member<&SimulateAsked::timing>,
     .heading = "Output"},
});

Result<Answer> simulate_point(const SimulateAsked& asked, const Request& request) {
  const Domain& domain = *request.domain;
  SimulateRequest point{.parameters = request.parameters,
                        .directory = request.directory,
                        .strategies = request.strategies,
                        .baseline = baseline_of(domain, request.strategies),
                        .scenarios = static_cast<std::uint64_t>(asked.scenarios),
                        .seed = request.seed,
                        .check = asked.check,
                        .timing = asked.timing,
                        .control = request.host->control};
  point.control.threads = threads_of(asked.threads);
  HOLDFAST_TRY(simulation, simulate(domain, point));
  const std::uint64_t checked = simulation.checked;
  if (asked.check && checked == 0) {
    return fail(ErrorCode::usage, "/check",
                fmt::format("'{}' offers no check of its runs", domain.name));
  }
  Answer answer = answer_of(domain, std::move(simulation), point.baseline);
  if (asked.check) {
    answer.notes.push_back(fmt::format("{} the model", counted(checked, "run obeys", "runs obey")));
  }
  return answer;
}

constexpr auto kResults = std::to_array<ResultField>(
    {{"", "the header", kHeaderMembers},
     {"seed", "seed of all draws", Holds::integer},
     {"scenarios", "number of draws", Holds::integer},
     {"instance", "the problem in canonical form", Holds::object},
     {"", "the results", kPointMembers},
     {"results[].seconds?", "wall time of the runs, with --timing", Unit::seconds},
     {"results[].schedule?[]", "rows of the schedule of the first scenario, with --schedule -",
      Holds::object}});

}  // namespace

const Verb& simulate_verb() {
  static const Verb kVerb = {
      .name = "simulate",
      .summary = "run strategies on the same random scenarios, and compare them",
      .example = {},  // that of its domain
      .options = fields_of<kSimulateOptions>().parameters(),
      .results = kResults,
      .takes_strategies = true,
      .has_schedule = true,
      .run = with_options<simulate_point, fields_of<kSimulateOptions>>};
  return kVerb;
}

}  // namespace holdfast
