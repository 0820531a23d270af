#include "holdfast/domains/moldable/verbs.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/domains/moldable/adversary.hpp"
#include "holdfast/domains/moldable/fit.hpp"
#include "holdfast/domains/moldable/headline.hpp"
#include "holdfast/domains/moldable/instance_io.hpp"
#include "holdfast/domains/moldable/optimum.hpp"
#include "holdfast/domains/moldable/plan.hpp"
#include "holdfast/domains/moldable/point.hpp"
#include "holdfast/domains/moldable/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace holdfast::moldable {
namespace {

constexpr auto kPlanOptions = std::to_array<Parameter>({
    {.name = "attempts",
     .summary = "plan for up to that many attempts of every job",
     .kind = Kind::integer,
     .range = between(1, 1e6)},
});
constexpr auto kOptimumOptions = std::to_array<Parameter>({
    {.name = "steps",
     .summary = "of the search, after which it gives up",
     .kind = Kind::integer,
     .range = between(1, 1e12),
     .fallback = "50000000"},
});
constexpr auto kWhat = std::to_array<Parameter>({
    {.name = "what",
     .summary = "random (default), or adversary:theorem-7, -9, -10, -11",
     .kind = Kind::text},
});
constexpr auto kGenerateOptions = std::to_array<Parameter>({
    {.name = "size",
     .summary = "of an adversary: processors, jobs, clusters, levels (theorem 7, 9, 10, 11)",
     .kind = Kind::integer,
     .range = at_least(1)},
    {.name = "probability",
     .summary = "that an attempt fails, in theorem 10",
     .range = {.minimum = 0, .maximum = 1, .above_minimum = true, .below_maximum = true},
     .fallback = "0.5"},
    {.name = "fixed",
     .summary = "theorem 11: the failures of the proof's schedule, in place of adaptive ones",
     .kind = Kind::flag},
    {.name = "index",
     .summary = "which random instance of the seed",
     .kind = Kind::integer,
     .range = at_least(0),
     .fallback = "0"},
});

std::optional<std::int64_t> integer_option(const Request& request, std::string_view name) {
  const Value* value = request.options.find(name);
  std::int64_t out = 0;
  if (value == nullptr || !value->get_integer(out)) return std::nullopt;
  return out;
}

// The instance of a verb that can also draw one.
Result<Instance> instance_of(const Request& request, std::uint64_t index = 0) {
  if (!describes_generator(request.parameters)) return read_instance(request.parameters);
  HOLDFAST_TRY(parameters, read_generator(request.parameters));
  return generate(parameters, request.seed, index);
}

Result<std::string> headline_of(const Request& request, const Instance& instance) {
  if (!describes_generator(request.parameters)) return headline(instance);
  HOLDFAST_TRY(parameters, read_generator(request.parameters));
  return headline(parameters, request.seed);
}

template <class Number>
Value per_job(const std::vector<std::vector<Number>>& rows, bool per_attempt) {
  Value::Array out;
  out.reserve(rows.size());
  for (const auto& row : rows) out.push_back(per_attempt ? Value::list(row) : Value(row.front()));
  return Value(std::move(out));
}

// "3 x 2, 2": consecutive equal allocations together.
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

Result<Answer> run_plan(const Request& request) {
  HOLDFAST_TRY(instance, instance_of(request));
  HOLDFAST_TRY(strategy, make_strategy(*request.strategy, instance));
  const auto attempts = integer_option(request, "attempts");
  const Prepared prepared(instance);
  Plan plan = make_plan(prepared, *strategy, attempts.value_or(1));
  // A document that says what fails is asked about just that.
  if (!attempts && !instance.failures.empty()) {
    plan.lower_bound = lower_bound(prepared.limits, instance.processors, instance.failures);
  }
  Answer answer;
  answer.document.set("strategy", request.strategy->text);
  answer.document.set("allocations", per_job(plan.allocations, attempts.has_value()));
  answer.document.set("durations", per_job(plan.durations, attempts.has_value()));
  answer.document.set("lower_bound", plan.lower_bound);
  answer.document.set("allotment_bound", plan.allotment_bound);
  answer.document.set("relaxed_bound", plan.relaxed_bound);
  if (strategy->is_batched() && !instance.is_fixed()) {
    answer.document.set("batch_probabilities",
                        Value::list(batch_probabilities(prepared.exposures)));
  }
  HOLDFAST_TRY(problem, headline_of(request, instance));
  answer.headline = std::move(problem);
  answer.tables.push_back(plan_table(instance, plan));
  answer.verdict = {processors_of(plan),
                    fmt::format("no schedule of these allocations ends before {}",
                                format_duration(plan.allotment_bound))};
  answer.lines = {
      fmt::format("no allocations of as many attempts allow less than {}",
                  format_duration(plan.relaxed_bound)),
      fmt::format("no schedule of the jobs ends before {}", format_duration(plan.lower_bound)),
  };
  return answer;
}

Result<Answer> run_optimum(const Request& request) {
  HOLDFAST_TRY(instance, instance_of(request));
  std::vector<std::string> warnings;
  if (!instance.is_fixed()) {
    warnings.emplace_back(
        "the error rate is not used: the optimum is that of the attempts given in "
        "\"failures\", here one per job");
  }
  const std::int64_t steps = integer_option(request, "steps").value_or(50'000'000);
  HOLDFAST_TRY(attempts, optimum(instance, steps));
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
  HOLDFAST_TRY(problem, headline_of(request, instance));
  Answer answer;
  answer.headline = std::move(problem);
  answer.warnings = std::move(warnings);
  answer.document.set("makespan", makespan);
  answer.document.set("lower_bound",
                      lower_bound(limits(instance), instance.processors, instance.failures));
  answer.document.set("allocations", per_job(allocations, true));
  answer.tables.push_back(std::move(table));
  answer.verdict.push_back(
      fmt::format("optimum: {} ({} s)", format_duration(makespan), to_text(makespan)));
  answer.schedule = timeline_of(instance, attempts);
  return answer;
}

double failure_probability(const Request& request) {
  const Value* value = request.options.find("probability");
  return value == nullptr ? 0.5 : value->number();
}

// What Theorem 10 says of clusters, be there a document for them or not.
Value clusters_value(const Clusters& clusters) {
  Value out = Value::object();
  const bool is_finite = std::ranges::all_of(clusters.sizes, [](double n) { return n < 1e300; });
  if (is_finite) out.set("sizes", Value::list(clusters.sizes));
  out.set("certainty", Value::list(clusters.certainty));
  out.set("product", clusters.product);
  out.set("ratio", clusters.ratio);
  return out;
}

Result<Adversary> adversary(const Request& request, std::string_view theorem) {
  const auto size = integer_option(request, "size");
  const auto or_default = [&](std::int64_t fallback) { return size.value_or(fallback); };
  if (theorem == "theorem-7") {
    const Value* jobs = request.parameters.find("jobs");
    std::int64_t count = 0;
    if (jobs == nullptr || !jobs->get_integer(count)) count = or_default(16);
    return theorem_7(or_default(16), count);
  }
  if (theorem == "theorem-9") return theorem_9(or_default(5));
  if (theorem == "theorem-10") return theorem_10(or_default(2), failure_probability(request));
  if (theorem == "theorem-11") {
    return theorem_11(or_default(2), request.options.find("fixed") != nullptr);
  }
  constexpr auto kTheorems =
      std::to_array<std::string_view>({"theorem-7", "theorem-9", "theorem-10", "theorem-11"});
  return fail(
      ErrorCode::usage, "what",
      fmt::format("unknown adversary {}; {}", in_quotes(theorem), suggestion(theorem, kTheorems)));
}

Result<Answer> run_generate(const Request& request) {
  constexpr std::string_view kAdversary = "adversary:";
  const Value* given = request.options.find("what");
  const std::string what = given == nullptr ? "random" : *given->string();
  Answer answer;
  if (what.starts_with(kAdversary)) {
    const std::string_view theorem = std::string_view(what).substr(kAdversary.size());
    HOLDFAST_TRY(worst, adversary(request, theorem));
    answer.document = to_value(worst.instance);
    if (theorem == "theorem-10") {
      const std::int64_t groups = integer_option(request, "size").value_or(2);
      answer.document.set("clusters",
                          clusters_value(theorem_10_sizes(groups, failure_probability(request))));
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
    return fail(ErrorCode::usage, "--instance",
                "found a list of jobs, expected the parameters of random ones");
  }
  const auto index = static_cast<std::uint64_t>(integer_option(request, "index").value_or(0));
  HOLDFAST_TRY(instance, instance_of(request, index));
  answer.document = to_value(instance);
  return answer;
}

}  // namespace

std::vector<Verb> verbs() {
  return {
      {.name = "plan",
       .summary = "on how many processors to launch each job, and each repetition",
       .example = "holdfast moldable plan --model communication --jobs 5 --processors 64",
       .options = kPlanOptions,
       .takes_strategy = true,
       .run = run_plan},
      {.name = "optimum",
       .summary = "the best makespan of a small instance whose failures are known, by search",
       .example = "holdfast moldable optimum --model communication --jobs 3 --processors 4",
       .options = kOptimumOptions,
       .has_schedule = true,
       .run = run_optimum},
      {.name = "generate",
       .summary = "write a random instance, or a worst case of the theorems",
       .example = "holdfast moldable generate adversary:theorem-9 --size 5",
       .options = kGenerateOptions,
       .positionals = kWhat,
       .writes_instance = true,
       .run = run_generate},
      fit_verb(),
  };
}

}  // namespace holdfast::moldable
