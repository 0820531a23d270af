#include "holdfast/field/guard.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/command.hpp"
#include "holdfast/console.hpp"
#include "holdfast/field/advisor_pace.hpp"
#include "holdfast/field/guard_status.hpp"
#include "holdfast/field/output_sink.hpp"
#include "holdfast/instance_options.hpp"
#include "holdfast/option_set.hpp"
#include "holdfast/print.hpp"
#include "holdfast/talk_options.hpp"
#include "holdfast/verbs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::cli {
namespace {

/// Fields of an instance that do not apply to a running job.
constexpr auto kUnused = std::to_array<std::string_view>(
    {"relative_downtime", "horizon", "planning_time", "rejuvenation", "no_initial_recovery",
     "no_final_checkpoint", "iteration", "checkpoint_spread", "recovery_spread", "local_checkpoint",
     "local_recovery", "local_share", "belief_distribution", "belief_mtbf", "belief_shape",
     "belief_file", "nodes", "now"});

/// `holdfast guard [OPTIONS] -- COMMAND [ARGUMENTS...]`.
class GuardCommand {
 public:
  explicit GuardCommand(const Domain& domain) : instance_(domain) {}

  void add(CLI::App& command) {
    add_words(command, words_);
    rules_.add(command, field::guard_parameters(), "Restarts");
    advice_.add(command, field::advice_parameters(), "Checkpoints");
    instance_.add(command, false, kUnused);
    command.add_option("--output", output_, "directory of the journal (default NAME-guard)")
        ->type_name("DIR")
        ->group("Output");
    command
        .add_flag("--force", forces_,
                  "begin a new journal although the directory has that of another command or of a "
                  "job that has finished; the program starts from the newest checkpoint")
        ->group("Output");
    command
        .add_flag("--wait", waits_,
                  "if another guard runs this job, wait for it and end as it ends")
        ->group("Output");
    command
        .add_option("--input", inputs_,
                    "files or folders that the job reads: with other ones it is another job, which "
                    "starts from its beginning; the old journal and checkpoints are set aside")
        ->type_name("FILE...")
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group("Output");
    command.add_option("--status", status_, "only print the progress of the job in this directory")
        ->type_name("DIR")
        ->group("Output");
    add_talk_options(command, talk_);
  }

  Status run(Console& console) {
    talk_.apply(console);
    if (!status_.empty()) return tell_status(console);
    if (words_.empty()) {
      return fail(ErrorCode::usage, "command",
                  "found none, expected the program to guard, behind --");
    }
    HOLDFAST_TRY(input, instance_.read(console));
    HOLDFAST_TRY(rules, rules_.values());
    HOLDFAST_TRY(options, field::read_guard_options(rules));
    HOLDFAST_TRY(advice, advice_.values());
    options.command = words_;
    options.forces = forces_;
    options.waits = waits_;
    options.inputs = inputs_;
    options.directory = directory().string();
    const field::GuardRequest request{.options = std::move(options),
                                      .instance = input.document,
                                      .input_directory = input.directory,
                                      .advice = std::move(advice)};
    const Voice voice{.say = [&](std::string_view text) { speak(console, text); },
                      .warn =
                          [&](std::string_view text) {
                            if (field::has_room(STDERR_FILENO)) console.warn(text);
                          }};
    // Errors in the request are reported before anything is created.
    if (const Status good = field::check_guard(request); !good) {
      return fail(instance_.placed(good.error(), input.document));
    }
    HOLDFAST_TRY(code, field::run_guard(request, voice));
    console.set_status(code);
    return tell_report(console);
  }

 private:
  // A reader that does not read holds up no job.
  static void speak(Console& console, std::string_view text) {
    if (field::has_room(STDERR_FILENO)) console.note(fmt::format("holdfast: {}", text));
  }

  [[nodiscard]] std::filesystem::path directory() const {
    if (!output_.empty()) return output_;
    return std::filesystem::path(words_.front()).filename().string() + "-guard";
  }

  // Standard output is left to the guarded program.
  Status tell_report(Console& console) const {
    if (talk_.json) return print_guard_report(directory(), true, console);
    HOLDFAST_TRY(status, field::read_guard_status(directory()));
    HOLDFAST_TRY(replay, field::replay_of(status));
    for (const std::string& line : field::report_lines(status.history, replay)) {
      speak(console, line);
    }
    return {};
  }

  Status tell_status(Console& console) const {
    if (!field::holds_guard(status_)) {
      return fail(ErrorCode::bad_value, "--status",
                  fmt::format("found no journal of a guard in {}", in_quotes(status_)));
    }
    if (talk_.json) return print_guard_report(status_, true, console);
    HOLDFAST_TRY(status, field::read_guard_status(status_));
    for (const std::string& line :
         field::status_lines(status.history, status.is_guarded, status.time)) {
      print_line(line, console);
    }
    return {};
  }

  InstanceOptions instance_;
  OptionSet rules_;
  OptionSet advice_;
  std::vector<std::string> words_;
  std::string output_;
  std::string status_;
  std::vector<std::string> inputs_;
  bool forces_ = false;
  bool waits_ = false;
  TalkOptions talk_;
};

}  // namespace

Status print_guard_report(const std::filesystem::path& directory, bool json, Console& console) {
  HOLDFAST_TRY(status, field::read_guard_status(directory));
  HOLDFAST_TRY(replay, field::replay_of(status));
  if (json) {
    print_document(field::report_document(status.history, replay), console);
    return {};
  }
  for (const std::string& line : field::report_lines(status.history, replay)) {
    print_line(line, console);
  }
  return {};
}

void add_guard(CLI::App& root, Console& console, Domains domains) {
  const auto domain = std::ranges::find(domains, "checkpoint", &Domain::name);
  if (domain == domains.end()) return;
  CLI::App* command = root.add_subcommand("guard",
                                          "run a program that writes checkpoints: request them in "
                                          "time, restart it after failures, report");
  command->footer(
      "example: holdfast guard --trigger none --checkpoint-file state.ckpt --mtbf 100d --output "
      "run1 -- sh -c 'sleep 1; date > state.ckpt; sleep 1'");
  add_command(*command, std::make_shared<GuardCommand>(**domain), console);
}

}  // namespace holdfast::cli
