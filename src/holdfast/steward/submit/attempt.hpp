#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/steward/submit/core.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::steward::submit {

/// What a processor of the model is for Slurm.
enum class Size : std::uint8_t { tasks, cpus, nodes };
inline constexpr auto kSizes = std::to_array<std::string_view>({"tasks", "cpus", "nodes"});

/// What a job does.
struct Work {
  std::string command;
  std::string verify;  ///< empty: the exit status of the command is believed
};

/// How attempts are submitted.
struct Form {
  std::filesystem::path folder;     ///< of their outputs and results; absolute
  std::filesystem::path directory;  ///< where they run; absolute
  Size size = Size::tasks;
  std::vector<std::string> more;  ///< what the user says to sbatch
};

/// Returns the command that submits the attempt of an action. The attempt says how it ended in a file of its own, so that the answer
/// outlives Slurm's memory. If Slurm has it twice, as when an answer was late, the one that starts second ends at once.
[[nodiscard]] std::vector<std::string> command_of(const State& state, const Action& action,
                                                  const Work& work, const Form& form);

/// An attempt that Slurm lists, by its name.
struct SeenAttempt {
  std::string number;
  std::string state;
  std::int64_t start = 0;
};
/// The form in which `squeue --format` is asked, and the reader of its lines. Errors name the line.
inline constexpr std::string_view kAttemptForm = "%i|%T|%S|%j";
[[nodiscard]] Result<std::map<std::string, SeenAttempt>> parse_attempts(std::string_view text);

/// Returns what happened to the attempts that are under way, from what Slurm lists and what they left in the folder.
[[nodiscard]] std::vector<Event> events_of(const State& state,
                                           const std::map<std::string, SeenAttempt>& seen,
                                           const std::filesystem::path& folder);

}  // namespace holdfast::steward::submit
