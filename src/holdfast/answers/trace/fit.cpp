#include "holdfast/answers/asked/command_line.hpp"
#include "holdfast/answers/trace/facts.hpp"
#include "holdfast/answers/trace/fit_answer.hpp"
#include "holdfast/answers/trace/fit_causes.hpp"
#include "holdfast/answers/trace/fit_kinds.hpp"
#include "holdfast/answers/trace/fit_members.hpp"
#include "holdfast/answers/trace/fit_options.hpp"
#include "holdfast/answers/trace/fit_systems.hpp"
#include "holdfast/answers/trace/source.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/models/failures/fit_choice.hpp"
#include "holdfast/traces/failures/log_notes.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

/// Lifetimes from a log or from a file of lifetimes, with what an answer reports about them.
struct Observed {
  LoggedLifetimes lives;
  std::vector<Oddity> oddities;
  std::size_t systems = 1;
  bool is_log = false;
  FailureUnit unit = FailureUnit::node;
  std::vector<std::string> doubts = {};  ///< what is assumed of the log
  CauseTests causes = {};                ///< why its nodes fail

  [[nodiscard]] WatchedLives watched() const {
    return {.lives = lives.lifetimes, .ageless = lives.ageless, .resolution = lives.resolution};
  }
  [[nodiscard]] bool is_machine() const { return is_log && unit == FailureUnit::system; }
};

/// The lives that are resampled for one law, and which of them belong together.
struct Resampled {
  std::vector<Lifetime> lives;
  std::vector<std::size_t> first_of_unit;
};

/// Returns the lives to which the law was fitted. The exponential law also uses the lives of unknown age, each as a unit of its
/// own.
Resampled lives_for(LawFamily family, const LoggedLifetimes& logged) {
  Resampled out{within_resolution(logged.lifetimes, logged.resolution), logged.first_of_unit};
  if (family != LawFamily::exponential || logged.ageless.empty()) return out;
  if (out.first_of_unit.empty()) {
    for (std::size_t i = 0; i <= out.lives.size(); ++i) out.first_of_unit.push_back(i);
  }
  for (const Lifetime& life : logged.ageless) {
    out.lives.push_back(life);
    out.first_of_unit.push_back(out.lives.size());
  }
  return out;
}

/// Returns one row of the observations: "each of 512 nodes", "the machine", "each life".
std::vector<Value> rate_row(std::string who, std::int64_t failures, double exposure, double mean,
                            const ConfidenceInterval& interval) {
  return {std::move(who),
          failures,
          shown_parameter(exposure, Unit::seconds),
          shown_parameter(mean, Unit::seconds),
          shown_parameter(interval.low, Unit::seconds),
          shown_parameter(interval.high, Unit::seconds)};
}

/// Adds failures over the observed time: of one unit and, if many units are one machine, of the machine.
void add_observed(const Observed& observed, const ObservedRate& rate, const std::string& title,
                  Answer& answer) {
  Table table{.title = title,
              .columns = {{.title = "observed"},
                          {.title = "failures"},
                          {.title = "time observed"},
                          {.title = "mtbf"},
                          {.title = "95 % from"},
                          {.title = "to"}}};
  const auto units = static_cast<double>(observed.lives.units);
  std::string who = "each life";
  if (observed.is_log) {
    const std::string_view noun = observed.is_machine() ? "machine" : "node";
    who = observed.lives.units == 0   ? fmt::format("each {}", noun)
          : observed.lives.units == 1 ? fmt::format("the {}", noun)
                                      : fmt::format("each of {} {}s", observed.lives.units, noun);
  }
  table.rows.push_back(
      rate_row(std::move(who), rate.failures, rate.exposure, rate.mean, rate.interval));
  Value document = observed_document(rate);
  if (observed.is_log && !observed.is_machine() && observed.systems == 1 && units > 1) {
    ObservedRate machine = rate;
    machine.exposure /= units;
    machine.mean /= units;
    machine.interval = {rate.interval.low / units, rate.interval.high / units};
    table.rows.push_back(rate_row("the machine", machine.failures, machine.exposure, machine.mean,
                                  machine.interval));
    document.set("machine", observed_document(machine));
  }
  answer.document.set("observed", std::move(document));
  answer.tables.push_back(std::move(table));
}

// Refuses options that do not apply to the kind of file, because they are mistakes.
Status check_use(const TraceFitOptions& options, const Format& format) {
  const bool has_failures = format.as<FailureLog>() != nullptr;
  const bool is_log = has_failures || format.as<LifetimeTable>() != nullptr;
  const auto unused = [&](const char* option, bool is_given, bool is_used) -> Status {
    if (!is_given || is_used) return {};
    return fail(ErrorCode::usage, option_name(option),
                fmt::format("is of no use for {}: {}", options.source.file, format.summary));
  };
  const bool is_availability = format.as<AvailabilityRecord>() != nullptr;
  const bool is_speedup = format.as<SpeedupTable>() != nullptr;
  HOLDFAST_CHECK(unused("slot", !options.availability.slot.empty(), is_availability));
  HOLDFAST_CHECK(unused("unavailable", !options.availability.unavailable.empty(), is_availability));
  HOLDFAST_CHECK(unused("series", !options.series.empty(), is_speedup));
  HOLDFAST_CHECK(unused("law", !options.law.empty(), !is_speedup));
  HOLDFAST_CHECK(unused("resolution", !options.resolution.empty(), is_log && !has_failures));
  HOLDFAST_CHECK(unused("at", !options.at.empty(), is_log));
  HOLDFAST_CHECK(unused("bootstrap", options.bootstrap.has_value(), is_log));
  for (const auto& [name, text] : options.lifetimes.options()) {
    HOLDFAST_CHECK(unused(name, !text->empty(), has_failures));
  }
  return unused("system", options.source.system.has_value(), has_failures);
}

Result<Observed> observe(const FailureLog& log, const TraceSource& source,
                         const LifetimeQuery& query) {
  auto lives = lifetimes_of(log, query);
  if (!lives) {
    if (!lives.error().where.empty()) return fail(as_option_error(std::move(lives).error()));
    return fail(in_file(source.file, std::move(lives).error()));
  }
  Observed out{.lives = std::move(*lives),
               .oddities = log.oddities.list(),
               .systems = log.systems.size(),
               .is_log = true,
               .unit = query.unit,
               .doubts = doubts_about(log)};
  if (!out.is_machine()) out.causes = causes_of(log, out.lives);
  const auto& more = out.lives.oddities.list();
  out.oddities.insert(out.oddities.end(), more.begin(), more.end());
  return out;
}

Result<Observed> observe(const FormatOf<LifetimeTable>& format, TraceText lines,
                         double resolution) {
  HOLDFAST_TRY(table, format.read(std::move(lines)));
  std::vector<Lifetime>& lives = table.lifetimes;
  Observed out;
  out.oddities = table.oddities.list();
  out.lives.units = static_cast<std::int64_t>(lives.size());
  for (const Lifetime& life : lives) out.lives.failures += life.is_censored() ? 0 : 1;
  out.lives.lifetimes = std::move(lives);
  out.lives.resolution = resolution;
  return out;
}

Status add_bootstrap(const Observed& observed, std::uint64_t seed, int replicates, Stop stop,
                     FitReport& report) {
  if (replicates == 0) return {};
  for (FittedRow& row : report.rows) {
    const LawFamily family = row.law.fit.family;
    const Resampled lives = lives_for(family, observed.lives);
    HOLDFAST_TRY(resampled, bootstrap(family, lives.lives, lives.first_of_unit,
                                      {.replicates = replicates, .seed = seed, .stop = stop}));
    row.bootstrap = std::move(resampled);
  }
  return {};
}

void add_counts(const Observed& observed, Answer& answer) {
  std::int64_t exact = 0;
  std::int64_t censored = 0;
  std::int64_t truncated = 0;
  for (const Lifetime& life : observed.lives.lifetimes) {
    if (life.is_exact()) ++exact;
    if (life.is_censored()) ++censored;
    if (life.entry > 0) ++truncated;
  }
  const auto lives = static_cast<std::int64_t>(observed.lives.lifetimes.size());
  const auto ageless = static_cast<std::int64_t>(observed.lives.ageless.size());
  answer.document.set("lifetimes", Value::object({{"count", lives},
                                                  {"failures", exact},
                                                  {"between_inspections", lives - exact - censored},
                                                  {"censored", censored},
                                                  {"truncated", truncated},
                                                  {"of_unknown_age", ageless}}));
  answer.tables.push_back(
      {.title = "lives",
       .columns = {{.title = "of known age"},
                   {.title = "failures"},
                   {.title = "between inspections"},
                   {.title = "censored"},
                   {.title = "truncated"},
                   {.title = "of unknown age"}},
       .rows = {{lives, exact, lives - exact - censored, censored, truncated, ageless}}});
}

void begin(const TraceSource& source, const Observed& observed, const ObservedRate& rate,
           Answer& answer) {
  answer.document.set("holdfast", Value::object({{"kind", "trace-fit"}, {"version", 1}}));
  answer.document.set("file", source.file);
  if (source.system) answer.document.set("system", *source.system);
  answer.document.set("units", observed.lives.units);
  const std::string title =
      source.system ? fmt::format("{}, system {}", source.file, *source.system) : source.file;
  add_observed(observed, rate, title, answer);
  add_counts(observed, answer);
  answer.warnings = observed.doubts;
  if (!observed.is_log) return;
  Value ages = Value::array();
  for (const LoggedAge& group : observed.lives.ages)
    ages.push(Value(Value::Array{group.age, group.count}));
  answer.document.set("ages", std::move(ages));
  if (observed.systems > 1) {
    answer.warnings.push_back(fmt::format(
        "the nodes of {} systems are fitted together; --system takes one", observed.systems));
  }
}

void add_cautions(const Observed& observed, const FitReport& report, Answer& answer) {
  for (const std::string& caution : report.cautions) answer.warnings.push_back(caution);
  constexpr double kCoarse = 60;  // of whole seconds nobody asks whether they were rounded
  const double step = observed.is_log ? 0 : common_step(observed.lives.lifetimes);
  if (step >= kCoarse && observed.lives.resolution == 0) {
    answer.warnings.push_back(
        fmt::format("all ages are multiples of {0} and were taken as exact; if they were rounded, "
                    "--resolution {0} says so",
                    exact_text(step, Unit::seconds)));
  }
  const bool has_machine = observed.is_log && !observed.is_machine();
  if (observed.lives.ageless.empty() || !has_machine) return;
  answer.warnings.push_back(fmt::format(
      "{} lives began at an unknown date before the log: laws of ages are those of nodes that "
      "have failed at least once; --unit system fits the machine as a whole",
      observed.lives.ageless.size()));
}

// Returns the command for a plan that reads this log with the same options.
std::vector<std::string> plan_command(const TraceFitOptions& options, const LawFit& best) {
  std::vector<std::string> words = {"checkpoint", "plan", "--log", options.source.file};
  if (!options.source.read_as.empty()) {
    words.emplace_back("--read-as");
    words.push_back(options.source.read_as);
  }
  for (const auto& [name, text] : options.source.table_options()) {
    words.push_back(option_name(name));
    words.push_back(text);
  }
  if (options.source.system) {
    words.emplace_back("--system");
    words.push_back(*options.source.system);
  }
  if (!options.source.nodes.empty()) {
    words.emplace_back("--log-nodes");
    words.push_back(options.source.nodes);
  }
  if (!options.source.observed.empty()) {
    words.emplace_back("--observed");
    words.push_back(options.source.observed);
  }
  for (const auto& [name, text] : options.lifetimes.options()) {
    if (text->empty()) continue;
    words.push_back(option_name(name));
    words.push_back(*text);
  }
  if (!options.law.empty() && options.law != "best") {
    words.emplace_back("--distribution");
    words.emplace_back(name_of(best.family));
  }
  for (const char* word : {"--work", "48h", "--checkpoint", "10min"}) words.emplace_back(word);
  return words;
}

void add_lines(const TraceFitOptions& options, const Observed& observed, const FitReport& report,
               Answer& answer) {
  const LawFit& best = report.rows.front().law.fit;
  answer.verdict = verdict_of(report);
  if (report.is_mean_seen) answer.verdict.front() = "best: " + answer.verdict.front();
  if (observed.systems > 1) {
    answer.verdict.front() =
        fmt::format("{} systems, each with its own law (--system takes one); together {}",
                    observed.systems, answer.verdict.front());
  }
  if (observed.is_log && !observed.is_machine()) add_causes(observed.causes, answer);
  if (!observed.is_log || options.source.file == "-" || observed.systems > 1) return;
  answer.lines.push_back(
      fmt::format("plan with it: {}", command_line(plan_command(options, best))));
}

/// The input of a fit: the options as they were typed, and their values.
struct FitTask {
  const TraceFitOptions& options;
  const LifetimeQuery& query;
  const FitQuestion& question;
  int replicates;
  double resolution;
  Stop stop;
};

Result<Answer> fit_lives(const FitTask& task, Result<Observed> lives) {
  if (!lives) return fail(std::move(lives).error());
  const Observed& observed = *lives;
  const FitQuestion& question = task.question;
  const TraceSource& source = task.options.source;
  HOLDFAST_TRY(report, fit_laws(observed.watched(), question));
  HOLDFAST_CHECK(add_bootstrap(observed, question.seed, task.replicates, task.stop, report));
  const SurvivalCurve curve{lives_with_failures(observed.watched())};
  Answer answer;
  begin(source, observed, report.observed, answer);
  add_fits(report, answer);
  add_answers(report.rows.front().law.fit, answer);
  if (observed.is_log)
    add_recurrence(observed.lives.watched, observed.is_machine() ? "machine" : "node", answer);
  add_survival(curve, report.rows.front().law.fit, answer);
  add_oddities(observed.oddities, answer);
  add_cautions(observed, report, answer);
  add_lines(task.options, observed, report, answer);
  answer.chart = survival_chart(
      curve, report,
      picture_title(source.file,
                    source.system ? "system " + *source.system + ", survival" : "survival"));
  answer.observations = [curve] { return survival_table(curve); };
  return answer;
}

// Fits models to a file, depending on the kind of its records; most kinds have none.

template <class Record>
Result<Answer> fit_file(const FormatOf<Record>& format, TraceText, const FitTask& task) {
  return fail(ErrorCode::bad_format, task.options.source.file,
              fmt::format("found {}, expected failures, lifetimes, states of workers, a batch "
                          "log or run times of programs",
                          format.facts.summary));
}

Result<Answer> fit_file(const FormatOf<FailureLog>& format, TraceText lines, const FitTask& task) {
  const TraceSource& source = task.options.source;
  std::optional<FailureLog> several;  // a log of one system is not needed any longer than its lives
  const auto observed = [&]() -> Result<Observed> {
    HOLDFAST_TRY(log, source.read_log(format, std::move(lines)));
    auto out = observe(log, source, task.query);
    if (log.systems.size() > 1) several = std::move(log);
    return out;
  };
  HOLDFAST_TRY(answer, fit_lives(task, observed()));
  if (several && task.query.unit == FailureUnit::node)
    add_systems(std::move(*several), task.query, task.question, answer);
  return answer;
}

Result<Answer> fit_file(const FormatOf<LifetimeTable>& format, TraceText lines,
                        const FitTask& task) {
  return fit_lives(task, observe(format, std::move(lines), task.resolution));
}

Result<Answer> fit_file(const FormatOf<AvailabilityRecord>& format, TraceText lines,
                        const FitTask& task) {
  return fit_availability(format, std::move(lines), task.options.availability, task.question);
}

Result<Answer> fit_file(const FormatOf<JobLog>& format, TraceText lines, const FitTask& task) {
  return fit_jobs(format, std::move(lines), task.question);
}

Result<Answer> fit_file(const FormatOf<SpeedupTable>& format, TraceText lines,
                        const FitTask& task) {
  return fit_speedup(format, std::move(lines), task.options.series, task.question);
}

Result<Answer> fit(const TraceFitOptions& options, const Request& request) {
  HOLDFAST_TRY(families, options.laws());
  HOLDFAST_TRY(replicates, options.replicates());
  HOLDFAST_TRY(resolution, options.step());
  HOLDFAST_TRY(asked, options.asked());
  // Errors in the options are reported before the file is opened.
  HOLDFAST_TRY(query, options.lifetimes.query());
  HOLDFAST_TRY(trace, options.source.open(request));
  HOLDFAST_CHECK(check_use(options, *trace.format));
  const FitQuestion question{
      .file = options.source.file, .families = families, .seed = request.seed, .options = asked};
  const FitTask task{.options = options,
                     .query = query,
                     .question = question,
                     .replicates = replicates,
                     .resolution = resolution,
                     .stop = request.stop};
  const std::shared_ptr<const TableReading> reading = trace.lines.reading;
  auto outcome =
      std::visit([&](const auto& format) { return fit_file(format, std::move(trace.lines), task); },
                 trace.format->of);
  if (outcome) {
    say_reading(options.source.file, reading.get(), *outcome);
    return outcome;
  }
  Error error = std::move(outcome).error();
  return fail(error.where.starts_with("--") ? std::move(error)
                                            : options.source.placed(std::move(error)));
}

constexpr auto kFitResults = std::to_array<ResultField>(
    {{"", "the header", kHeaderMembers},
     {"file", "the file", Holds::text},
     {"format?", "its format", Holds::text},
     {"system?", "system of a log of several", Holds::text},
     {"units?", "nodes or systems", Holds::integer},
     {"observed?", "what was observed", kObservedMembers},
     {"observed?.machine?", "the same for the machine as a whole", kObservedMembers},
     {"lifetimes?.*", "number of lives: count, failures, censored and others", Holds::integer},
     {"ages?[][]", "age and number of the nodes of that age at the end of the log", Unit::seconds},
     {"resolution?", "step of the values", Unit::seconds},
     {"fits?[]", "the fitted laws, the best one first", kLawFit},
     {"refused?[].distribution", "a law that could not be fitted", Holds::text},
     {"refused?[].why", "why", Holds::text},
     {"failures?", "the best law, as instances take it", kLaw},
     {"reason?", "what speaks against the best law", Holds::text},
     {"recurrence?.units_by_failures[][]", "number of failures, and of units with so many",
      Holds::integer},
     {"recurrence?.*.statistic", "statistic of a test: dispersion, laplace, crow_amsaa"},
     {"recurrence?.*.p_value", "its p-value"},
     {"recurrence?.*.*", "its estimate"},
     {"survival_estimate?", "name of the estimator of the survival", Holds::text},
     {"survival?[].age", "an age", Unit::seconds},
     {"survival?[].to_age?", "end of the ages in which the step may lie", Unit::seconds},
     {"survival?[].at_risk", "units at risk"},
     {"survival?[].survival", "estimated probability to outlive that age"},
     {"survival?[].low?", "lower end of the 95 % interval"},
     {"survival?[].high?", "upper end"},
     {"survival?[].cumulative_hazard?", "estimated cumulative hazard"},
     {"survival?[].law", "the same probability by the best law"},
     {"oddities?[].what", "something odd in the file", Holds::text},
     {"oddities?[].count", "how often it occurs", Holds::integer},
     {"oddities?[].action", "what was done about it", Holds::text},
     {"quantities?.*", "jobs: a quantity to which laws were fitted", kFittedQuantity},
     {"arrivals?.rate", "jobs: submissions per second", Unit::per_second},
     {"arrivals?.hours", "hours of the log", Holds::integer},
     {"arrivals?.clock", "utc, or the clock of the log", Holds::text},
     {"arrivals?.by_hour[]", "submissions in each hour of the day over their mean",
      Holds::anything},
     {"arrivals?.dispersion?", "dispersion of the submissions of an hour"},
     {"series?[].name", "run times: a program", Holds::text},
     {"series?[].processors[]", "processors of its measurements", Holds::integer},
     {"series?[].seconds[]", "run time of each", Unit::seconds},
     {"series?[].fits?[]", "the fitted models, the best one first", kSpeedupFit},
     {"series?[].preferred?", "model with the fewest parameters among those that fit", Holds::text},
     {"seen?.*", "availability: part of the time in that state"},
     {"chain?.slot", "length of a slot of the Markov chain", Unit::seconds},
     {"chain?.slots", "slots of all histories", Unit::slots},
     {"chain?.pool[][]", "its probabilities"},
     {"chain?.intervals[][][]", "95 % interval of each"},
     {"chain?.log_likelihood", "its log-likelihood"},
     {"chain?.long_run.*", "part of the time in that state in the long run"},
     {"chain?.holding_times.*.runs", "stays in that state", Holds::integer},
     {"chain?.holding_times.*.dispersion", "dispersion of their lengths"},
     {"chain?.holding_times.*.score", "its score"},
     {"chain?.holding_times.*.geometric", "whether the chain describes them", Holds::flag},
     {"semi_markov?.stays.*", "stays in that state", kFittedQuantity},
     {"semi_markov?.long_run?.*", "part of the time in that state in the long run"},
     {"causes?.*.seen", "what the test of a cause sees, such as a share of failures"},
     {"causes?.*.expected", "what chance alone would show"},
     {"causes?.*.p_value", "probability that chance shows as much"},
     {"by_system?[]", "a system of a log of several", kSystemMembers},
     {"read_as?.*", "how a table was read", Holds::text},
     {"*", "a fact of this kind of trace: jobs, workers, from, to, period and others",
      Holds::number_or_text}});

}  // namespace

Verb trace_fit_verb() {
  return {.name = "fit",
          .summary =
              "fit models to a trace: laws of times between failures; chains and laws of "
              "availability; laws of arrivals and run times; speedup of programs",
          .example =
              "holdfast trace fit examples/data/sample-failures.csv --plot survival.svg\n"
              "holdfast trace fit examples/data/speedup.csv --plot speedup.svg\n"
              "holdfast trace fit examples/data/sample-jobs.swf --law weibull,lognormal --plot "
              "durations.svg\n"
              "holdfast trace fit examples/data/sample-hosts.avt --slot 1h --unavailable reclaimed "
              "--json",
          .family = "trace",
          .options = fit_options().parameters(),
          .positionals = trace_file<TraceFitOptions>().parameters(),
          .results = kFitResults,
          .takes_instance = false,
          .has_chart = true,
          .run = with_options<fit, trace_file<TraceFitOptions>, fit_options>};
}

}  // namespace holdfast
