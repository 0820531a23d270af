#include "holdfast/base/elementary.hpp"
#include "holdfast/base/node_names.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/contract/verb_options.hpp"
#include "holdfast/domains/volatile/admission.hpp"
#include "holdfast/domains/volatile/recorded_pool.hpp"
#include "holdfast/domains/volatile/verbs.hpp"
#include "holdfast/traces/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast::volatile_workers {
namespace {

constexpr std::int64_t kFewestDepartures = 3;
constexpr int kCannotSay = 4;  // exit status

struct AdmitOptions {
  std::filesystem::path file;
  std::string node;
  std::string running;
  double restart = 0;
  std::optional<double> join;
  double interval = 0;
  std::optional<double> since_checkpoint;
  double added = 1;
  bool is_reclaimed = false;
  std::string read_as;
};
constexpr auto kAdmitFile = std::to_array<Field<AdmitOptions>>({
    {.name = "file",
     .summary = "when machines were up so far",
     .member = member<&AdmitOptions::file>},
});
constexpr auto kAdmitOptions = std::to_array<Field<AdmitOptions>>({
    {.name = "node",
     .summary = "machine that has come back, by its name in the record",
     .member = member<&AdmitOptions::node>,
     .value_name = "NAME"},
    {.name = "running",
     .summary = "machines that compute now, by their names, such as n[01-07],n12",
     .member = member<&AdmitOptions::running>,
     .value_name = "LIST"},
    {.name = "restart",
     .summary = "time from the stop of all processes until all compute again, where a machine left",
     .member = member<&AdmitOptions::restart>,
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "join",
     .summary = "the same where a machine joins (default: the same time)",
     .member = member<&AdmitOptions::join>,
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "interval",
     .summary = "work from one checkpoint to the next",
     .member = member<&AdmitOptions::interval>,
     .unit = Unit::seconds,
     .range = positive()},
    {.name = "since_checkpoint",
     .summary = "work since the last checkpoint (default: half of the interval)",
     .member = member<&AdmitOptions::since_checkpoint>,
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "added",
     .summary = "what the machine adds to the speed, in machines: less than 1 if work scales badly",
     .member = member<&AdmitOptions::added>,
     .range = positive()},
    {.name = "unavailable",
     .summary = "state of a machine that is not up according to a record that has only two states",
     .member = choice<&AdmitOptions::is_reclaimed, kUnavailable>},
    {.name = "read_as",
     .summary = "format of the file (default: recognised from its contents)",
     .member = member<&AdmitOptions::read_as>,
     .value_name = "NAME"},
});

Status check(const AdmitOptions& options) {
  const auto missing = [](std::string_view field, std::string_view what) {
    return fail(ErrorCode::usage, fmt::format("/{}", field),
                fmt::format("found none, expected {}", what));
  };
  if (options.file.empty()) return missing("file", "a record of when machines were up");
  if (options.node.empty()) return missing("node", "the name of the machine that may join");
  if (options.running.empty()) return missing("running", "the names of the machines that compute");
  if (options.restart <= 0) return missing("restart", "the time that a restart takes, such as 45s");
  if (options.interval <= 0)
    return missing("interval", "the work between checkpoints, such as 10min");
  if (options.since_checkpoint.value_or(0) > options.interval) {
    return fail(
        ErrorCode::bad_value, "/since_checkpoint",
        fmt::format("found {}, expected at most the interval of {}",
                    format_duration(*options.since_checkpoint), format_duration(options.interval)));
  }
  return {};
}

Result<std::vector<std::string>> running_of(const AdmitOptions& options) {
  auto names = expand_nodes(options.running);
  if (!names) return fail(of_field("/running", std::move(names).error()));
  if (node_number(*names, options.node)) {
    return fail(ErrorCode::bad_value, "/node",
                fmt::format("found {}, which is among those that run, expected another",
                            in_quotes(options.node)));
  }
  return names;
}

// What a record says about machines by their names.
class Record {
 public:
  explicit Record(std::span<const WorkerHistory> workers) {
    for (const WorkerHistory& worker : workers) {
      names_.push_back(worker.name);
      each_.push_back(departures_of(worker));
      all_ += each_.back();
    }
  }
  const Departures& all() const { return all_; }
  std::size_t machines() const { return names_.size(); }
  // Returns the rate of a machine. One that is not in the record is named, and taken for an average one.
  double rate(const std::string& name, std::vector<std::string>& strangers) const {
    const auto place = node_number(names_, name);
    if (!place) strangers.push_back(name);
    return departure_rate(place ? each_[*place] : Departures{}, all_);
  }

 private:
  std::vector<std::string> names_;
  std::vector<Departures> each_;
  Departures all_;
};

std::string machine_time(double seconds) {
  return fmt::format("{} of one machine", format_duration(seconds));
}

void tell(const AdmitOptions& options, const Joining& joining, Answer& answer) {
  const Admission value = value_admission(joining);
  const std::optional<double> wait = when_to_admit(joining);
  const bool is_now = wait && *wait == 0;
  Value& out = answer.document;
  out.set("decision", is_now ? "admit" : "keep");
  out.set("gain", value.gain());
  if (wait && !is_now) out.set("ask_again_seconds", *wait);
  answer.is_no = !is_now;
  if (is_now) {
    answer.verdict.push_back(fmt::format("yes: admit {}, worth {} until the next departure",
                                         options.node, machine_time(value.gain())));
  } else if (wait) {
    answer.verdict.push_back(fmt::format(
        "not now: ask again in {}, right after the next checkpoint", format_duration(*wait)));
  } else {
    answer.verdict.push_back(
        fmt::format("no: keep what runs; {} would cost {} until the next departure", options.node,
                    machine_time(-value.gain())));
  }
  Table table{.title = {},
              .columns = {{.title = "choice"},
                          {.title = "machines"},
                          {.title = "next departure after", .unit = Unit::seconds},
                          {.title = "no departure before the next checkpoint", .digits = 4},
                          {.title = "useful machines until then", .digits = 4}},
              .rows = {}};
  const auto row = [&](std::string_view name, std::int64_t machines, double rate, double left,
                       const JoiningChoice& choice) {
    const double stays = elementary::exp(-rate * left);
    table.rows.push_back({name, machines, 1 / rate, stays, choice.work / choice.time});
    out.set(name, Value::object({{"machines", machines},
                                 {"departure_seconds", 1 / rate},
                                 {"success", stays},
                                 {"useful_machines", choice.work / choice.time}}));
  };
  row("keep", joining.running, joining.running_rate, joining.interval - joining.since_checkpoint,
      value.keep);
  row("admit", joining.running + 1, joining.running_rate + joining.candidate_rate, joining.interval,
      value.admit);
  answer.tables.push_back(std::move(table));
}

Joining joining_of(const AdmitOptions& options, std::span<const std::string> running,
                   const Record& record, Answer& answer) {
  std::vector<std::string> strangers;
  Joining out{.running = std::ssize(running),
              .candidate_rate = record.rate(options.node, strangers),
              .added = options.added,
              .restart = options.restart,
              .join = options.join,
              .interval = options.interval,
              .since_checkpoint = options.since_checkpoint.value_or(options.interval / 2)};
  for (const std::string& name : running) out.running_rate += record.rate(name, strangers);
  if (!strangers.empty()) {
    answer.notes.push_back(fmt::format("not in the record, taken for average machines of it: {}",
                                       join(strangers, ", ")));
  }
  if (!options.since_checkpoint) {
    answer.notes.push_back("the time since the last checkpoint is not given: half of the interval");
  }
  return out;
}

Result<Answer> run_admit(const AdmitOptions& options, const Request& request) {
  HOLDFAST_CHECK(check(options));
  HOLDFAST_TRY(running, running_of(options));
  const WorkerState absent = options.is_reclaimed ? WorkerState::reclaimed : WorkerState::down;
  auto read = read_availability(request.directory / options.file, {absent}, options.read_as);
  if (!read) return fail(of_field("/file", std::move(read).error()));
  const Record record(read->workers);
  Answer answer;
  answer.document.set("departures", record.all().count);
  if (record.all().count < kFewestDepartures) {
    answer.document.set("decision", "cannot say");
    answer.status = kCannotSay;
    answer.verdict.push_back(fmt::format(
        "cannot say: {} of {} in the record, at least {} are needed to tell how long machines stay",
        counted(static_cast<std::size_t>(record.all().count), "departure"),
        counted(record.machines(), "machine"), kFewestDepartures));
    return answer;
  }
  const Joining joining = joining_of(options, running, record, answer);
  answer.headline = fmt::format(
      "{} beside {}: a restart takes {}{}, a checkpoint every {}, the last {} ago", options.node,
      counted(running.size(), "running machine"), format_duration(joining.restart),
      joining.join ? fmt::format(" and a join {}", format_duration(*joining.join)) : "",
      format_duration(joining.interval), format_duration(joining.since_checkpoint));
  tell(options, joining, answer);
  return answer;
}

constexpr auto kChoice = std::to_array<ResultField>(
    {{"machines", "machines that run", Holds::integer},
     {"departure_seconds", "mean time to the next departure", Unit::seconds},
     {"success", "probability of no departure before the next checkpoint"},
     {"useful_machines", "machines whose work is kept, on average until the next departure"}});

constexpr auto kAdmitResults = std::to_array<ResultField>(
    {{"departures", "departures in the record", Holds::integer},
     {"decision", "admit, keep, or cannot say", Holds::text},
     {"gain?", "time of one machine that is won until the next departure", Unit::seconds},
     {"ask_again_seconds?", "time after which the answer changes", Unit::seconds},
     {"keep?", "what comes of going on", kChoice},
     {"admit?", "what comes of a restart with the machine", kChoice}});

}  // namespace

Verb admit_verb() {
  return {
      .name = "admit",
      .summary =
          "is a machine that came back worth a restart of all? (exit 0 yes, 1 no, 4 cannot say)",
      .example =
          "holdfast volatile admit examples/data/sample-hosts.avt --node n101 "
          "--running n193,n204,n186 --restart 2min --interval 1h --since-checkpoint 2min",
      .options = fields_of<kAdmitOptions>().parameters(),
      .positionals = fields_of<kAdmitFile>().parameters(),
      .results = kAdmitResults,
      .takes_instance = false,
      .takes_seed = false,
      .run = with_options<run_admit, fields_of<kAdmitFile>, fields_of<kAdmitOptions>>};
}

}  // namespace holdfast::volatile_workers
