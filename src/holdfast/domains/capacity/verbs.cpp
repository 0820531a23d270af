#include "holdfast/domains/capacity/verbs.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/capacity/fields.hpp"
#include "holdfast/domains/capacity/headline.hpp"
#include "holdfast/domains/capacity/instance_io.hpp"
#include "holdfast/domains/capacity/live/verb.hpp"
#include "holdfast/domains/capacity/live_state.hpp"
#include "holdfast/domains/capacity/plan.hpp"
#include "holdfast/domains/capacity/strategies.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::capacity {
namespace {

struct GenerateOptions {
  std::string kind = "jobs";
  std::int64_t size = 2;
  std::vector<double> numbers;
  std::int64_t gap = 1;
};
constexpr auto kGenerateKind = std::to_array<Field<GenerateOptions>>({
    {.name = "kind",
     .summary = "jobs (default), or adversary:three-partition",
     .member = member<&GenerateOptions::kind>,
     .fallback = "-"},
});
constexpr auto kGenerateOptions = std::to_array<Field<GenerateOptions>>({
    {.name = "size",
     .summary = "adversary: number of triplets n",
     .member = member<&GenerateOptions::size>,
     .range = between(1, 1e6)},
    {.name = "numbers",
     .summary =
         "adversary: the 3n numbers; default: drawn so that triplets with equal sums B exist",
     .member = member<&GenerateOptions::numbers>,
     .range = positive()},
    {.name = "gap",
     .summary = "adversary: K; the outage lasts K times the sum B of a triplet",
     .member = member<&GenerateOptions::gap>,
     .range = between(1, 1e6)},
});

Result<Answer> run_plan(const Request& request) {
  HOLDFAST_TRY(state, read_live_state(request.parameters));
  HOLDFAST_TRY(decision, decide(state, *request.strategy));
  Answer answer;
  if (std::string note = unheeded_objective(*request.strategy, state.instance); !note.empty())
    answer.warnings.push_back(std::move(note));
  answer.headline = headline(state);
  answer.document.set("category", decision.category);
  const Strategy::Answer& place = decision.answer;
  if (place.target) answer.document.set("target", *place.target);
  if (!place.machine) {
    answer.verdict.push_back(fmt::format("category {:.4g}: it waits", decision.category));
    return answer;
  }
  answer.document.set("machine", *place.machine);
  answer.document.set("start", *place.start);
  const std::int64_t wait = *place.start - state.now;
  answer.verdict.push_back(
      fmt::format("category {:.4g}: machine {}, {}", decision.category, *place.machine,
                  wait == 0 ? "now" : "in " + format_duration(static_cast<double>(wait))));
  return answer;
}

Result<Answer> generate_partition(const GenerateOptions& options, const Request& request) {
  std::vector<std::int64_t> numbers;
  for (const double number : options.numbers) {
    HOLDFAST_TRY(whole, read_integer(Value(number), "/numbers"));
    numbers.push_back(whole);
  }
  std::vector<PlantedNumber> drawn;  // empty if the numbers are given: how they split is not known
  if (numbers.empty()) {
    drawn = partition_numbers(options.size,
                              Stream({.seed = request.seed, .purpose = Purpose::instance}));
    for (const PlantedNumber& number : drawn) numbers.push_back(number.value);
  }
  HOLDFAST_TRY(instance, three_partition(numbers, options.gap));
  place_triplets(drawn, instance);
  Answer answer;
  answer.document = to_value(instance);
  if (!drawn.empty()) answer.document.set("reference_makespan", instance.alive[1].time);
  return answer;
}

Result<Answer> run_generate(const GenerateOptions& options, const Request& request) {
  if (options.kind == "adversary:three-partition") return generate_partition(options, request);
  if (options.kind != "jobs") {
    constexpr auto kKinds = std::to_array<std::string_view>({"jobs", "adversary:three-partition"});
    return fail(ErrorCode::usage, "kind",
                fmt::format("unknown kind {}; {}", in_quotes(options.kind),
                            suggestion(options.kind, kKinds)));
  }
  HOLDFAST_TRY(problem, read_problem(request.parameters, request.directory));
  Answer answer;
  answer.document = to_value(draw(problem, request.seed, 0, 0));
  answer.warnings = problem.notes;
  return answer;
}

constexpr auto kPlanResults = std::to_array<ResultField>(
    {{"category", "category of the job: the longer and wider, the larger"},
     {"target?", "machine that the job would take if all were free", Holds::integer},
     {"machine?", "machine that it gets; absent if it waits", Holds::integer},
     {"start?", "when it starts there", Unit::seconds}});

constexpr auto kGenerateResults = std::to_array<ResultField>(
    {{"reference_makespan?", "makespan of a schedule that exists", Unit::seconds}});

}  // namespace

std::vector<Verb> verbs() {
  static const std::vector<std::string_view> kUnusedNow = not_live({"requeue_delay"});
  return {
      {.name = "plan",
       .summary = "choose a machine for one job, now",
       .example = "holdfast capacity plan --instance examples/data/capacity-live.json",
       .results = kPlanResults,
       .takes_strategy = true,
       .takes_seed = false,
       .unused = kUnusedNow,
       .run = run_plan},
      advise_verb(),
      {.name = "generate",
       .summary = "write synthetic jobs with a random capacity, or a worst case",
       .example = "holdfast capacity generate --family log-scale --output instance.json",
       .options = fields_of<kGenerateOptions>().parameters(),
       .positionals = fields_of<kGenerateKind>().parameters(),
       .results = kGenerateResults,
       .gives = Gives::instance,
       .run = with_options<run_generate, fields_of<kGenerateKind>, fields_of<kGenerateOptions>>},
  };
}

}  // namespace holdfast::capacity
