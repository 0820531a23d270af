#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace holdfast::field {

/// How a program is asked to save.
enum class Trigger : std::uint8_t {
  signal,   ///< a signal to its own process
  file,     ///< a file that appears
  command,  ///< a command that is run
  pipe,     ///< a line in the pipe of requests
  stop,     ///< a signal after which it saves and ends
  api,      ///< its own advisor decides when, and hears what is asked beside that
  none,     ///< not at all: it saves by itself
};

/// What a guard was told about restarts and limits. Durations are in seconds.
struct Rules {
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  Trigger trigger = Trigger::none;
  bool tells_ready = false;  ///< something says when it is initialised or restored
  std::optional<double> checkpoint_timeout = {};  ///< else the larger of 10 min and 20 C
  std::int64_t restarts = 1000;
  /// An end so soon after ready, without a checkpoint, is no evidence about nodes.
  double quick = 60;
  int quick_limit = 3;
  double backoff = 1;  ///< before a restart; doubles from failure to failure without a checkpoint
  std::vector<int> final_codes = {126, 127};  ///< exit codes that a restart does not mend
  double hang = kNever;                       ///< no sign of life for so long is a failure
  double grace = 25;            ///< after a signal to the guard there is so long to save and end
  bool from_scratch = false;    ///< no checkpoint left: start over
  bool kill_leftovers = false;  ///< end what a program that finished left behind
  bool requeues = false;  ///< at the end of the allocation, the job is put into the queue again

  /// Returns true if the program saves when the guard wants it to, at every date that the guard has planned.
  [[nodiscard]] bool can_ask() const { return trigger != Trigger::api && trigger != Trigger::none; }
  /// Returns true if it can be asked at all: before an end, or because a user wants it.
  [[nodiscard]] bool can_ask_once() const { return trigger != Trigger::none; }
};

}  // namespace holdfast::field
