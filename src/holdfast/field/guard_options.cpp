#include "holdfast/field/guard_options.hpp"

#include "holdfast/base/node_names.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
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

constexpr auto kRows = std::to_array<Parameter>({
    {.name = "trigger",
     .summary =
         "how the guard requests a checkpoint: signal:NAME, file:PATH, command:TEXT, pipe, "
         "stop:NAME or stop-file:PATH (the program saves and ends), api (the program asks its "
         "own advisor), none (the program saves by itself)",
     .kind = Kind::text,
     .value_name = "KIND",
     .heading = "Checkpoints"},
    {.name = "saved_codes",
     .summary =
         "exit codes with which a program that a file asked to save may end, if it has saved",
     .kind = Kind::numbers,
     .range = between(0, 255),
     .fallback = "0,255",
     .heading = "Checkpoints"},
    {.name = "done",
     .summary = "how the guard learns that the checkpoint is complete: file:PATH, marker:NAME (a "
                "file that the program writes last into the folder that is the checkpoint), gone, "
                "line:TEXT (on standard output, which then passes through a pipe), pipe, exit",
     .kind = Kind::text,
     .value_name = "KIND",
     .heading = "Checkpoints"},
    {.name = "checkpoint_file",
     .summary =
         "checkpoint that the program writes: a file, a folder, or a link to the newest one; "
         "with a pattern each match is one",
     .kind = Kind::text,
     .value_name = "PATH",
     .heading = "Checkpoints"},
    {.name = "keep",
     .summary =
         "number of checkpoints to keep, as PATH.1, PATH.2; what a pattern matches is kept by "
         "the program, and the guard removes nothing",
     .kind = Kind::integer,
     .range = between(1, 1000),
     .fallback = "2",
     .heading = "Checkpoints"},
    {.name = "verify",
     .summary = "shell command that checks $HOLDFAST_CHECKPOINT; exit code 0 means it is valid",
     .kind = Kind::text,
     .value_name = "TEXT",
     .heading = "Checkpoints"},
    {.name = "settle",
     .summary = "a checkpoint counts as complete when it has not changed for this time, and the "
                "program has not got it open for writing",
     .unit = Unit::seconds,
     .range = non_negative(),
     .fallback = "0.5s",
     .heading = "Checkpoints"},
    {.name = "checkpoint_timeout",
     .summary = "time after which a requested checkpoint counts as failed (default: 10 min, or 20 "
                "times the length of a checkpoint if that is longer)",
     .unit = Unit::seconds,
     .range = positive(),
     .heading = "Checkpoints"},
    {.name = "progress",
     .summary = "where the program reports its progress: line:TEXT, the number after this text, or "
                "file:PATH",
     .kind = Kind::text,
     .value_name = "KIND",
     .heading = "Work"},
    {.name = "total",
     .summary = "progress at which the job is finished, in the program's unit",
     .range = positive(),
     .heading = "Work"},
    {.name = "nodes",
     .summary = "names of the job's nodes, n[001-064] (default: those of the Slurm job)",
     .kind = Kind::text,
     .value_name = "LIST",
     .heading = "Failures"},
    {.name = "events",
     .summary =
         "file to which a monitor appends node failures: failures-csv with columns node and down",
     .kind = Kind::text,
     .value_name = "FILE",
     .heading = "Failures"},
    {.name = "restarts",
     .summary = "largest number of restarts",
     .kind = Kind::integer,
     .range = between(0, 1e9),
     .fallback = "1000",
     .heading = "Restarts"},
    {.name = "quick",
     .summary = "if a program ends within this time of its start, without a checkpoint, this does "
                "not count as a node failure",
     .unit = Unit::seconds,
     .range = non_negative(),
     .fallback = "60s",
     .heading = "Restarts"},
    {.name = "quick_limit",
     .summary = "after this many ends within --quick in a row the checkpoint is discarded as bad",
     .kind = Kind::integer,
     .range = between(1, 1000),
     .fallback = "3",
     .heading = "Restarts"},
    {.name = "tries",
     .summary =
         "after this many ends in a row without a new checkpoint, however late, the one that "
         "the program starts from is discarded as bad",
     .kind = Kind::integer,
     .range = between(1, 1e6),
     .fallback = "10",
     .heading = "Restarts"},
    {.name = "backoff",
     .summary = "wait before a restart; it doubles, up to 1 min, until a checkpoint is written",
     .unit = Unit::seconds,
     .range = non_negative(),
     .fallback = "1s",
     .heading = "Restarts"},
    {.name = "final_codes",
     .summary = "exit codes after which the program is not restarted",
     .kind = Kind::numbers,
     .range = between(1, 255),
     .fallback = "126,127",
     .heading = "Restarts"},
    {.name = "restart_command",
     .summary = "shell command for the second start and later ones, instead of COMMAND",
     .kind = Kind::text,
     .value_name = "TEXT",
     .heading = "Restarts"},
    {.name = "ready",
     .summary = "how the guard learns that the program is initialised or restored: line:TEXT, "
                "file:PATH, pipe (default: when it starts)",
     .kind = Kind::text,
     .value_name = "KIND",
     .heading = "Restarts"},
    {.name = "hang",
     .summary =
         "time without output, progress or checkpoint that counts as a failure (default: never)",
     .unit = Unit::seconds,
     .range = positive(),
     .heading = "Restarts"},
    {.name = "from_scratch",
     .summary = "start over if no checkpoint is left",
     .kind = Kind::flag,
     .heading = "Restarts"},
    {.name = "kill_leftovers",
     .summary = "end the processes that a finished program left behind",
     .kind = Kind::flag,
     .heading = "Restarts"},
    {.name = "time_limit",
     .summary = "time limit of the job, from now (default: that of the Slurm job)",
     .unit = Unit::seconds,
     .range = positive(),
     .heading = "Limits"},
    {.name = "grace",
     .summary = "time to save and end after a signal to the guard",
     .unit = Unit::seconds,
     .range = positive(),
     .fallback = "25s",
     .heading = "Limits"},
    {.name = "slurm",
     .summary = "inside a Slurm job, ask Slurm for the time left, the nodes and a requeue",
     .kind = Kind::choice,
     .fallback = "auto",
     .choices = kSlurm,
     .heading = "Cluster"},
    {.name = "no_requeue",
     .summary = "end with the allocation, and do not ask for another one",
     .kind = Kind::flag,
     .heading = "Cluster"},
    {.name = "exit_code",
     .summary = "whose exit code the guard returns when the program has ended for good",
     .kind = Kind::choice,
     .fallback = "holdfast",
     .choices = kExitCodes,
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
  return fail(ErrorCode::usage, option_name(option),
              fmt::format("found {}, expected {}", in_quotes(given), expected));
}

Result<int> signal_number(std::string_view option, std::string_view given, std::string_view name) {
  if (name.starts_with("SIG")) name.remove_prefix(3);
  for (const NamedSignal& signal : kSignals) {
    if (signal.name == name) return signal.number;
  }
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
  return wrong("trigger", given, kExpected);
}

Result<Sign> read_sign(std::string_view option, std::string_view given,
                       std::span<const std::string_view> kinds, std::string_view expected) {
  struct Row {
    std::string_view name;
    Sign::Kind kind;
    bool has_text;
  };
  constexpr auto kSigns = std::to_array<Row>({{"file", Sign::Kind::file, true},
                                              {"gone", Sign::Kind::gone, false},
                                              {"line", Sign::Kind::line, true},
                                              {"pipe", Sign::Kind::pipe, false},
                                              {"marker", Sign::Kind::marker, true},
                                              {"exit", Sign::Kind::exit, false}});
  Word word = word_of(given);
  for (const Row& row : kSigns) {
    const bool is_known =
        row.name == word.kind && std::ranges::find(kinds, row.name) != kinds.end();
    if (is_known && row.has_text == word.has_text) return Sign{row.kind, std::move(word.text)};
  }
  return wrong(option, given, expected);
}

// Returns the default sign by which a program with this trigger shows that it has saved.
Result<Sign> usual_sign(const GuardOptions& options) {
  switch (options.rules.trigger) {
    case Trigger::file:
      return Sign{.kind = Sign::Kind::gone, .text = {}};
    case Trigger::command:
    case Trigger::stop:
    case Trigger::stop_file:
      return Sign{.kind = Sign::Kind::exit, .text = {}};
    case Trigger::pipe:
    case Trigger::api:
      return Sign{.kind = Sign::Kind::pipe, .text = {}};
    case Trigger::signal:
    case Trigger::none:
      break;
  }
  if (options.checkpoint_file.empty()) {
    return fail(ErrorCode::usage, "--checkpoint-file",
                "found none, expected the file that the program writes, by which the guard learns "
                "that it has saved; or another way to learn it (--done)");
  }
  return Sign{.kind = Sign::Kind::file, .text = options.checkpoint_file};
}

/// The given values by name; a missing value keeps its default.
class Given {
 public:
  explicit Given(const Value& values) : values_(&values) {}
  [[nodiscard]] std::string text(std::string_view name) const {
    const Value* value = values_->find(name);
    return value == nullptr || value->string() == nullptr ? std::string() : *value->string();
  }
  [[nodiscard]] std::optional<double> number(std::string_view name) const {
    const Value* value = values_->find(name);
    return value == nullptr || !value->is_number() ? std::nullopt : std::optional(value->number());
  }
  [[nodiscard]] bool flag(std::string_view name) const {
    const Value* value = values_->find(name);
    return value != nullptr && value->boolean() != nullptr && *value->boolean();
  }
  [[nodiscard]] const Value::Array* list(std::string_view name) const {
    const Value* value = values_->find(name);
    return value == nullptr ? nullptr : value->array_items();
  }

 private:
  const Value* values_;
};

void read_rules(const Given& given, Rules& rules) {
  rules.checkpoint_timeout = given.number("checkpoint_timeout");
  rules.restarts = static_cast<std::int64_t>(
      given.number("restarts").value_or(static_cast<double>(rules.restarts)));
  rules.quick = given.number("quick").value_or(rules.quick);
  rules.quick_limit = static_cast<int>(given.number("quick_limit").value_or(rules.quick_limit));
  rules.tries = static_cast<int>(given.number("tries").value_or(rules.tries));
  rules.backoff = given.number("backoff").value_or(rules.backoff);
  rules.hang = given.number("hang").value_or(rules.hang);
  rules.grace = given.number("grace").value_or(rules.grace);
  rules.from_scratch = given.flag("from_scratch");
  rules.kill_leftovers = given.flag("kill_leftovers");
  const auto read_codes = [&](std::string_view name, std::vector<int>& out) {
    const auto* codes = given.list(name);
    if (codes == nullptr) return;
    out.clear();
    for (const Value& code : *codes) out.push_back(static_cast<int>(code.number()));
  };
  read_codes("final_codes", rules.final_codes);
  read_codes("saved_codes", rules.saved_codes);
}

}  // namespace

std::span<const Parameter> guard_parameters() {
  return kRows;
}

Result<GuardOptions> read_guard_options(const Value& values) {
  const Given given(values);
  GuardOptions out;
  const std::string trigger = given.text("trigger");
  if (trigger.empty()) {
    return fail(
        ErrorCode::usage, "--trigger",
        "found none, expected how the program is asked to save; there is no default, because "
        "a signal that a program does not expect ends it");
  }
  HOLDFAST_CHECK(read_trigger(trigger, out));
  read_rules(given, out.rules);
  out.checkpoint_file = given.text("checkpoint_file");
  out.keep = static_cast<std::size_t>(given.number("keep").value_or(2));
  out.verify = given.text("verify");
  out.settle = given.number("settle").value_or(out.settle);
  if (const std::string done = given.text("done"); !done.empty()) {
    constexpr auto kKinds =
        std::to_array<std::string_view>({"file", "marker", "gone", "line", "pipe", "exit"});
    HOLDFAST_TRY(sign, read_sign("done", done, kKinds,
                                 "file:PATH, marker:NAME, gone, line:TEXT, pipe or exit"));
    out.done = std::move(sign);
    if (out.done.kind == Sign::Kind::marker) {
      if (out.checkpoint_file.empty()) {
        return fail(ErrorCode::usage, "--checkpoint-file",
                    "found none, expected the folder in which --done marker:NAME is written");
      }
      out.marker = std::exchange(out.done.text, out.checkpoint_file);
      out.done.kind = Sign::Kind::file;
    }
  } else {
    HOLDFAST_TRY(sign, usual_sign(out));
    out.done = std::move(sign);
  }
  if (out.done.kind == Sign::Kind::gone && out.rules.trigger != Trigger::file) {
    return wrong("done", "gone",
                 "another sign: only the file of --trigger file:PATH can disappear");
  }
  const bool stops = out.rules.trigger == Trigger::stop || out.rules.trigger == Trigger::stop_file;
  if (out.done.kind == Sign::Kind::exit && out.rules.trigger != Trigger::command && !stops) {
    return wrong("done", "exit", "another sign: nothing ends when this program has saved");
  }
  if (stops && out.done.kind != Sign::Kind::exit) {
    return wrong("done", given.text("done"),
                 "exit, which shows that a program that stops has saved");
  }
  if (out.rules.trigger == Trigger::stop_file && out.checkpoint_file.empty()) {
    return fail(ErrorCode::usage, "--checkpoint-file",
                "found none, expected the file that the program writes, by which the guard learns "
                "whether it has saved or finished when it ends");
  }
  if (out.done.kind == Sign::Kind::file && out.checkpoint_file.empty()) {
    out.checkpoint_file = out.done.text;
  }
  if (const std::string ready = given.text("ready"); !ready.empty()) {
    constexpr auto kKinds = std::to_array<std::string_view>({"file", "line", "pipe"});
    HOLDFAST_TRY(sign, read_sign("ready", ready, kKinds, "line:TEXT, file:PATH or pipe"));
    out.ready = std::move(sign);
    out.rules.tells_ready = true;
  } else if (out.rules.trigger == Trigger::api) {
    out.ready = {.kind = Sign::Kind::pipe, .text = {}};
    out.rules.tells_ready = true;
  }
  if (const std::string progress = given.text("progress"); !progress.empty()) {
    constexpr auto kKinds = std::to_array<std::string_view>({"file", "line"});
    HOLDFAST_TRY(sign, read_sign("progress", progress, kKinds, "line:TEXT or file:PATH"));
    out.progress = std::move(sign);
  }
  out.total = given.number("total").value_or(0);
  if (const std::string nodes = given.text("nodes"); !nodes.empty()) {
    auto names = expand_nodes(nodes);
    if (!names) return fail(ErrorCode::usage, "--nodes", names.error().message);
    out.nodes = std::move(*names);
  }
  out.events = given.text("events");
  out.restart_command = given.text("restart_command");
  out.time_limit = given.number("time_limit").value_or(Rules::kNever);
  out.uses_slurm = given.text("slurm") != "off";
  out.requeues = !given.flag("no_requeue");
  out.gives_code = given.text("exit_code") == "program";
  return out;
}

}  // namespace holdfast::field
