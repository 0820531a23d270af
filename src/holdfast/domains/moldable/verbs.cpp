#include "holdfast/domains/moldable/verbs.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/contract/rule_run.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/moldable/adversary.hpp"
#include "holdfast/domains/moldable/blind_bound.hpp"
#include "holdfast/domains/moldable/fit.hpp"
#include "holdfast/domains/moldable/headline.hpp"
#include "holdfast/domains/moldable/instance_io.hpp"
#include "holdfast/domains/moldable/optimum.hpp"
#include "holdfast/domains/moldable/plan.hpp"
#include "holdfast/domains/moldable/schedule.hpp"
#include "holdfast/domains/moldable/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace holdfast::moldable {
namespace {

constexpr std::size_t kMostForBlindBound = 2000;  // jobs: more than a second

struct PlanOptions {
  std::optional<std::int64_t> attempts;
};
constexpr auto kPlanOptions = std::to_array<Field<PlanOptions>>({
    {.name = "attempts",
     .summary = "plan for up to that many attempts of every job",
     .member = member<&PlanOptions::attempts>,
     .range = between(1, 1e6)},
});

struct OptimumOptions {
  std::int64_t steps = kMostSearchSteps;
};
constexpr auto kOptimumOptions = std::to_array<Field<OptimumOptions>>({
    {.name = "steps",
     .summary = "steps after which the search gives up; the default takes some 20 s",
     .member = member<&OptimumOptions::steps>,
     .range = between(1, 1e12)},
});

struct GenerateOptions {
  std::string what = "random";
  std::optional<std::int64_t> size;
  double probability = 0.5;
  bool fixed = false;
  std::int64_t index = 0;
};
constexpr auto kGenerateWhat = std::to_array<Field<GenerateOptions>>({
    {.name = "what",
     .summary = "random (default), or adversary:theorem-7, -9, -10, -11",
     .member = member<&GenerateOptions::what>,
     .fallback = "-"},
});
constexpr auto kGenerateOptions = std::to_array<Field<GenerateOptions>>({
    {.name = "size",
     .summary = "adversary: number of processors, jobs, clusters or levels (theorem 7, 9, 10, 11)",
     .member = member<&GenerateOptions::size>,
     .range = at_least(1)},
    {.name = "probability",
     .summary = "theorem 10: probability that an attempt fails",
     .member = member<&GenerateOptions::probability>,
     .range = {.minimum = 0, .maximum = 1, .above_minimum = true, .below_maximum = true}},
    {.name = "fixed",
     .summary = "theorem 11: the failures of the proof's schedule, instead of adaptive ones",
     .member = member<&GenerateOptions::fixed>},
    {.name = "index",
     .summary = "number of the random instance",
     .member = member<&GenerateOptions::index>,
     .range = at_least(0)},
});

/// The instance that a verb is asked about, drawn if none is listed.
struct Question {
  Instance instance;
  std::string headline;
  std::vector<std::string> warnings;
};

Result<Question> question_of(const Request& request) {
  if (!describes_generator(request.parameters)) {
    HOLDFAST_TRY(instance, read_instance(request.parameters));
    std::string line = headline(instance);
    return Question{std::move(instance), std::move(line), {}};
  }
  HOLDFAST_TRY(parameters, read_generator(request.parameters, request.directory));
  Question out{generate(parameters, request.seed, 0), headline(parameters, request.seed), {}};
  if (parameters.log != nullptr) out.warnings = parameters.log->notes;
  return out;
}

template <class Number>
Value per_job(const std::vector<std::vector<Number>>& rows, bool per_attempt) {
  Value::Array out;
  out.reserve(rows.size());
  for (const auto& row : rows) out.push_back(per_attempt ? Value::list(row) : Value(row.front()));
  return Value(std::move(out));
}

// "3 x 2, 2": consecutive equal allocations in one term.
std::string listed(const std::vector<std::int64_t>& allocations) {
  std::string out;
  for (std::size_t i = 0; i < allocations.size();) {
    std::size_t end = i;
    while (end < allocations.size() && allocations[end] == allocations[i]) ++end;
    out += fmt::format("{}{}", out.empty() ? "" : ", ", allocations[i]);
    if (end - i > 1) out += fmt::format(" x {}", end - i);
    i = end;
  }
  return out;
}

Table plan_table(const Instance& instance, const Plan& plan) {
  Table table{.title = "allocations",
              .columns = {{.title = "job"},
                          {.title = "processors"},
                          {.title = "first attempt", .unit = Unit::seconds},
                          {.title = "all attempts", .unit = Unit::seconds}}};
  for (std::size_t job = 0; job < instance.size(); ++job) {
    double total = 0;
    for (const double duration : plan.durations[job]) total += duration;
    table.rows.push_back(
        {instance.name(job), listed(plan.allocations[job]), plan.durations[job].front(), total});
  }
  return table;
}

// "each job on 2 to 17 processors".
std::string processors_of(const Plan& plan) {
  std::int64_t least = plan.allocations.front().front(), most = least;
  for (const auto& attempts : plan.allocations) {
    for (const std::int64_t processors : attempts) {
      least = std::min(least, processors);
      most = std::max(most, processors);
    }
  }
  return fmt::format("each job on {}{}", least < most ? fmt::format("{} to ", least) : "",
                     counted(most, "processor"));
}

Result<Answer> run_plan(const PlanOptions& options, const Request& request) {
  HOLDFAST_TRY(question, question_of(request));
  const Instance& instance = question.instance;
  HOLDFAST_TRY(strategy, make_strategy(*request.strategy, instance));
  const PreparedInstance prepared(instance);
  Plan plan = make_plan(prepared, *strategy, options.attempts.value_or(1));
  HOLDFAST_CHECK(status_of_rule(*strategy));
  // If the document gives the failures, the bound is for exactly these.
  if (!options.attempts && !instance.failures.empty()) {
    plan.lower_bound =
        lower_bound(limits(instance), instance.processors, instance.failures, instance.releases);
  }
  Answer answer;
  answer.document.set("strategy", request.strategy->text);
  answer.document.set("allocations", per_job(plan.allocations, options.attempts.has_value()));
  answer.document.set("durations", per_job(plan.durations, options.attempts.has_value()));
  answer.document.set("lower_bound", plan.lower_bound);
  answer.document.set("allotment_bound", plan.allotment_bound);
  answer.document.set("relaxed_bound", plan.relaxed_bound);
  const bool counts_area = instance.errors().counts_area();
  if (strategy->is_batched() && !instance.is_fixed() && !counts_area) {
    answer.document.set("batch_probabilities",
                        Value::list(batch_probabilities(prepared.exposures)));
  }
  answer.headline = std::move(question.headline);
  answer.warnings = std::move(question.warnings);
  answer.tables.push_back(plan_table(instance, plan));
  answer.verdict = {processors_of(plan),
                    fmt::format("no schedule of these allocations ends before {}",
                                format_duration(plan.allotment_bound))};
  answer.lines = {
      fmt::format("no allocations of as many attempts allow less than {}",
                  format_duration(plan.relaxed_bound)),
      fmt::format("no schedule of the jobs ends before {}", format_duration(plan.lower_bound)),
  };
  // Silent errors strike at least as often as on the least area; an attempt that stops at an error may be shorter.
  const bool is_silent = instance.error_model != ErrorModel::fail_stop;
  if (!instance.is_fixed() && is_silent && instance.size() <= kMostForBlindBound) {
    const std::vector<Limits> all = limits(instance);
    State state = prepared.state(prepared.all);
    state.limits = all;
    const double bound = blind_bound(state);
    answer.document.set("blind_bound", bound);
    answer.lines.push_back(
        fmt::format("no rule that does not know what will fail ends before {} on average",
                    format_duration(bound)));
  }
  return answer;
}

Result<Answer> run_optimum(const OptimumOptions& options, const Request& request) {
  HOLDFAST_TRY(question, question_of(request));
  const Instance& instance = question.instance;
  Answer answer;
  answer.headline = std::move(question.headline);
  answer.warnings = std::move(question.warnings);
  if (!instance.is_fixed()) {
    answer.warnings.emplace_back(
        "the error rate is not used: the optimum is that of the attempts given in "
        "\"failures\", here one per job");
  }
  HOLDFAST_TRY(attempts, optimum(instance, options.steps));
  double makespan = 0;
  Table table{.title = "an optimal schedule",
              .columns = {{.title = "job"},
                          {.title = "attempt"},
                          {.title = "start", .unit = Unit::seconds},
                          {.title = "end", .unit = Unit::seconds},
                          {.title = "processors"}}};
  std::vector<std::vector<std::int64_t>> allocations(instance.size());
  for (const Attempt& attempt : attempts) {
    makespan = std::max(makespan, attempt.end);
    allocations[attempt.job].push_back(attempt.processors);
    table.rows.push_back({instance.name(attempt.job), attempt.number, attempt.start, attempt.end,
                          attempt.processors});
  }
  answer.document.set("makespan", makespan);
  answer.document.set("lower_bound", lower_bound(limits(instance), instance.processors,
                                                 instance.failures, instance.releases));
  answer.document.set("allocations", per_job(allocations, true));
  answer.tables.push_back(std::move(table));
  answer.verdict.push_back(
      fmt::format("optimum: {} ({} s)", format_duration(makespan), to_text(makespan)));
  answer.schedules.push_back({.timeline = timeline_of(instance, attempts)});
  return answer;
}

// The values of Theorem 10 for the clusters, whether their jobs fit into a document or not.
Value clusters_value(const Clusters& clusters) {
  Value out = Value::object();
  const bool is_finite = std::ranges::all_of(clusters.sizes, [](double n) { return n < 1e300; });
  if (is_finite) out.set("sizes", Value::list(clusters.sizes));
  out.set("certainty", Value::list(clusters.certainty));
  out.set("product", clusters.product);
  out.set("ratio", clusters.ratio);
  return out;
}

constexpr std::int64_t kClusters = 2;  // clusters of theorem 10 if no size is given

Result<Adversary> adversary(const GenerateOptions& options, const Request& request,
                            std::string_view theorem) {
  if (theorem == "theorem-7") {
    const Value* jobs = request.parameters.find("jobs");
    std::int64_t count = 0;
    if (jobs == nullptr || !jobs->get_integer(count)) count = options.size.value_or(16);
    return theorem_7(options.size.value_or(16), count);
  }
  if (theorem == "theorem-9") return theorem_9(options.size.value_or(5));
  if (theorem == "theorem-10") {
    return theorem_10(options.size.value_or(kClusters), options.probability);
  }
  if (theorem == "theorem-11") return theorem_11(options.size.value_or(2), options.fixed);
  constexpr auto kTheorems =
      std::to_array<std::string_view>({"theorem-7", "theorem-9", "theorem-10", "theorem-11"});
  return fail(
      ErrorCode::usage, "what",
      fmt::format("unknown adversary {}; {}", in_quotes(theorem), suggestion(theorem, kTheorems)));
}

Result<Answer> run_generate(const GenerateOptions& options, const Request& request) {
  constexpr std::string_view kAdversary = "adversary:";
  const std::string& what = options.what;
  Answer answer;
  if (what.starts_with(kAdversary)) {
    const std::string_view theorem = std::string_view(what).substr(kAdversary.size());
    HOLDFAST_TRY(worst, adversary(options, request, theorem));
    answer.document = to_value(worst.instance);
    if (theorem == "theorem-10") {
      const Clusters clusters =
          theorem_10_sizes(options.size.value_or(kClusters), options.probability);
      answer.document.set("clusters", clusters_value(clusters));
      if (worst.instance.jobs.empty()) {
        answer.document.erase("jobs");
        answer.warnings.emplace_back("the clusters are too large for a document: closed form only");
      }
    }
    answer.document.set("reference", worst.reference);
    answer.document.set("bound", worst.bound);
    answer.document.set("about", worst.about);
    return answer;
  }
  if (what != "random") {
    return fail(ErrorCode::usage, "what",
                fmt::format("found {}, expected random or adversary:theorem-7, -9, -10, -11",
                            in_quotes(what)));
  }
  if (!describes_generator(request.parameters)) {
    return fail(ErrorCode::usage, "/instance",
                "found a list of jobs, expected the parameters of random ones");
  }
  HOLDFAST_TRY(parameters, read_generator(request.parameters, request.directory));
  const auto index = static_cast<std::uint64_t>(options.index);
  answer.document = to_value(generate(parameters, request.seed, index));
  return answer;
}

constexpr auto kPlanResults = std::to_array<ResultField>(
    {{"strategy", "strategy that planned, in canonical form", Holds::text},
     {"allocations[]", "processors of each job, or of each of its attempts", Holds::anything},
     {"durations[]", "duration of each job, or of each of its attempts, in seconds",
      Holds::anything},
     {"lower_bound", "makespan that no schedule beats", Unit::seconds},
     {"allotment_bound", "lower bound for these allocations", Unit::seconds},
     {"relaxed_bound", "lower bound from the relaxed problem", Unit::seconds},
     {"batch_probabilities?[]", "probability that each batch is needed"},
     {"blind_bound?", "lower bound of rules that do not know the failures", Unit::seconds}});

constexpr auto kOptimumResults = std::to_array<ResultField>(
    {{"makespan", "the best makespan", Unit::seconds},
     {"lower_bound", "lower bound of the instance", Unit::seconds},
     {"allocations[][]", "processors of each attempt of each job", Holds::integer}});

constexpr auto kGenerateResults = std::to_array<ResultField>(
    {{"reference?", "makespan of the proof's schedule", Unit::seconds},
     {"bound?", "ratio that the theorem proves"},
     {"about?", "the theorem", Holds::text},
     {"clusters?.sizes?[]", "jobs of each cluster"},
     {"clusters?.certainty[]", "probability that a job of the cluster fails as often as needed"},
     {"clusters?.product", "product of these probabilities"},
     {"clusters?.ratio", "ratio that follows"}});

}  // namespace

std::vector<Verb> verbs() {
  return {
      {.name = "plan",
       .summary = "on how many processors to launch each job, and each repetition",
       .example = "holdfast moldable plan --model communication --jobs 5 --processors 64",
       .options = fields_of<kPlanOptions>().parameters(),
       .results = kPlanResults,
       .takes_strategy = true,
       .run = with_options<run_plan, fields_of<kPlanOptions>>},
      {.name = "optimum",
       .summary = "the best makespan of a small instance whose failures are known, by search",
       .example = "holdfast moldable optimum --model communication --jobs 3 --processors 4",
       .options = fields_of<kOptimumOptions>().parameters(),
       .results = kOptimumResults,
       .has_schedule = true,
       .run = with_options<run_optimum, fields_of<kOptimumOptions>>},
      {.name = "generate",
       .summary = "write a random instance, or a worst case of the theorems",
       .example = "holdfast moldable generate adversary:theorem-9 --size 5",
       .options = fields_of<kGenerateOptions>().parameters(),
       .positionals = fields_of<kGenerateWhat>().parameters(),
       .results = kGenerateResults,
       .gives = Gives::instance,
       .run = with_options<run_generate, fields_of<kGenerateWhat>, fields_of<kGenerateOptions>>},
      fit_verb(),
  };
}

}  // namespace holdfast::moldable
