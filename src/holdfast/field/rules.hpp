#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace holdfast::field {

/// How a program is asked to save.
enum class Trigger : std::uint8_t {
  signal,     ///< a signal to its own process
  file,       ///< a file is created
  command,    ///< a command is run
  pipe,       ///< a line in the pipe for requests
  stop,       ///< a signal, after which it saves and ends
  stop_file,  ///< a file is created, after which it saves and ends
  api,        ///< its own advisor decides, and the program also receives other requests
  none,       ///< it is not asked; it saves by itself
};

/// The rules of a guard for restarts and limits. Durations are in seconds.
struct Rules {
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  Trigger trigger = Trigger::none;
  int signal = 0;  ///< the signal for Trigger::signal and Trigger::stop
  /// Exit codes of a program that a file made save and end.
  std::vector<double> saved_codes = {0, 255};
  bool has_file = false;     ///< true: its checkpoints can be looked at
  bool tells_ready = false;  ///< true: there is a sign that the program is initialised or restored
  std::optional<double> checkpoint_timeout = {};  ///< absent: the larger of 10 min and 20 C
  std::int64_t restarts = 1000;
  /// An end this soon after ready, without a checkpoint, is no evidence about nodes.
  double quick = 60;
  int quick_limit = 3;
  /// Number of ends in a row without a new checkpoint, however late, after which the checkpoint is regarded as bad.
  int tries = 10;
  /// Wait before a restart; it doubles with each failure without a checkpoint in between.
  double backoff = 1;
  std::vector<double> final_codes = {126,
                                     127};  ///< exit codes after which a restart would not help
  double hang = kNever;                     ///< no sign of life for this long is a failure
  double grace = 25;                        ///< time to save and end after a signal to the guard
  bool from_scratch = false;                ///< true: start over if no checkpoint is left
  bool kill_leftovers = false;  ///< true: end the processes that a finished program left behind
  bool requeues = false;        ///< true: requeue the job at the end of the allocation

  /// Returns true if the program saves whenever the guard asks, so that the guard can plan the dates.
  [[nodiscard]] bool can_ask() const { return trigger != Trigger::api && trigger != Trigger::none; }
  /// Returns true if a file asks it, which makes some programs save and end.
  [[nodiscard]] bool asks_by_file() const {
    return trigger == Trigger::file || trigger == Trigger::stop_file;
  }
  /// Returns true if a program that was asked to save may end with this exit code when it has saved.
  [[nodiscard]] bool is_saved_code(int code) const {
    return trigger == Trigger::stop ||
           (asks_by_file() && std::ranges::find(saved_codes, code) != saved_codes.end());
  }
  /// Returns true if it can be asked at all: before an end, or because a user wants it.
  [[nodiscard]] bool can_ask_once() const { return trigger != Trigger::none; }
};

}  // namespace holdfast::field
