#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/moldable/live_rule.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Moldable jobs on a running Slurm: each attempt is submitted with the size that a strategy chooses, and its result is verified.
/// Dates are in seconds since 1970.
namespace holdfast::steward::submit {

enum class Phase : std::uint8_t {
  waits,     ///< its next attempt is not submitted
  asked,     ///< Slurm was asked for it, and it is not known whether it took it
  queued,    ///< Slurm has it
  runs,      ///< it runs
  verified,  ///< done
  given_up,  ///< nothing of it is submitted any more
};
inline constexpr auto kPhases =
    std::to_array<std::string_view>({"waits", "asked", "queued", "runs", "verified", "given up"});

/// What is known of a job.
struct Job {
  std::string id = {};
  Phase phase = Phase::waits;
  std::int64_t failures = 0;    ///< attempts that failed
  std::int64_t processors = 0;  ///< of the attempt that is under way, or of the last one
  std::int64_t asks = 0;        ///< how often Slurm was asked for the attempt
  std::int64_t asked = 0;       ///< the last time
  std::string number = {};      ///< Slurm's number of the attempt
  std::int64_t began = 0;       ///< when the attempt began to run
  std::int64_t ended = 0;       ///< when the last one ended
  std::int64_t missed = 0;      ///< since when Slurm has lost it; 0: it has not
  std::string why = {};         ///< why it was given up, or what Slurm said to it last

  [[nodiscard]] bool is_under_way() const { return phase >= Phase::asked && phase <= Phase::runs; }
  [[nodiscard]] bool is_over() const { return phase >= Phase::verified; }
};

/// What is kept on the disk. With the next look it is all that a restart needs.
struct State {
  std::string run = {};  ///< drawn at the beginning: no job of another run has such a name
  std::int64_t begun = 0;
  std::vector<Job> jobs;

  /// Returns the name of the next or present attempt, by which it is found in Slurm: "a.2@3f9c21d0".
  [[nodiscard]] std::string attempt_name(std::size_t job) const;
  [[nodiscard]] bool is_over() const;
};
[[nodiscard]] Result<State> read_state(const Value& document);
[[nodiscard]] Value to_value(const State& state);

/// Something that happened to the attempt of a job that is under way.
struct Event {
  enum class What : std::uint8_t {
    queued,    ///< it waits in Slurm's queue
    runs,      ///< it runs since `at`
    verified,  ///< its result was verified
    wrong,     ///< its result is not right
    failed,    ///< its command failed
    stopped,   ///< somebody or a limit ended it
    missing,   ///< Slurm does not have it, and it left no result
    refused,   ///< Slurm did not take it
  };
  What what = What::missing;
  std::size_t job = 0;
  std::string text = {};  ///< Slurm's number, or what was said
  std::int64_t began = 0;
  std::int64_t ended = 0;
};
inline constexpr auto kEvents = std::to_array<std::string_view>(
    {"queued", "runs", "verified", "wrong", "failed", "stopped", "missing", "refused"});

/// An attempt to submit.
struct Action {
  std::size_t job = 0;
  std::int64_t processors = 1;
  double time = 0;  ///< predicted, seconds
  std::string because = {};
};

/// What a run was given.
struct Charge {
  const moldable::PreparedInstance* prepared = nullptr;
  moldable::LiveRule* rule = nullptr;
  std::int64_t attempts = 5;  ///< of a job, after which it is given up
};

/// How long sbatch may take, until a submission of unknown outcome is seen in the queue, and until the result of a job that left the
/// queue is seen (a file system that is shared), seconds.
inline constexpr std::int64_t kSubmitWithin = 15;
inline constexpr std::int64_t kUnseen = 30;
inline constexpr std::int64_t kResultLate = 60;
/// How often Slurm is asked for the same attempt.
inline constexpr std::int64_t kAsks = 3;

/// Takes something that happened.
void take(State& state, const Event& event, std::int64_t now, const Charge& charge);

/// Takes what happened, and returns what is to be submitted now.
[[nodiscard]] std::vector<Action> step(State& state, std::span<const Event> events,
                                       std::int64_t now, const Charge& charge);

/// Records that an action is about to be done. It is kept on the disk before it is done.
void note_begun(State& state, const Action& action, std::int64_t now);

}  // namespace holdfast::steward::submit
