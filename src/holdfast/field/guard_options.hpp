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

/// The sign by which a guard notices that a checkpoint is written, that the program is ready, or how much is done.
struct Condition {
  enum class Kind : std::uint8_t {
    none,
    file,    ///< a file that is new or newer; for progress, a file with a number
    gone,    ///< the file that asked for it was removed
    line,    ///< standard output contains `text`
    pipe,    ///< a line in the guard's pipe
    marker,  ///< a file in the folder that is the checkpoint
    exit,    ///< the command that asked for it, or the program, ended
  };
  Kind kind = Kind::none;
  std::string text;
};

/// The options of a guard, without those of its advisor.
struct GuardOptions {
  std::vector<std::string> command;
  std::string directory;
  Rules rules;
  std::string trigger_text;      ///< the path or the command of a trigger that has one
  std::string trigger_contents;  ///< what is written into the file of Trigger::stop_file
  Condition done;
  Condition ready;
  Condition progress;
  double total = 0;                ///< value of the progress at the end of the job; 0: unknown
  std::string checkpoint_file;     ///< a path or a pattern; empty: unknown
  std::string marker;              ///< a file that proves that its folder is complete; empty: none
  std::size_t keep = 2;            ///< number of checkpoints to keep
  std::string verify;              ///< a shell command that verifies a checkpoint
  double settle = 0.5;             ///< seconds for which a complete file has not changed
  std::vector<std::string> nodes;  ///< names of the job's nodes; empty: those from Slurm
  std::string events;              ///< a file to which a monitor writes node failures; empty: none
  /// A shell command that replaces the command after the first launch.
  std::string restart_command;
  double time_limit = Rules::kNever;  ///< seconds
  bool uses_slurm = true;
  bool never_requeues = false;
  bool forces = false;
  bool waits = false;               ///< true: where another guard runs the job, wait for it
  std::vector<std::string> inputs;  ///< files and folders that the job reads
  bool gives_code = false;          ///< true: the exit code is that of the program
};

/// Returns the options as rows, from which help, completion and the reader are made.
[[nodiscard]] std::span<const Parameter> guard_parameters();

/// Reads the values that were given for these rows, by name.
[[nodiscard]] Result<GuardOptions> read_guard_options(const Value& values);

}  // namespace holdfast::field
