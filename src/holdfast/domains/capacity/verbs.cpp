#include "holdfast/domains/capacity/verbs.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/capacity/headline.hpp"
#include "holdfast/domains/capacity/instance_io.hpp"
#include "holdfast/domains/capacity/live_state.hpp"
#include "holdfast/domains/capacity/plan.hpp"

#include <fmt/format.h>

#include <array>

namespace holdfast::capacity {
namespace {

constexpr auto kFamily = std::to_array<Parameter>({
    {.name = "kind", .summary = "jobs (default), or adversary:three-partition", .kind = Kind::text},
});
constexpr auto kGenerateOptions = std::to_array<Parameter>({
    {.name = "size",
     .summary = "adversary: number of triplets n",
     .kind = Kind::integer,
     .range = between(1, 1e6),
     .fallback = "2"},
    {.name = "numbers",
     .summary = "adversary: the 3n numbers; default: drawn so that they can be split",
     .kind = Kind::numbers,
     .range = positive()},
    {.name = "gap",
     .summary = "adversary: K, the outage lasts K B",
     .kind = Kind::integer,
     .range = between(1, 1e6),
     .fallback = "1"},
});

Result<Answer> run_plan(const Request& request) {
  HOLDFAST_TRY(state, read_live_state(request.parameters));
  HOLDFAST_TRY(decision, decide(state, *request.strategy));
  Answer answer;
  answer.headline = headline(state);
  answer.document.set("category", decision.category);
  if (decision.target) answer.document.set("target", *decision.target);
  if (!decision.machine) {
    answer.verdict.push_back(fmt::format("category {:.4g}: it waits", decision.category));
    return answer;
  }
  answer.document.set("machine", *decision.machine);
  answer.document.set("start", *decision.start);
  const std::int64_t wait = *decision.start - state.now;
  answer.verdict.push_back(
      fmt::format("category {:.4g}: machine {}, {}", decision.category, *decision.machine,
                  wait == 0 ? "now" : "in " + format_duration(static_cast<double>(wait))));
  return answer;
}

Result<Answer> generate_partition(const Request& request) {
  const Stream stream({.seed = request.seed, .purpose = Purpose::instance});
  const auto integer = [&](std::string_view name, std::int64_t fallback) {
    const Value* value = request.options.find(name);
    return value == nullptr ? fallback : static_cast<std::int64_t>(value->number());
  };
  std::vector<std::int64_t> numbers;
  std::vector<PartitionNumber>
      drawn;  // none where the numbers are given: how they split is not known
  if (const Value* given = request.options.find("numbers")) {
    for (const Value& number : *given->array_items()) {
      HOLDFAST_TRY(whole, read_integer(number, "--numbers"));
      numbers.push_back(whole);
    }
  } else {
    drawn = partition_numbers(integer("size", 2), stream);
    for (const PartitionNumber& number : drawn) numbers.push_back(number.value);
  }
  HOLDFAST_TRY(instance, three_partition(numbers, integer("gap", 1)));
  place_triplets(drawn, instance);
  Answer answer;
  answer.document = to_value(instance);
  if (!drawn.empty()) answer.document.set("reference_makespan", instance.alive[1].time);
  return answer;
}

Result<Answer> run_generate(const Request& request) {
  const Value* kind = request.options.find("kind");
  const std::string name = kind == nullptr ? "jobs" : *kind->string();
  if (name == "adversary:three-partition") return generate_partition(request);
  if (name != "jobs") {
    constexpr auto kKinds = std::to_array<std::string_view>({"jobs", "adversary:three-partition"});
    return fail(ErrorCode::usage, "kind",
                fmt::format("unknown kind {}; {}", in_quotes(name), suggestion(name, kKinds)));
  }
  HOLDFAST_TRY(problem, read_problem(request.parameters, request.directory));
  Answer answer;
  answer.document = to_value(draw(problem, request.seed, 0, 0));
  answer.warnings = problem.notes;
  return answer;
}

// A live state holds its jobs and machines itself: fields that make them mean nothing to it.
constexpr auto kUnusedNow = std::to_array<std::string_view>(
    {"window", "jobs", "jobs_format", "compress", "longest", "reference", "alive", "alive_rule",
     "alive_column", "alive_unit", "alive_from", "family", "job_count", "mean_machines",
     "machine_range", "period"});

}  // namespace

std::vector<Verb> verbs() {
  return {
      {.name = "plan",
       .summary = "where does this job go now?",
       .example = "holdfast capacity plan --instance examples/data/capacity-live.json",
       .takes_strategy = true,
       .takes_seed = false,
       .unused = kUnusedNow,
       .run = run_plan},
      {.name = "generate",
       .summary = "write synthetic jobs with a random capacity, or a worst case",
       .example = "holdfast capacity generate --family log-scale --output instance.json",
       .options = kGenerateOptions,
       .positionals = kFamily,
       .writes_instance = true,
       .run = run_generate},
  };
}

}  // namespace holdfast::capacity
