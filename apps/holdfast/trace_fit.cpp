#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"
#include "holdfast/print.hpp"
#include "holdfast/seed_option.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/trace_fit_answer.hpp"
#include "holdfast/trace_fit_kinds.hpp"
#include "holdfast/trace_log.hpp"
#include "holdfast/trace_verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
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
};

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
        ->take_last()
        ->group("Options");
    command
        .add_option("--bootstrap", bootstrap_,
                    "also intervals from so many resampled sets of nodes")
        ->type_name("N")
        ->take_last()
        ->group("Options");
    seed_.add(command);
    add_talk_options(command, talk_);
    command.add_option("--plot", plot_, "draw what was seen beside what was fitted, as svg")
        ->type_name("FILE")
        ->take_last()
        ->group("Output");
  }

  Status run(Console& console) const {
    talk_.apply(console);
    HOLDFAST_TRY(families, read_laws());
    HOLDFAST_TRY(seed, seed_.read());
    HOLDFAST_TRY(replicates, read_replicates());
    const std::string ending = std::filesystem::path(plot_).extension().string();
    if (!ending.empty() && ending != ".svg") {
      return fail(ErrorCode::usage, "--plot",
                  fmt::format("found '{}', expected a file that ends in .svg", plot_));
    }
    // What is wrong about the command line is said before the file is opened.
    HOLDFAST_TRY(query, lifetimes_.read());
    HOLDFAST_TRY(trace, file_.open(console));
    HOLDFAST_CHECK(check_options(*trace.format));
    const FitQuestion question{.file = file_.file(), .families = families, .seed = seed};
    auto outcome = fit(std::move(trace), query, question, replicates);
    if (!outcome) {
      Error error = std::move(outcome).error();
      const bool is_placed =
          error.where.starts_with("--") || error.where.find(file_.file()) != std::string::npos;
      return fail(is_placed ? std::move(error) : in_file(file_.file(), std::move(error)));
    }
    if (!plot_.empty()) {
      HOLDFAST_CHECK(draw(*outcome));
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
                         int replicates) const {
    switch (trace.format->holds) {
      case Holds::failures:
      case Holds::lifetimes:
        return fit_failures(std::move(trace), query, question, replicates);
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

  Status draw(const FitOutcome& outcome) const {
    if (outcome.chart.lines.empty()) {
      return fail(ErrorCode::infeasible, "--plot", "nothing could be fitted that could be drawn");
    }
    return write_file(plot_, to_svg(outcome.chart));
  }

  Result<FitOutcome> fit_failures(OpenTrace trace, const LifetimeQuery& query,
                                  const FitQuestion& question, int replicates) const {
    HOLDFAST_TRY(observed, trace.format->holds == Holds::failures
                               ? observe_log(std::move(trace), query)
                               : observe_lifetimes(std::move(trace)));
    HOLDFAST_TRY(report, fit_laws(observed.lives.lifetimes, question));
    HOLDFAST_CHECK(add_bootstrap(observed, question.seed, replicates, report));
    const SurvivalCurve curve{observed.lives.lifetimes};
    FitOutcome out;
    Answer& answer = out.answer;
    describe(observed, answer);
    add_fits(report, answer);
    add_survival(curve, report.rows.front().law.fit, answer);
    add_oddities(observed.oddities, answer);
    add_lines(observed, report, answer);
    out.chart = survival_chart(curve, report, file_.file());
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
                 .is_log = true};
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
                              FitReport& report) {
    if (replicates == 0) return {};
    for (FittedRow& row : report.rows) {
      HOLDFAST_TRY(resampled, bootstrap(row.law.fit.family, observed.lives.lifetimes,
                                        observed.lives.first_of_unit, replicates, seed));
      row.bootstrap = std::move(resampled);
    }
    return {};
  }

  void describe(const Observed& observed, Answer& answer) const {
    std::int64_t exact = 0;
    std::int64_t censored = 0;
    std::int64_t truncated = 0;
    for (const Lifetime& life : observed.lives.lifetimes) {
      if (life.is_exact()) ++exact;
      if (life.is_censored()) ++censored;
      if (life.entry > 0) ++truncated;
    }
    const auto lives = static_cast<std::int64_t>(observed.lives.lifetimes.size());
    answer.document.set("holdfast", Value::object({{"kind", "trace-fit"}, {"version", 1}}));
    answer.document.set("file", file_.file());
    if (file_.system()) answer.document.set("system", *file_.system());
    answer.document.set("units", observed.lives.units);
    answer.document.set("lifetimes",
                        Value::object({{"count", lives},
                                       {"failures", exact},
                                       {"between_inspections", lives - exact - censored},
                                       {"censored", censored},
                                       {"truncated", truncated}}));
    Table table{.title = file_.system()
                             ? fmt::format("{}, system {}", file_.file(), *file_.system())
                             : file_.file(),
                .columns = {{.title = "units"},
                            {.title = "lifetimes"},
                            {.title = "failures"},
                            {.title = "between inspections"},
                            {.title = "censored"},
                            {.title = "truncated"}}};
    table.rows.push_back(
        {observed.lives.units, lives, exact, lives - exact - censored, censored, truncated});
    answer.tables.push_back(std::move(table));
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

  void add_lines(const Observed& observed, const FitReport& report, Answer& answer) const {
    const LawFit& best = report.rows.front().law.fit;
    answer.lines.push_back(fmt::format("best: {}", best.law().text()));
    const auto merge = lifetimes_.merge_alone();
    if (!observed.is_log || file_.file() == "-" || !merge) return;
    std::string options = file_.file();
    if (file_.system()) options += " --system " + *file_.system();
    if (!merge->empty()) options += " --merge " + *merge;
    answer.lines.push_back(fmt::format(
        "plan with it: holdfast checkpoint plan --log {} --work 48h --checkpoint 10min", options));
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
};

}  // namespace

void begin_fit(const FitQuestion& question, const Format& format, Answer& answer) {
  answer.document.set("holdfast", Value::object({{"kind", "trace-fit"}, {"version", 1}}));
  answer.document.set("file", question.file);
  answer.document.set("format", format.name);
  answer.tables.push_back({.title = fmt::format("{}: {}", question.file, format.summary),
                           .columns = {{.title = "what"}, {.title = "value"}},
                           .rows = {}});
}

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
