#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"
#include "holdfast/print.hpp"
#include "holdfast/seed_option.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/trace_fit_answer.hpp"
#include "holdfast/trace_log.hpp"
#include "holdfast/trace_verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

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
  explicit FitCommand(CLI::App& command) : file_{command}, lifetimes_{command} {
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
    command.add_option("--plot", plot_, "draw survival, seen and fitted, as svg")
        ->type_name("FILE")
        ->take_last()
        ->group("Output");
  }

  Status run(Console& console) const {
    talk_.apply(console);
    HOLDFAST_TRY(families, read_laws());
    HOLDFAST_TRY(seed, seed_.read());
    HOLDFAST_TRY(replicates, read_replicates());
    HOLDFAST_TRY(observed, observe(console));
    auto report = fit(observed, families, seed, replicates);
    if (!report) return fail(in_file(file_.file(), std::move(report).error()));

    const SurvivalCurve curve{observed.lives.lifetimes};
    Answer answer;
    describe(observed, answer);
    add_fits(*report, answer);
    add_survival(curve, report->rows.front().law.fit, answer);
    add_oddities(observed.oddities, answer);
    add_lines(observed, *report, answer);
    if (!plot_.empty())
      HOLDFAST_CHECK(write_file(plot_, survival_picture(curve, *report, file_.file())));
    print_answer(answer, talk_.json, console);
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

  Result<Observed> observe(Console& console) const {
    HOLDFAST_TRY(query, lifetimes_.read());
    HOLDFAST_TRY(trace, file_.open(console));
    if (trace.format->holds != Holds::failures && trace.format->holds != Holds::lifetimes) {
      return fail(ErrorCode::bad_format, file_.file(),
                  fmt::format("found a {}, expected failures or lifetimes", trace.format->summary));
    }
    if (trace.format->holds == Holds::availability) {
      return fail(
          ErrorCode::bad_format, file_.file(),
          "found states of workers, expected failures or lifetimes; `holdfast volatile fit` "
          "fits chains of states");
    }
    return trace.format->holds == Holds::failures ? observe_log(std::move(trace), query)
                                                  : observe_lifetimes(std::move(trace));
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

  Result<Observed> observe_lifetimes(OpenTrace trace) const {
    if (lifetimes_.is_given() || file_.system()) {
      return fail(
          ErrorCode::usage, "",
          "found options that turn a log into lifetimes, but the file holds lifetimes already");
    }
    HOLDFAST_TRY(table, trace.format->read_lifetimes(std::move(trace.lines)));
    std::vector<Lifetime>& lives = table.lifetimes;
    Observed out;
    out.oddities = table.oddities.list();
    out.lives.units = static_cast<std::int64_t>(lives.size());
    for (const Lifetime& life : lives) out.lives.failures += life.is_censored() ? 0 : 1;
    out.lives.lifetimes = std::move(lives);
    return out;
  }

  static Result<FitReport> fit(const Observed& observed, const std::vector<LawFamily>& families,
                               std::uint64_t seed, int replicates) {
    const auto& lives = observed.lives.lifetimes;
    HOLDFAST_TRY(sample, LifetimeSample::make(lives));
    HOLDFAST_TRY(table, compare_laws(sample, {}, families));
    FitReport report;
    report.refusals = std::move(table.refusals);
    for (LawComparison& comparison : table.rows) {
      FittedRow row{.law = std::move(comparison), .goodness = {}, .bootstrap = {}};
      row.goodness = kolmogorov_smirnov(lives, row.law.fit.law(), seed);
      if (replicates > 0) {
        HOLDFAST_TRY(resampled, bootstrap(row.law.fit.family, lives, observed.lives.first_of_unit,
                                          replicates, seed));
        row.bootstrap = std::move(resampled);
      }
      report.rows.push_back(std::move(row));
    }
    return report;
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
  std::string laws_;
  std::string bootstrap_;
  SeedOption seed_;
  TalkOptions talk_;
  std::string plot_;
};

}  // namespace

void add_trace_fit(CLI::App& trace, Console& console) {
  CLI::App* command =
      trace.add_subcommand("fit", "laws of the time between failures, fitted to a log");
  auto given = std::make_shared<FitCommand>(*command);
  command->footer(
      "example: holdfast trace fit examples/data/sample-failures.csv --plot survival.svg");
  command->callback([given, &console] {
    if (const Status status = given->run(console); !status) console.refuse(status.error());
  });
}

}  // namespace holdfast::cli
