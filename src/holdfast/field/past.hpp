#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/field/course.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::field {

/// A failure in a journal. Durations are in seconds.
struct PastFailure {
  double clock = 0;   ///< date on the guard's clock
  int code = 0;       ///< the exit code of the program; 128 plus the signal if one ended it
  std::string cause;  ///< "signal 9", "exit code 1"
  double lost = 0;    ///< work that was lost
  double down = 0;    ///< time until the program was started again
  bool is_quick = false;
  bool by_request = false;  ///< the signal that asked for a checkpoint ended it
  bool was_saving = false;
  std::optional<std::int64_t> node = {};  ///< number of the failed node, if it is known

  /// Returns true if the failure says something about nodes.
  [[nodiscard]] bool is_of_nodes() const { return !is_quick && !by_request; }
};

/// A part of a job, from its beginning.
struct PastSample {
  double clock = 0;  ///< date of its end
  double saved = 0;  ///< seconds of work that were saved by then
};
inline constexpr std::int64_t kSample = 2000;

/// What was estimated at a date on the guard's clock.
struct PastEstimate {
  double clock = 0;
  std::optional<double> checkpoint = {};
  std::optional<double> recovery = {};
  std::optional<double> theta = {};
};
/// The largest number of estimates that are remembered: of more every second one, every fourth one, ...
inline constexpr std::size_t kMostEstimates = 1000;

/// What lines of a journal add up to, beside failures and generations. Its size does not grow with them. Durations are in
/// seconds, dates on the guard's clock.
struct Past {
  double clock = 0;  ///< date of the last line
  /// Date at which the program was first ready, or launched if it does not report when it is ready.
  double began = 0;
  double time = 0;  ///< time of the last line, seconds since 1970
  std::int64_t launches = 0;
  std::int64_t restarts = 0;  ///< starts after an end that was no failure: it was asked to save
  std::int64_t killed_guards = 0;  ///< number of guards that ended without an entry
  std::int64_t event_rows = 0;     ///< rows of the monitor's file that were read
  std::int64_t recoveries = 0;     ///< starts whose end of recovery was reported
  int tries = 0;  ///< failures since the last checkpoint for which no known node is to blame
  std::int64_t checkpoints = 0;
  std::int64_t failed_checkpoints = 0;
  double saved = 0;       ///< seconds of work that is saved
  double lost = 0;        ///< seconds of work that was lost
  double saving = 0;      ///< seconds spent on checkpoints, including failed ones
  double recovering = 0;  ///< seconds between launches and ready
  double down = 0;        ///< seconds between ends and the next launches
  double copying = 0;  ///< seconds spent on keeping checkpoints, mostly while the program went on
  double dropped = 0;  ///< bytes of output that nobody read
  double longest_answer = 0;  ///< longest time from a request to the start of its checkpoint
  std::optional<double> done = {};
  double total = 0;
  std::optional<double> next_due = {};  ///< date of the next request
  std::optional<double> due = {};       ///< date of a request that has not been answered yet
  bool began_empty = false;             ///< true: the first launch found no checkpoint
  bool saves_not = false;               ///< true: it is not asked any more
  Value inputs = {};    ///< the files that the job reads, as in the journal; null: unknown
  double saved_at = 0;  ///< date of the last checkpoint, or of the end of the work
  double checkpoint_seconds = 0;  ///< sum over the successful checkpoints
  /// The state after the first kSample checkpoints: of a job with many more, a part that can stand for all of it.
  PastSample sample = {};
  /// "finish", "gave-up", "stop"; empty: the job is running, or its guard was killed.
  std::string end = {};
  std::string reason = {};
  std::string warning = {};  ///< the last one, until a checkpoint or a launch
  std::vector<PastEstimate> estimates = {};
  std::int64_t estimates_seen = 0;
  std::int64_t estimates_every = 1;  ///< so many were seen for each that is remembered
  Course course = {};

  double before = 0;   ///< date of the line before
  double safe_at = 0;  ///< date since which work is not saved
  bool is_running = false;
  std::optional<double> ended_at = {};
};

}  // namespace holdfast::field
