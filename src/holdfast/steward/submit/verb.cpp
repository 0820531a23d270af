#include "holdfast/steward/submit/verb.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/moldable/headline.hpp"
#include "holdfast/domains/moldable/instance_io.hpp"
#include "holdfast/domains/moldable/strategies.hpp"
#include "holdfast/steward/file_name.hpp"
#include "holdfast/steward/predicted.hpp"
#include "holdfast/steward/submit/driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace holdfast::steward::submit {
namespace {

constexpr auto kSubmitOptions = std::to_array<Field<Options>>({
    {.name = "act",
     .summary = "submit the jobs and follow them; without it, what would be submitted is said",
     .member = member<&Options::act>},
    {.name = "dry_run",
     .summary = "only say what would be submitted (default)",
     .member = member<&Options::dry_run>},
    {.name = "size",
     .summary = "what a processor is for Slurm: a task, a CPU of one task, or a node",
     .member = choice<&Options::size, kSizes>},
    {.name = "sbatch",
     .summary = "what else sbatch is told, without dashes: 'partition=batch time=60'",
     .member = member<&Options::sbatch>,
     .fallback = "-",
     .value_name = "OPTIONS"},
    {.name = "attempts",
     .summary = "attempts after which a job is given up",
     .member = member<&Options::attempts>,
     .range = between(1, 1e6)},
    {.name = "every",
     .summary = "time between two looks at Slurm",
     .member = member<&Options::every>,
     .unit = Unit::seconds,
     .range = between(0.2, 3600)},
    {.name = "once",
     .summary = "look once, submit what can start, and end",
     .member = member<&Options::once>},
    {.name = "output",
     .summary = "folder of the results, the journal and the state, from which a restart goes on",
     .member = member<&Options::directory>,
     .value_name = "DIR"},
});

std::string text_of(const Value& object, std::string_view name, const std::string& fallback) {
  const Value* value = object.find(name);
  return value == nullptr || value->string() == nullptr ? fallback : *value->string();
}

Result<std::vector<Work>> works_of(const Value& document, const moldable::Instance& instance) {
  const Work usual{text_of(document, "command", ""), text_of(document, "verify", "")};
  std::vector<Work> out;
  for (std::size_t job = 0; job < instance.size(); ++job) {
    const Value& one = (*document.find("jobs")->array_items())[job];
    out.push_back({text_of(one, "command", usual.command), text_of(one, "verify", usual.verify)});
    HOLDFAST_CHECK(check_file_name(instance.name(job), fmt::format("/jobs/{}/id", job),
                                   "it names files and jobs of Slurm"));
    if (out.back().command.empty()) {
      return fail(ErrorCode::bad_value, fmt::format("/jobs/{}/command", job),
                  "is missing, expected what the job runs, such as "
                  "\"srun ./solve case-$HOLDFAST_JOB\"; \"command\" of the document is for all "
                  "jobs without their own");
    }
  }
  return out;
}

Predicted predict(const moldable::PreparedInstance& prepared, const moldable::Strategy& strategy,
                  std::uint64_t seed) {
  constexpr std::uint64_t kRuns = 200;
  moldable::Simulator simulator(prepared, strategy);
  std::vector<double> ends;
  const bool is_fixed = prepared.instance->is_fixed();
  for (std::uint64_t run = 0; run < (is_fixed ? 1 : kRuns); ++run) {
    moldable::ErrorRealisation errors = moldable::errors_of(
        prepared, {.seed = seed, .purpose = Purpose::failures, .scenario = run});
    ends.push_back(simulator.run(errors).makespan);
  }
  return predicted_of(std::move(ends));
}

void add_jobs(const State& state, const std::vector<Action>& actions, Answer& answer) {
  Table table{.title = "jobs",
              .columns = {{.title = "job"},
                          {.title = "state"},
                          {.title = "failed"},
                          {.title = "processors"},
                          {.title = "why"}}};
  Value jobs = Value::array();
  for (std::size_t at = 0; at < state.jobs.size(); ++at) {
    const Job& job = state.jobs[at];
    const auto next = std::ranges::find(actions, at, &Action::job);
    const bool starts = next != actions.end();
    const std::string phase =
        starts ? "to submit" : std::string(kPhases[static_cast<std::size_t>(job.phase)]);
    const std::int64_t processors = starts ? next->processors : job.processors;
    const std::string& why = starts ? next->because : job.why;
    table.rows.push_back(
        {job.id, phase, job.failures, processors > 0 ? Value(processors) : Value(), why});
    Value row = Value::object({{"id", job.id}, {"state", phase}, {"failures", job.failures}});
    if (processors > 0) row.set("processors", processors);
    if (starts) row.set("duration", next->time);
    if (!why.empty()) row.set("why", why);
    if (job.ended > 0) row.set("took", job.ended - job.began);
    jobs.push(std::move(row));
  }
  answer.document.set("jobs", std::move(jobs));
  answer.tables.push_back(std::move(table));
}

void add_end(const State& state, const Predicted& predicted, Answer& answer) {
  std::int64_t end = state.begun, attempts = 0, verified = 0;
  for (const Job& job : state.jobs) {
    end = std::max(end, job.ended);
    verified += job.phase == Phase::verified ? 1 : 0;
    attempts += job.failures + (job.phase == Phase::verified ? 1 : 0);
  }
  const auto took = static_cast<double>(end - state.begun);
  answer.document.set("makespan", took);
  answer.verdict.push_back(fmt::format("{} of {} verified after {}, in {}; predicted {}", verified,
                                       counted(state.jobs.size(), "job"), format_duration(took),
                                       counted(attempts, "attempt"), in_words(predicted)));
  answer.is_no = verified < std::ssize(state.jobs);
}

Result<Answer> run_submit(const Options& asked, const Request& request) {
  if (asked.act && asked.dry_run)
    return fail(ErrorCode::usage, "/dry_run", "found beside act, expected one");
  if (moldable::describes_generator(request.parameters)) {
    return fail(ErrorCode::bad_value, "/jobs",
                "found no list of jobs, expected one with their speedups and commands");
  }
  HOLDFAST_TRY(instance, moldable::read_instance(request.parameters));
  if (!instance.releases.empty()) {
    return fail(ErrorCode::bad_value, "/jobs",
                "found a job with a release, expected those that are there now");
  }
  HOLDFAST_TRY(works, works_of(request.parameters, instance));
  HOLDFAST_TRY(strategy, moldable::make_strategy(*request.strategy, instance));
  const moldable::PreparedInstance prepared(instance);
  moldable::LiveRule rule(prepared, *strategy);
  Order order{.options = asked,
              .charge = {.prepared = &prepared, .rule = &rule, .attempts = asked.attempts},
              .form = {.folder = std::filesystem::absolute(asked.directory),
                       .directory = std::filesystem::absolute(request.directory),
                       .size = asked.size,
                       .more = {}},
              .works = std::move(works)};
  for (const std::string_view word : split(asked.sbatch, ' ')) {
    if (!word.empty()) order.form.more.push_back(fmt::format("--{}", word));
  }
  const Predicted predicted = predict(prepared, *strategy, request.seed);
  Answer answer;
  answer.headline = moldable::headline(instance);
  answer.document.set("strategy", request.strategy->text);
  answer.document.set("predicted", to_value(predicted));
  HOLDFAST_TRY(seen, asked.act ? follow(order, request) : look_once(order));
  const auto& [state, actions] = seen;
  if (state.is_over()) {
    add_end(state, predicted, answer);
  } else {
    answer.verdict.push_back(fmt::format("predicted to end after {}", in_words(predicted)));
  }
  if (!asked.act) {
    answer.verdict.push_back(fmt::format("dry run: {} would be submitted now, and --act does it",
                                         counted(actions.size(), "job")));
  }
  if (!actions.empty()) {
    answer.document.set(
        "command", Value::list(command_of(state, actions.front(), order.works[actions.front().job],
                                          order.form)));
  }
  if (std::ranges::any_of(order.works, [](const Work& work) { return work.verify.empty(); }))
    answer.notes.emplace_back(
        "jobs without \"verify\" are believed when their command ends with 0");
  add_jobs(state, actions, answer);
  return answer;
}

constexpr auto kSubmitResults = std::to_array<ResultField>(
    {{"strategy", "strategy that chooses the sizes, in canonical form", Holds::text},
     {"predicted.mean", "predicted makespan on a machine that is free", Unit::seconds},
     {"predicted.low", "2.5 % of runs end earlier", Unit::seconds},
     {"predicted.high", "2.5 % of runs end later", Unit::seconds},
     {"makespan?", "time from the first submission to the last end, if all is over", Unit::seconds},
     {"command?[]", "the command that would submit the first of them", Holds::text},
     {"jobs[].id", "identifier of a job", Holds::text},
     {"jobs[].state", "what is known of it", Holds::text},
     {"jobs[].failures", "attempts that failed", Holds::integer},
     {"jobs[].processors?", "processors of its last or next attempt", Holds::integer},
     {"jobs[].duration?", "predicted duration of the attempt to submit", Unit::seconds},
     {"jobs[].took?", "duration of its last attempt that ended", Unit::seconds},
     {"jobs[].why?", "why it has this size, or this state", Holds::text}});

// Random jobs and those of a log have no command.
constexpr auto kUnusedFields = std::to_array<std::string_view>(
    {"model", "jobs", "sequential_fraction", "log", "longest", "speedup", "log_read_as",
     "log_columns", "log_column_unit", "log_where", "log_dates", "log_header"});

}  // namespace

Verb submit_verb() {
  return {.name = "submit",
          .summary =
              "submit moldable jobs to Slurm with the chosen sizes, and again where their "
              "verification fails",
          .example = "holdfast moldable submit examples/data/moldable-submit.json",
          .family = "moldable",
          .instance_of = "moldable",
          .group = "On a running Slurm",
          .options = fields_of<kSubmitOptions>().parameters(),
          .results = kSubmitResults,
          .takes_strategy = true,
          .only_answers = false,
          .unused = kUnusedFields,
          .run = with_options<run_submit, fields_of<kSubmitOptions>>};
}

}  // namespace holdfast::steward::submit
