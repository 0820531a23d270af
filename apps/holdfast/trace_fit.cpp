#include "holdfast/answers/output_file.hpp"
#include "holdfast/answers/trace/fit_answer.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/command_name.hpp"
#include "holdfast/console.hpp"
#include "holdfast/print.hpp"
#include "holdfast/seed_option.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/trace_fit_kinds.hpp"
#include "holdfast/trace_log.hpp"
#include "holdfast/trace_verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::cli {
namespace {

constexpr std::int64_t kMostReplicates = 1'000'000;

/// Lifetimes from a log or from a file of lifetimes, with what is to be told about them.
struct Observed {
  LoggedLifetimes lives;
  std::vector<Oddity> oddities;
  std::size_t systems = 1;
  bool is_log = false;
  FailureUnit unit = FailureUnit::node;

  [[nodiscard]] WatchedLives watched() const {
    return {.lives = lives.lifetimes, .ageless = lives.ageless, .resolution = lives.resolution};
  }
  [[nodiscard]] bool is_machine() const { return is_log && unit == FailureUnit::system; }
};

/// What is resampled for one law, and which lives belong together.
struct Resampled {
  std::vector<Lifetime> lives;
  std::vector<std::size_t> first_of_unit;
};

/// The lives that the law was fitted to: the exponential one also takes those of unknown age, each for itself.
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

/// "each of 512 nodes", "the machine", "each life": one row of what was observed.
std::vector<Value> rate_row(std::string who, std::int64_t failures, double exposure, double mean,
                            const ConfidenceInterval& interval) {
  return {std::move(who),
          failures,
          shown_parameter(exposure, Unit::seconds),
          shown_parameter(mean, Unit::seconds),
          shown_parameter(interval.low, Unit::seconds),
          shown_parameter(interval.high, Unit::seconds)};
}

/// Failures over the time watched: of one unit and, where many units are one machine, of that.
void add_observed(const Observed& observed, const ObservedRate& rate, const std::string& title,
                  Answer& answer) {
  Table table{.title = title,
              .columns = {{.title = "observed"},
                          {.title = "failures"},
                          {.title = "time watched"},
                          {.title = "mtbf"},
                          {.title = "95 % from"},
                          {.title = "to"}}};
  const auto units = static_cast<double>(observed.lives.units);
  std::string who = "each life";
  if (observed.is_log) {
    const std::string_view noun = observed.is_machine() ? "machine" : "node";
    who = observed.lives.units == 1 ? fmt::format("the {}", noun)
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

/// `holdfast trace fit FILE`
class FitCommand {
 public:
  explicit FitCommand(CLI::App& command)
      : file_{command}, lifetimes_{command}, availability_{command}, speedup_{command} {
    command
        .add_option(
            "--law", laws_,
            "laws to fit: best (all, default) or some of exponential, weibull, gamma, lognormal")
        ->type_name("A[,B...]")
        ->group("Options");
    command
        .add_option("--bootstrap", bootstrap_,
                    "also intervals from so many resampled sets of nodes")
        ->type_name("N")
        ->group("Options");
    seed_.add(command);
    add_talk_options(command, talk_);
    command.add_option("--plot", plot_, "draw what was seen beside what was fitted, as svg")
        ->type_name("FILE")
        ->group("Output");
    command.add_flag("--force", force_, "replace a picture that exists")->group("Output");
  }

  Status run(Console& console) const {
    talk_.apply(console);
    HOLDFAST_TRY(families, read_laws());
    HOLDFAST_TRY(seed, seed_.read());
    HOLDFAST_TRY(replicates, read_replicates());
    const std::string ending = std::filesystem::path(plot_).extension().string();
    if (!ending.empty() && ending != ".svg") {
      return fail(ErrorCode::usage, "--plot",
                  fmt::format("found {}, expected a file that ends in .svg", in_quotes(plot_)));
    }
    if (!plot_.empty()) HOLDFAST_CHECK(check_overwrite(plot_, force_));
    // What is wrong about the command line is said before the file is opened.
    HOLDFAST_TRY(query, lifetimes_.read());
    HOLDFAST_TRY(trace, file_.open(console));
    HOLDFAST_CHECK(check_options(*trace.format));
    const FitQuestion question{.file = file_.file(), .families = families, .seed = seed};
    auto outcome = fit(std::move(trace), query, question, replicates, console.interrupted());
    if (!outcome) {
      Error error = std::move(outcome).error();
      const bool is_placed =
          error.where.starts_with("--") || error.where.find(file_.file()) != std::string::npos;
      return fail(is_placed ? std::move(error) : in_file(file_.file(), std::move(error)));
    }
    if (!plot_.empty()) {
      HOLDFAST_CHECK(draw(*outcome, console));
      if (!outcome->picture_warning.empty()) {
        outcome->answer.warnings.push_back(outcome->picture_warning);
      }
    }
    print_answer(outcome->answer, talk_.json, console);
    return {};
  }

 private:
  Result<std::vector<LawFamily>> read_laws() const {
    std::vector<LawFamily> families;
    if (laws_.empty() || laws_ == "best") return families;
    for (const std::string_view name : split(laws_, ',')) {
      auto family = law_family(trim(name));
      if (!family) return fail(ErrorCode::usage, "--law", family.error().message);
      families.push_back(*family);
    }
    return families;
  }

  Result<int> read_replicates() const {
    if (bootstrap_.empty()) return 0;
    HOLDFAST_TRY(count, read_count(bootstrap_, "--bootstrap"));
    if (count < 2 || count > kMostReplicates) {
      return fail(ErrorCode::usage, "--bootstrap",
                  fmt::format("found {}, expected a number from 2 to {}", count, kMostReplicates));
    }
    return static_cast<int>(count);
  }

  // Options that the kind of file has no use for are mistakes.
  Status check_options(const Format& format) const {
    const bool is_log = format.holds == Holds::failures || format.holds == Holds::lifetimes;
    const auto unused = [&](const std::string& option, bool is_used) -> Status {
      if (option.empty() || is_used) return {};
      return fail(ErrorCode::usage, option,
                  fmt::format("is of no use for {}: {}", file_.file(), format.summary));
    };
    HOLDFAST_CHECK(unused(availability_.given(), format.holds == Holds::availability));
    HOLDFAST_CHECK(unused(speedup_.given(), format.holds == Holds::speedup));
    HOLDFAST_CHECK(unused(laws_.empty() ? "" : "--law", format.holds != Holds::speedup));
    HOLDFAST_CHECK(unused(bootstrap_.empty() ? "" : "--bootstrap", is_log));
    HOLDFAST_CHECK(unused(lifetimes_.given(), format.holds == Holds::failures));
    return unused(file_.system() ? "--system" : "", format.holds == Holds::failures);
  }

  Result<FitOutcome> fit(OpenTrace trace, const LifetimeQuery& query, const FitQuestion& question,
                         int replicates, const std::atomic<bool>* stop) const {
    switch (trace.format->holds) {
      case Holds::failures:
      case Holds::lifetimes:
        return fit_failures(std::move(trace), query, question, replicates, stop);
      case Holds::availability:
        return availability_.run(std::move(trace), question);
      case Holds::jobs:
        return fit_jobs(std::move(trace), question);
      case Holds::speedup:
        return speedup_.run(std::move(trace), question);
      default:
        return fail(ErrorCode::bad_format, file_.file(),
                    fmt::format("found {}, expected failures, lifetimes, states of workers, a "
                                "batch log or run times of programs",
                                trace.format->summary));
    }
  }

  Status draw(const FitOutcome& outcome, Console& console) const {
    if (outcome.chart.lines.empty()) {
      return fail(ErrorCode::infeasible, "--plot", "nothing could be fitted that could be drawn");
    }
    return write_new_file(plot_, to_svg(outcome.chart), force_, console);
  }

  Result<FitOutcome> fit_failures(OpenTrace trace, const LifetimeQuery& query,
                                  const FitQuestion& question, int replicates,
                                  const std::atomic<bool>* stop) const {
    HOLDFAST_TRY(observed, trace.format->holds == Holds::failures
                               ? observe_log(std::move(trace), query)
                               : observe_lifetimes(std::move(trace)));
    HOLDFAST_TRY(report, fit_laws(observed.watched(), question));
    HOLDFAST_CHECK(add_bootstrap(observed, question.seed, replicates, stop, report));
    const SurvivalCurve curve{observed.lives.lifetimes};
    FitOutcome out;
    Answer& answer = out.answer;
    begin(observed, report.observed, answer);
    add_fits(report, answer);
    add_survival(curve, report.rows.front().law.fit, answer);
    add_oddities(observed.oddities, answer);
    add_cautions(observed, report, answer);
    add_lines(observed, report, answer);
    out.chart = survival_chart(
        curve, report,
        picture_title(file_.file(),
                      file_.system() ? "system " + *file_.system() + ", survival" : "survival"));
    return out;
  }

  Result<Observed> observe_log(OpenTrace trace, const LifetimeQuery& query) const {
    HOLDFAST_TRY(log, file_.read_log(std::move(trace)));
    auto lives = lifetimes_of(log, query);
    if (!lives) {
      if (!lives.error().where.empty()) return fail(as_option_error(std::move(lives).error()));
      return fail(in_file(file_.file(), std::move(lives).error()));
    }
    Observed out{.lives = std::move(*lives),
                 .oddities = log.oddities.list(),
                 .systems = log.systems.size(),
                 .is_log = true,
                 .unit = query.unit};
    const auto& more = out.lives.oddities.list();
    out.oddities.insert(out.oddities.end(), more.begin(), more.end());
    return out;
  }

  static Result<Observed> observe_lifetimes(OpenTrace trace) {
    HOLDFAST_TRY(table, trace.format->read_lifetimes(std::move(trace.lines)));
    std::vector<Lifetime>& lives = table.lifetimes;
    Observed out;
    out.oddities = table.oddities.list();
    out.lives.units = static_cast<std::int64_t>(lives.size());
    for (const Lifetime& life : lives) out.lives.failures += life.is_censored() ? 0 : 1;
    out.lives.lifetimes = std::move(lives);
    return out;
  }

  static Status add_bootstrap(const Observed& observed, std::uint64_t seed, int replicates,
                              const std::atomic<bool>* stop, FitReport& report) {
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

  void begin(const Observed& observed, const ObservedRate& rate, Answer& answer) const {
    answer.document.set("holdfast", Value::object({{"kind", "trace-fit"}, {"version", 1}}));
    answer.document.set("file", file_.file());
    if (file_.system()) answer.document.set("system", *file_.system());
    answer.document.set("units", observed.lives.units);
    const std::string title =
        file_.system() ? fmt::format("{}, system {}", file_.file(), *file_.system()) : file_.file();
    add_observed(observed, rate, title, answer);
    add_counts(observed, answer);
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

  static void add_counts(const Observed& observed, Answer& answer) {
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
    answer.document.set("lifetimes",
                        Value::object({{"count", lives},
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

  static void add_cautions(const Observed& observed, const FitReport& report, Answer& answer) {
    for (const std::string& caution : report.cautions) answer.warnings.push_back(caution);
    const bool has_machine = observed.is_log && !observed.is_machine();
    if (observed.lives.ageless.empty() || !has_machine) return;
    answer.warnings.push_back(fmt::format(
        "{} lives began before the log, nobody knows when: laws of ages are those of nodes that "
        "have failed at least once; --unit system fits the machine as a whole",
        observed.lives.ageless.size()));
  }

  void add_lines(const Observed& observed, const FitReport& report, Answer& answer) const {
    const LawFit& best = report.rows.front().law.fit;
    answer.verdict.push_back(fmt::format("best: {}", best.law().text()));
    if (!report.reason.empty()) answer.verdict.push_back(report.reason);
    if (!observed.is_log || file_.file() == "-" || observed.systems > 1) return;
    answer.lines.push_back(fmt::format("plan with it: {}", command_line(plan_command(best))));
  }

  /// The plan that takes this log as it was taken here.
  [[nodiscard]] std::vector<std::string> plan_command(const LawFit& best) const {
    std::vector<std::string> words = {"checkpoint", "plan", "--log", file_.file()};
    if (!file_.format().empty()) {
      words.emplace_back("--log-format");
      words.push_back(file_.format());
    }
    if (file_.system()) {
      words.emplace_back("--system");
      words.push_back(*file_.system());
    }
    for (std::string& word : lifetimes_.words()) words.push_back(std::move(word));
    if (!laws_.empty() && laws_ != "best") {
      words.emplace_back("--distribution");
      words.emplace_back(name_of(best.family));
    }
    for (const char* word : {"--work", "48h", "--checkpoint", "10min"}) words.emplace_back(word);
    return words;
  }

  TraceFileOption file_;
  LifetimeOptions lifetimes_;
  AvailabilityFit availability_;
  SpeedupProfileFit speedup_;
  std::string laws_;
  std::string bootstrap_;
  SeedOption seed_;
  TalkOptions talk_;
  std::string plot_;
  bool force_ = false;
};

}  // namespace

void add_trace_fit(CLI::App& trace, Console& console) {
  CLI::App* command = trace.add_subcommand(
      "fit",
      "models of a trace: laws of times between failures; chains and laws of availability; "
      "laws of arrivals and run times; speedup of programs");
  auto given = std::make_shared<FitCommand>(*command);
  command->footer(
      "examples: holdfast trace fit examples/data/sample-failures.csv --plot survival.svg\n"
      "          holdfast trace fit examples/data/speedup.csv --plot speedup.svg\n"
      "          holdfast trace fit examples/data/sample-jobs.swf --law weibull,lognormal --plot "
      "durations.svg\n"
      "          holdfast trace fit examples/data/sample-hosts.avt --slot 1h --unavailable "
      "reclaimed --json");
  command->callback([given, &console] {
    if (const Status status = given->run(console); !status) console.refuse(status.error());
  });
}

}  // namespace holdfast::cli
