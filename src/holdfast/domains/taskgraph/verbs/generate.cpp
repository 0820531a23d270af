#include "holdfast/base/text.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/taskgraph/instance_io.hpp"
#include "holdfast/domains/taskgraph/verbs.hpp"
#include "holdfast/domains/taskgraph/worst_case.hpp"
#include "holdfast/models/speedup/speedup_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace holdfast::taskgraph {
namespace {

/// The largest number of tasks that a document lists: it takes about 1 GB while it is written.
constexpr std::int64_t kMostListed = 3'000'000;

constexpr std::string_view kAdversary = "adversary:";
constexpr auto kFamilies =
    std::to_array<std::string_view>({"layered", "adversary:roofline", "adversary:communication",
                                     "adversary:amdahl", "adversary:mix"});

struct GenerateOptions {
  std::string family = std::string(kFamilies.front());
  std::int64_t size = 16;
  double epsilon = 0.5;
  bool closed_form = false;
};
constexpr auto kGenerateFamily = std::to_array<Field<GenerateOptions>>({
    {.name = "family",
     .summary = "layered, or adversary:roofline|communication|amdahl|mix",
     .member = member<&GenerateOptions::family>,
     .value_name = "GRAPH"},
});
constexpr auto kGenerateOptions = std::to_array<Field<GenerateOptions>>({
    {.name = "size",
     .summary = "adversary: processors of the machine",
     .member = member<&GenerateOptions::size>,
     .range = at_least(1)},
    {.name = "epsilon",
     .summary = "adversary: distance of the proof from its limit, between 0 and 1",
     .member = member<&GenerateOptions::epsilon>},
    {.name = "closed_form",
     .summary = "adversary: the numbers only, without the tasks; always beyond 3,000,000 tasks",
     .member = member<&GenerateOptions::closed_form>},
});

Value task_value(const WorstCaseTask& task) {
  return Value::object({{"speedup", holdfast::to_value(task.speedup)},
                        {"processors", task.processors},
                        {"time", task.time},
                        {"offline_processors", task.offline_processors},
                        {"offline_time", task.offline_time}});
}

Value worst_case_value(const WorstCase& worst) {
  Value constraints = Value::object();
  for (const ProofConstraint& constraint : proof_constraints(worst)) {
    constraints.set(constraint.label, constraint.holds);
  }
  return Value::object({{"model", name(worst.model)},
                        {"processors", worst.processors},
                        {"epsilon", worst.epsilon},
                        {"A", task_value(worst.a)},
                        {"B", task_value(worst.b)},
                        {"C", task_value(worst.c)},
                        {"D", task_value(worst.d)},
                        {"X", worst.x},
                        {"K", worst.k},
                        {"Y", worst.y},
                        {"Z", worst.z},
                        {"tasks", worst.size()},
                        {"makespan", worst.makespan()},
                        {"offline_makespan", worst.offline_makespan()},
                        {"ratio", worst.ratio()},
                        {"limit", worst.limit()},
                        {"constraints", std::move(constraints)}});
}

Result<SpeedupModel> model_of(std::string_view family) {
  if (std::find(kFamilies.begin(), kFamilies.end(), family) == kFamilies.end()) {
    return fail(
        ErrorCode::usage, "family",
        fmt::format("unknown family {}; {}", in_quotes(family), suggestion(family, kFamilies)));
  }
  const auto models = speedup_model_names();
  const auto found = std::find(models.begin(), models.end(), family.substr(kAdversary.size()));
  return static_cast<SpeedupModel>(found - models.begin());
}

// Makes an error about an option one of the command line.
Error as_usage(Error error) {
  error.code = ErrorCode::usage;
  return error;
}

Result<Answer> run_adversary(const GenerateOptions& options) {
  HOLDFAST_TRY(model, model_of(options.family));
  auto worst = worst_case(model, options.size, options.epsilon);
  if (!worst) return fail(as_usage(worst.error()));

  Answer answer;
  if (worst->size() <= kMostListed && !options.closed_form) {
    answer.document = to_value(build(*worst));
  } else {
    answer.document.set("holdfast",
                        Value::object({{"kind", "taskgraph-worst-case"}, {"version", 1}}));
    if (!options.closed_form) {
      answer.warnings.push_back(fmt::format(
          "{} tasks are too many to list: the document holds the closed form only", worst->size()));
    }
  }
  answer.document.set("reference", worst->offline_makespan());
  answer.document.set("bound", worst->limit());
  answer.document.set("worst_case", worst_case_value(*worst));
  return answer;
}

Result<Answer> run_generate(const GenerateOptions& options, const Request& request) {
  if (options.family != kFamilies.front()) return run_adversary(options);
  HOLDFAST_TRY(instance, instance_of(request));
  Answer answer;
  answer.document = to_value(instance);
  return answer;
}

constexpr auto kGenerateResults =
    std::to_array<ResultField>({{"reference?", "makespan of the proof's schedule", Unit::seconds},
                                {"bound?", "ratio in the limit"},
                                {"worst_case?", "the worst case in closed form", Holds::object}});

}  // namespace

Verb generate_verb() {
  return {
      .name = "generate",
      .summary = "a random layered graph, or a worst case with the proof's schedule",
      .example = "holdfast taskgraph generate adversary:amdahl --size 16 --epsilon 0.5",
      .options = fields_of<kGenerateOptions>().parameters(),
      .positionals = fields_of<kGenerateFamily>().parameters(),
      .results = kGenerateResults,
      .gives = Gives::instance,
      .run = with_options<run_generate, fields_of<kGenerateFamily>, fields_of<kGenerateOptions>>};
}

}  // namespace holdfast::taskgraph
