#include "holdfast/field/guard_verb.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/field/advisor_pace.hpp"
#include "holdfast/field/checkpoint_disk.hpp"
#include "holdfast/field/guard.hpp"
#include "holdfast/field/guard_report.hpp"
#include "holdfast/field/guard_status.hpp"
#include "holdfast/field/output_sink.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::field {
namespace {

/// Fields of an instance that do not apply to a running job.
constexpr auto kUnused = std::to_array<std::string_view>(
    {"relative_downtime", "horizon", "planning_time", "rejuvenation", "no_initial_recovery",
     "no_final_checkpoint", "iteration", "checkpoint_spread", "recovery_spread", "local_checkpoint",
     "local_recovery", "local_share", "belief_distribution", "belief_mtbf", "belief_shape",
     "belief_file", "nodes", "now"});

constexpr Parameter kStatus = {
    .name = "status",
    .summary = "only print the progress of the job in this directory",
    .kind = Kind::text,
    .value_name = "DIR",
    .heading = "Output",
};

std::span<const Parameter> options_of_guard() {
  static const std::vector<Parameter> kAll = [] {
    std::vector<Parameter> out(guard_parameters().begin(), guard_parameters().end());
    for (Parameter advice : advice_parameters()) {
      if (advice.heading.empty()) advice.heading = "Checkpoints";
      const bool is_known = std::ranges::find(out, advice.name, &Parameter::name) != out.end();
      if (!is_known) out.push_back(advice);
    }
    out.push_back(kStatus);
    return out;
  }();
  return kAll;
}

// Returns those of the values that are named in a table.
Value taken(const Value& values, std::span<const Parameter> rows) {
  Value out = Value::object();
  for (const Parameter& row : rows) {
    if (const Value* value = values.find(row.name)) out.set(row.name, *value);
  }
  return out;
}

// A reader that does not read holds up no job.
Voice patient(const Voice& voice) {
  const auto if_read = [](const std::function<void(std::string_view)>& speak) {
    return [speak](std::string_view text) {
      if (field::has_room(STDERR_FILENO)) speak(text);
    };
  };
  return {.say = if_read(voice.say), .warn = if_read(voice.warn)};
}

Result<Answer> progress_of(const std::string& directory, const WantedParts& wanted) {
  if (!holds_guard(directory)) {
    return fail(ErrorCode::bad_value, "/status",
                fmt::format("found no journal of a guard in {}", in_quotes(directory)));
  }
  if (wanted.document) return guard_report(directory);
  HOLDFAST_TRY(status, read_guard_status(directory));
  Answer answer;
  answer.lines = status_lines(status.history, status.is_guarded, status.time);
  return answer;
}

// Returns what is odd about a program that ended well without any checkpoint; empty: nothing, because its file is there.
std::string without_checkpoint(const std::string& file, const Value& report) {
  const auto checkpoints = report.find("checkpoints")->number();
  if (file.empty() || checkpoints > 0 || !RealDisk({}, {}).matches(file).empty()) return {};
  return fmt::format(
      "no checkpoint was seen, and {} is not there: unless the program ended before its first one, "
      "that is not the file that it writes (--checkpoint-file), and a failure would have lost all "
      "of its work",
      in_quotes(file));
}

// Returns what is assumed of a program if it is not given how it is asked to save; empty: it is given.
std::string assumed(const Value& options) {
  if (options.find("trigger") != nullptr) return {};
  const bool sees_checkpoints = options.find("checkpoint_file") != nullptr || options.find("done");
  return fmt::format(
      "the program is taken to save by itself, and is not asked to; if it saves at a signal, say "
      "--trigger signal:USR1{}",
      sees_checkpoints ? ""
                       : ". Its checkpoints are not seen either (--checkpoint-file state.ckpt); "
                         "after a failure it is started again");
}

Result<Answer> guard_program(const Request& request) {
  if (const Value* other = request.options.find(kStatus.name))
    return progress_of(*other->string(), request.wanted);
  if (request.words.empty()) {
    return fail(ErrorCode::usage, "command",
                "found none, expected the program to guard, behind --");
  }
  HOLDFAST_TRY(options, read_guard_options(taken(request.options, guard_parameters())));
  options.command = request.words;
  if (options.directory.empty()) {
    options.directory = std::filesystem::path(request.words.front()).filename().string() + "-guard";
  }
  const std::string directory = options.directory;
  const GuardRequest job{.options = std::move(options),
                         .instance = request.parameters,
                         .input_directory = request.directory,
                         .advice = taken(request.options, advice_parameters())};
  // Errors in the request are reported before anything is created.
  HOLDFAST_CHECK(check_guard(job));
  const Voice voice = patient(request.voice);
  if (const std::string text = assumed(request.options); !text.empty()) voice.warn(text);
  const auto code = run_guard(job, voice);
  if (!code) return fail(of_field("/output", code.error()));
  HOLDFAST_TRY(answer, guard_report(directory));
  answer.status = *code;
  const std::string odd = without_checkpoint(job.options.checkpoint_file, answer.document);
  if (*code == 0 && !odd.empty()) voice.warn(odd);
  if (request.wanted.document) return answer;
  // Standard output is left to the guarded program.
  for (const std::string& line : answer.lines) voice.say(line);
  answer.is_silent = true;
  return answer;
}

}  // namespace

Verb guard_verb() {
  return {.name = "guard",
          .summary =
              "run a program that writes checkpoints: request them in time, restart it "
              "after failures, report",
          .example =
              "holdfast guard --trigger none --checkpoint-file state.ckpt --mtbf 100d "
              "--output run1 -- sh -c 'sleep 1; date > state.ckpt; sleep 1'",
          .instance_of = "checkpoint",
          .options = options_of_guard(),
          .results = kGuardReport,
          .takes_seed = false,
          .takes_words = true,
          .only_answers = false,
          .unused = kUnused,
          .run = guard_program};
}

}  // namespace holdfast::field
