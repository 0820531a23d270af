#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/field/checkpoint_files.hpp"
#include "holdfast/field/journal.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::field {

/// A failure as a journal tells it. Durations are in seconds.
struct PastFailure {
  double clock = 0;   ///< on the guard's clock
  std::string cause;  ///< "signal 9", "exit code 1"
  double lost = 0;    ///< work
  double down = 0;    ///< until the program was started again
  bool is_quick = false;
  bool was_saving = false;
  std::optional<std::int64_t> node = {};  ///< number of the one that failed, where it is known
};

/// What was learned at a date of the guard's clock; nothing of what was not known yet.
struct PastEstimate {
  double clock = 0;
  std::optional<double> checkpoint = {};  ///< C, seconds
  std::optional<double> recovery = {};    ///< R, seconds
  std::optional<double> theta = {};
};

/// What a journal comes to: all that a new guard needs to go on, and a report to tell. It is a fold over the lines; kinds
/// that are not known say nothing. Durations are in seconds, dates on the guard's clock.
struct History {
  double clock = 0;  ///< at the last line
  double began = 0;  ///< when the program first was ready, or launched where nobody tells
  double time = 0;   ///< time of the last line, seconds since 1970
  std::int64_t launches = 0;
  std::int64_t killed_guards = 0;  ///< ends that nobody wrote down
  std::int64_t event_rows = 0;     ///< of a monitor's file that were taken
  std::int64_t recoveries = 0;     ///< starts that somebody told the end of
  std::int64_t checkpoints = 0;
  std::int64_t failed_checkpoints = 0;
  double saved = 0;           ///< work that is safe
  double lost = 0;            ///< work
  double saving = 0;          ///< in checkpoints, also those that failed
  double recovering = 0;      ///< from a launch to ready
  double down = 0;            ///< from an end to the next launch
  double longest_answer = 0;  ///< from a request to the beginning of its checkpoint
  std::optional<double> done;
  double total = 0;
  std::optional<double> next_due;  ///< date of the next request
  std::optional<double> due;       ///< date of a request that was not answered yet
  std::optional<SeenFile> kept;
  Value estimate;       ///< the last one
  double saved_at = 0;  ///< date of the last checkpoint, or of the end of the work
  std::vector<PastEstimate> estimates;
  std::vector<PastFailure> failures;
  std::vector<double> checkpoint_seconds;
  std::string end;  ///< "finish", "gave-up", "stop" or empty: it runs, or its guard was killed
  std::string reason;

  /// Takes the next line.
  void take(const Value& entry);
  /// Returns the mean time of the checkpoints that succeeded, seconds; 0 where there is none.
  [[nodiscard]] double mean_checkpoint() const;

 private:
  double safe_at_ = 0;  ///< since then, work is unsafe
  bool is_running_ = false;
  std::optional<double> ended_at_;
};

[[nodiscard]] History history_of(const Journal& journal);

}  // namespace holdfast::field
