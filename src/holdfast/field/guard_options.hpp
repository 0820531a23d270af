#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/field/rules.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::field {

/// How a guard learns of something: that a checkpoint is written, that a program is ready, how much is done.
struct Sign {
  enum class Kind : std::uint8_t {
    none,
    file,  ///< a file that is new, or newer; or, of progress, that holds a number
    gone,  ///< the file that asked for it was removed
    line,  ///< standard output contains `text`
    pipe,  ///< a line in the pipe of the guard
    exit,  ///< the command that asked for it, or the program, ended
  };
  Kind kind = Kind::none;
  std::string text;
};

/// What a guard was told, beside what its advisor was.
struct GuardOptions {
  std::vector<std::string> command;
  std::string directory;
  Rules rules;
  int signal = 0;            ///< signal of Trigger::signal and Trigger::stop
  std::string trigger_text;  ///< trigger text of Trigger::file and Trigger::command
  Sign done;
  Sign ready;
  Sign progress;
  double total = 0;             ///< total of the progress; 0: unknown
  std::string checkpoint_file;  ///< may be a pattern; empty: none is known
  std::size_t keep = 2;
  std::string verify;  ///< a command for a shell
  double settle = 0.5;
  std::vector<std::string> nodes;  ///< names of the job's nodes; empty: Slurm's
  std::string events;           ///< a file that somebody writes failures of nodes to; empty: none
  std::string restart_command;  ///< for a shell, instead of the command once there was a launch
  double time_limit = Rules::kNever;
  bool uses_slurm = true;
  bool requeues = true;
  bool forces = false;
  bool gives_code = false;  ///< the exit code is that of the program
};

/// Returns the options as rows: help, completion and the reader come from these.
[[nodiscard]] std::span<const Parameter> guard_parameters();

/// Reads what was given for those rows, by their names.
[[nodiscard]] Result<GuardOptions> read_guard_options(const Value& values);

}  // namespace holdfast::field
