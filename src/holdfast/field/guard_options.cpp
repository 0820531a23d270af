#include "holdfast/field/guard_options.hpp"

#include "holdfast/base/node_names.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/contract/field.hpp"
#include "holdfast/field/slurm_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <optional>
#include <utility>

namespace holdfast::field {
namespace {

constexpr auto kExitCodes = std::to_array<std::string_view>({"holdfast", "program"});
constexpr auto kSlurm = std::to_array<std::string_view>({"auto", "off"});

/// The options as they are given; those that are texts of several parts are read from there.
struct Asked {
  GuardOptions options = {};
  std::string trigger = {};
  std::string done = {};
  std::string ready = {};
  std::string progress = {};
  std::string nodes = {};
  bool slurm = false;      ///< true: it is left alone
  bool exit_code = false;  ///< true: that of the program
};

template <auto Member>
inline constexpr auto option = member<&Asked::options, Member>;
template <auto Member>
inline constexpr auto rule = member<&Asked::options, &GuardOptions::rules, Member>;

constexpr auto kRows = std::to_array<Field<Asked>>({
    {.name = "trigger",
     .summary =
         "how the guard requests a checkpoint: signal:NAME, file:PATH, command:TEXT, pipe, "
         "stop:NAME or stop-file:PATH (the program saves and ends), api (the program asks its "
         "own advisor), none (default: the program saves by itself)",
     .member = member<&Asked::trigger>,
     .value_name = "KIND",
     .heading = "Checkpoints"},
    {.name = "saved_codes",
     .summary =
         "exit codes with which a program that a file asked to save may end, if it has saved",
     .member = rule<&Rules::saved_codes>,
     .range = between(0, 255),
     .fallback = "0,255",
     .heading = "Checkpoints"},
    {.name = "done",
     .summary = "how the guard learns that the checkpoint is complete: file:PATH, marker:NAME (a "
                "file that the program writes last into the folder that is the checkpoint), gone, "
                "line:TEXT (on standard output, which then passes through a pipe), pipe, exit",
     .member = member<&Asked::done>,
     .value_name = "KIND",
     .heading = "Checkpoints"},
    {.name = "checkpoint_file",
     .summary =
         "checkpoint that the program writes: a file, a folder, or a link to the newest one; "
         "with a pattern each match is one",
     .member = option<&GuardOptions::checkpoint_file>,
     .value_name = "PATH",
     .heading = "Checkpoints"},
    {.name = "keep",
     .summary =
         "number of checkpoints to keep, as PATH.1, PATH.2; what a pattern matches is kept by "
         "the program, and the guard removes nothing",
     .member = option<&GuardOptions::keep>,
     .range = between(1, 1000),
     .heading = "Checkpoints"},
    {.name = "verify",
     .summary = "shell command that checks $HOLDFAST_CHECKPOINT; exit code 0 means it is valid",
     .member = option<&GuardOptions::verify>,
     .value_name = "TEXT",
     .heading = "Checkpoints"},
    {.name = "settle",
     .summary = "a checkpoint counts as complete when it has not changed for this time, and the "
                "program has not got it open for writing",
     .member = option<&GuardOptions::settle>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .fallback = "0.5s",
     .heading = "Checkpoints"},
    {.name = "checkpoint_timeout",
     .summary = "time after which a requested checkpoint counts as failed (default: 10 min, or 20 "
                "times the length of a checkpoint if that is longer)",
     .member = rule<&Rules::checkpoint_timeout>,
     .unit = Unit::seconds,
     .range = positive(),
     .heading = "Checkpoints"},
    {.name = "progress",
     .summary = "where the program reports its progress: line:TEXT, the number after this text, or "
                "file:PATH",
     .member = member<&Asked::progress>,
     .value_name = "KIND",
     .heading = "Work"},
    {.name = "total",
     .summary = "progress at which the job is finished, in the program's unit",
     .member = option<&GuardOptions::total>,
     .range = positive(),
     .heading = "Work"},
    {.name = "nodes",
     .summary = "names of the job's nodes, n[001-064] (default: those of the Slurm job)",
     .member = member<&Asked::nodes>,
     .value_name = "LIST",
     .heading = "Failures"},
    {.name = "events",
     .summary =
         "file to which a monitor appends node failures: failures-csv with columns node and down",
     .member = option<&GuardOptions::events>,
     .value_name = "FILE",
     .heading = "Failures"},
    {.name = "restarts",
     .summary = "largest number of restarts",
     .member = rule<&Rules::restarts>,
     .range = between(0, 1e9),
     .heading = "Restarts"},
    {.name = "quick",
     .summary = "if a program ends within this time of its start, without a checkpoint, this does "
                "not count as a node failure",
     .member = rule<&Rules::quick>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .fallback = "60s",
     .heading = "Restarts"},
    {.name = "quick_limit",
     .summary = "after this many ends within --quick in a row the checkpoint is discarded as bad",
     .member = rule<&Rules::quick_limit>,
     .range = between(1, 1000),
     .heading = "Restarts"},
    {.name = "tries",
     .summary =
         "after this many ends in a row without a new checkpoint, however late, the one that "
         "the program starts from is discarded as bad",
     .member = rule<&Rules::tries>,
     .range = between(1, 1e6),
     .heading = "Restarts"},
    {.name = "backoff",
     .summary = "wait before a restart; it doubles, up to 1 min, until a checkpoint is written",
     .member = rule<&Rules::backoff>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .heading = "Restarts"},
    {.name = "final_codes",
     .summary = "exit codes after which the program is not restarted",
     .member = rule<&Rules::final_codes>,
     .range = between(1, 255),
     .fallback = "126,127",
     .heading = "Restarts"},
    {.name = "restart_command",
     .summary = "shell command for the second start and later ones, instead of COMMAND",
     .member = option<&GuardOptions::restart_command>,
     .value_name = "TEXT",
     .heading = "Restarts"},
    {.name = "ready",
     .summary = "how the guard learns that the program is initialised or restored: line:TEXT, "
                "file:PATH, pipe (default: when it starts)",
     .member = member<&Asked::ready>,
     .value_name = "KIND",
     .heading = "Restarts"},
    {.name = "hang",
     .summary =
         "time without output, progress or checkpoint that counts as a failure (default: never)",
     .member = rule<&Rules::hang>,
     .unit = Unit::seconds,
     .range = positive(),
     .fallback = "-",
     .heading = "Restarts"},
    {.name = "from_scratch",
     .summary = "start over if no checkpoint is left",
     .member = rule<&Rules::from_scratch>,
     .heading = "Restarts"},
    {.name = "kill_leftovers",
     .summary = "end the processes that a finished program left behind",
     .member = rule<&Rules::kill_leftovers>,
     .heading = "Restarts"},
    {.name = "time_limit",
     .summary = "time limit of the job, from now (default: that of the Slurm job)",
     .member = option<&GuardOptions::time_limit>,
     .unit = Unit::seconds,
     .range = positive(),
     .fallback = "-",
     .heading = "Limits"},
    {.name = "grace",
     .summary = "time to save and end after a signal to the guard",
     .member = rule<&Rules::grace>,
     .unit = Unit::seconds,
     .range = positive(),
     .heading = "Limits"},
    {.name = "slurm",
     .summary = "inside a Slurm job, ask Slurm for the time left, the nodes and a requeue",
     .member = choice<&Asked::slurm, kSlurm>,
     .heading = "Cluster"},
    {.name = "no_requeue",
     .summary = "end with the allocation, and do not ask for another one",
     .member = option<&GuardOptions::never_requeues>,
     .heading = "Cluster"},
    {.name = "exit_code",
     .summary = "whose exit code the guard returns when the program has ended for good",
     .member = choice<&Asked::exit_code, kExitCodes>,
     .heading = "Output"},
    {.name = "output",
     .summary = "directory of the journal (default NAME-guard)",
     .member = option<&GuardOptions::directory>,
     .value_name = "DIR",
     .heading = "Output"},
    {.name = "force",
     .summary = "begin a new journal although the directory has that of another command or of a "
                "job that has finished; the program starts from the newest checkpoint",
     .member = option<&GuardOptions::forces>,
     .heading = "Output"},
    {.name = "wait",
     .summary = "if another guard runs this job, wait for it and end as it ends",
     .member = option<&GuardOptions::waits>,
     .heading = "Output"},
    {.name = "input",
     .summary = "files or folders that the job reads: with other ones it is another job, which "
                "starts from its beginning; the old journal and checkpoints are set aside",
     .member = option<&GuardOptions::inputs>,
     .value_name = "FILE...",
     .heading = "Output"},
});

struct NamedSignal {
  std::string_view name;
  int number;
};
constexpr auto kSignals = std::to_array<NamedSignal>({{"HUP", SIGHUP},
                                                      {"INT", SIGINT},
                                                      {"QUIT", SIGQUIT},
                                                      {"USR1", SIGUSR1},
                                                      {"USR2", SIGUSR2},
                                                      {"ALRM", SIGALRM},
                                                      {"TERM", SIGTERM},
                                                      {"CONT", SIGCONT},
                                                      {"WINCH", SIGWINCH}});

/// "KIND:TEXT", or KIND alone.
struct Word {
  std::string_view kind;
  std::string text;
  bool has_text = false;
};

Word word_of(std::string_view given) {
  const auto colon = given.find(':');
  if (colon == std::string_view::npos) return {.kind = given, .text = {}};
  return {.kind = given.substr(0, colon),
          .text = std::string(given.substr(colon + 1)),
          .has_text = colon + 1 < given.size()};
}

tl::unexpected<Error> wrong(std::string_view option, std::string_view given,
                            std::string_view expected) {
  return fail(ErrorCode::usage, pointer_to("", option),
              fmt::format("found {}, expected {}", in_quotes(given), expected));
}

// Returns the signal that is written as USR1, SIGUSR1 or sigusr1, or null.
const NamedSignal* signal_named(std::string_view text) {
  std::string name = lower_case(text);
  if (name.starts_with("sig")) name.erase(0, 3);
  const auto found = std::ranges::find(
      kSignals, name, [](const NamedSignal& signal) { return lower_case(signal.name); });
  return found == kSignals.end() ? nullptr : &*found;
}

Result<int> signal_number(std::string_view option, std::string_view given, std::string_view name) {
  if (const NamedSignal* signal = signal_named(name)) return signal->number;
  std::vector<std::string_view> names;
  for (const NamedSignal& signal : kSignals) names.push_back(signal.name);
  return wrong(option, given, fmt::format("the name of a signal: {}", join(names, ", ")));
}

Status read_trigger(std::string_view given, GuardOptions& out) {
  constexpr std::string_view kExpected =
      "signal:NAME, file:PATH, command:TEXT, pipe, stop:NAME, stop-file:PATH, api or none";
  struct Row {
    std::string_view name;
    Trigger trigger;
    bool has_text;
  };
  constexpr auto kTriggers = std::to_array<Row>({{"signal", Trigger::signal, true},
                                                 {"file", Trigger::file, true},
                                                 {"command", Trigger::command, true},
                                                 {"pipe", Trigger::pipe, false},
                                                 {"stop", Trigger::stop, true},
                                                 {"stop-file", Trigger::stop_file, true},
                                                 {"api", Trigger::api, false},
                                                 {"none", Trigger::none, false}});
  Word word = word_of(given);
  for (const Row& row : kTriggers) {
    if (row.name != word.kind) continue;
    if (row.has_text != word.has_text) return wrong("trigger", given, kExpected);
    out.rules.trigger = row.trigger;
    if (row.trigger == Trigger::signal || row.trigger == Trigger::stop) {
      HOLDFAST_TRY(number, signal_number("trigger", given, word.text));
      out.rules.signal = number;
      return {};
    }
    out.trigger_text = std::move(word.text);
    if (row.trigger == Trigger::stop_file) {  // PATH=TEXT, for programs that read the file
      const auto equals = std::min(out.trigger_text.find('='), out.trigger_text.size());
      out.trigger_contents = out.trigger_text.substr(std::min(equals + 1, out.trigger_text.size()));
      if (!out.trigger_contents.empty()) out.trigger_contents += '\n';
      out.trigger_text.resize(equals);
      if (out.trigger_text.empty()) return wrong("trigger", given, kExpected);
    }
    return {};
  }
  const NamedSignal* meant = signal_named(given);
  return wrong("trigger", given,
               meant == nullptr
                   ? std::string(kExpected)
                   : fmt::format("{}; did you mean signal:{}?", kExpected, meant->name));
}

Result<Condition> read_sign(std::string_view option, std::string_view given,
                            std::span<const std::string_view> kinds, std::string_view expected) {
  struct Row {
    std::string_view name;
    Condition::Kind kind;
    bool has_text;
  };
  constexpr auto kSigns = std::to_array<Row>({{"file", Condition::Kind::file, true},
                                              {"gone", Condition::Kind::gone, false},
                                              {"line", Condition::Kind::line, true},
                                              {"pipe", Condition::Kind::pipe, false},
                                              {"marker", Condition::Kind::marker, true},
                                              {"exit", Condition::Kind::exit, false}});
  Word word = word_of(given);
  for (const Row& row : kSigns) {
    const bool is_known =
        row.name == word.kind && std::ranges::find(kinds, row.name) != kinds.end();
    if (is_known && row.has_text == word.has_text) return Condition{row.kind, std::move(word.text)};
  }
  return wrong(option, given, expected);
}

// Returns the default sign by which a program with this trigger shows that it has saved.
Result<Condition> usual_sign(const GuardOptions& options) {
  switch (options.rules.trigger) {
    case Trigger::file:
      return Condition{.kind = Condition::Kind::gone, .text = {}};
    case Trigger::command:
    case Trigger::stop:
    case Trigger::stop_file:
      return Condition{.kind = Condition::Kind::exit, .text = {}};
    case Trigger::pipe:
    case Trigger::api:
      return Condition{.kind = Condition::Kind::pipe, .text = {}};
    case Trigger::signal:
    case Trigger::none:
      break;
  }
  if (options.checkpoint_file.empty()) {
    return fail(ErrorCode::usage, "/checkpoint_file",
                "found none, expected the file that the program writes, by which the guard learns "
                "that it has saved; or another way to learn it (--done)");
  }
  return Condition{.kind = Condition::Kind::file, .text = options.checkpoint_file};
}

// Reads how the guard learns that a checkpoint is complete, which depends on how it is requested.
Status read_done(Asked& asked) {
  GuardOptions& out = asked.options;
  if (!asked.done.empty()) {
    constexpr auto kSignKinds =
        std::to_array<std::string_view>({"file", "marker", "gone", "line", "pipe", "exit"});
    HOLDFAST_TRY(sign, read_sign("done", asked.done, kSignKinds,
                                 "file:PATH, marker:NAME, gone, line:TEXT, pipe or exit"));
    out.done = std::move(sign);
    if (out.done.kind == Condition::Kind::marker) {
      if (out.checkpoint_file.empty()) {
        return fail(ErrorCode::usage, "/checkpoint_file",
                    "found none, expected the folder in which --done marker:NAME is written");
      }
      out.marker = std::exchange(out.done.text, out.checkpoint_file);
      out.done.kind = Condition::Kind::file;
    }
  } else {
    HOLDFAST_TRY(sign, usual_sign(out));
    out.done = std::move(sign);
  }
  if (out.done.kind == Condition::Kind::gone && out.rules.trigger != Trigger::file) {
    return wrong("done", "gone",
                 "another sign: only the file of --trigger file:PATH can disappear");
  }
  const bool stops = out.rules.trigger == Trigger::stop || out.rules.trigger == Trigger::stop_file;
  if (out.done.kind == Condition::Kind::exit && out.rules.trigger != Trigger::command && !stops) {
    return wrong("done", "exit", "another sign: nothing ends when this program has saved");
  }
  if (stops && out.done.kind != Condition::Kind::exit) {
    return wrong("done", asked.done, "exit, which shows that a program that stops has saved");
  }
  if (out.rules.trigger == Trigger::stop_file && out.checkpoint_file.empty()) {
    return fail(ErrorCode::usage, "/checkpoint_file",
                "found none, expected the file that the program writes, by which the guard learns "
                "whether it has saved or finished when it ends");
  }
  if (out.done.kind == Condition::Kind::file && out.checkpoint_file.empty()) {
    out.checkpoint_file = out.done.text;
  }
  return {};
}

}  // namespace

std::span<const Parameter> guard_parameters() {
  return fields_of<kRows>().parameters();
}

Result<GuardOptions> read_guard_options(const Value& values) {
  Asked asked;
  ObjectReader read(values, "");
  fields_of<kRows>().read(read, asked);
  HOLDFAST_CHECK(read.finish());
  GuardOptions& out = asked.options;
  if (asked.trigger.empty()) {
    // A program of which nothing is known is not asked: a signal that it does not expect ends it.
    asked.trigger = "none";
    if (asked.done.empty() && out.checkpoint_file.empty()) asked.done = "pipe";
  }
  HOLDFAST_CHECK(read_trigger(asked.trigger, out));
  HOLDFAST_CHECK(read_done(asked));
  if (!asked.ready.empty()) {
    constexpr auto kSignKinds = std::to_array<std::string_view>({"file", "line", "pipe"});
    HOLDFAST_TRY(sign, read_sign("ready", asked.ready, kSignKinds, "line:TEXT, file:PATH or pipe"));
    out.ready = std::move(sign);
    out.rules.tells_ready = true;
  } else if (out.rules.trigger == Trigger::api) {
    out.ready = {.kind = Condition::Kind::pipe, .text = {}};
    out.rules.tells_ready = true;
  }
  if (!asked.progress.empty()) {
    constexpr auto kSignKinds = std::to_array<std::string_view>({"file", "line"});
    HOLDFAST_TRY(sign, read_sign("progress", asked.progress, kSignKinds, "line:TEXT or file:PATH"));
    out.progress = std::move(sign);
  }
  if (!asked.nodes.empty()) {
    auto names = expand_nodes(asked.nodes);
    if (!names) return fail(ErrorCode::usage, "/nodes", names.error().message);
    out.nodes = std::move(*names);
  }
  out.uses_slurm = !asked.slurm;
  out.gives_code = asked.exit_code;
  return std::move(out);
}

}  // namespace holdfast::field
