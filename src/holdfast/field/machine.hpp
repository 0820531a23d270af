#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/field/pace.hpp"
#include "holdfast/field/rules.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::field {

/// The state of a guarded job.
enum class Phase : std::uint8_t {
  idle,      ///< before the first start
  starting,  ///< launched, not yet ready
  running,
  saving,   ///< asked to save, or seen to save
  ending,   ///< told to end
  waiting,  ///< it ended and will be started again
  closing,  ///< nothing more will be started; the remaining processes are being killed
  over,
};

[[nodiscard]] std::string_view name_of(Phase phase);

/// An event, as the driver observed it.
struct Event {
  enum class Kind : std::uint8_t {
    tick,          ///< time has passed
    begin,         ///< the guard begins
    launched,      ///< the program was launched; see `details`
    not_launched,  ///< the program could not be launched; `text` says why
    ready,         ///< initialised or restored
    begun,         ///< it has started to save
    /// It reports, or a file shows, that it has saved; `date` is the time, if it was before now.
    written,
    kept,         ///< the checkpoint was verified and kept; see `details`
    refused,      ///< the checkpoint was not kept; `text` says why
    save_failed,  ///< the program reports that saving failed
    durable,      ///< an asynchronous checkpoint is safe
    progress,     ///< `number` of `total` is done
    alive,        ///< some other sign of life
    ended,        ///< the program ended, with `code` or by `signal`
    cleared,      ///< no process of the job is left
    aside,        ///< a bad checkpoint was set aside; `number` of `total` checkpoints are left
    /// `node`, called `text`, failed, which may not have interrupted the job; `details` go into the journal.
    node_failed,
    node_to_blame,  ///< `node` is the reason why the program ended, or will end soon
    time_left,      ///< `number` seconds of the allocation are left
    save_now,       ///< a user asks for a checkpoint
    end_now,        ///< a user asks to save and end, while there is time
    stop,           ///< the guard received `signal`
    must_requeue,   ///< some nodes are missing, so the job cannot be restarted in place
  };
  Kind kind = Kind::tick;
  double number = 0;
  double total = 0;
  bool may_begin_anew = false;  ///< of aside: the program may start over if no checkpoint is left
  std::optional<double> date = {};
  int code = 0;
  int signal = 0;
  std::optional<std::size_t> node = {};
  std::string text = {};
  Value details = {};
};

/// An action for the driver. Actions are performed in order.
struct Action {
  enum class Kind : std::uint8_t {
    start,           ///< start the program from the newest checkpoint
    start_anew,      ///< start the program from the beginning
    ask,             ///< ask the program to save
    keep,            ///< verify a written checkpoint and keep it; answered by kept or refused
    terminate,       ///< send SIGTERM to the program
    kill_all,        ///< kill every process of the job; answered by cleared
    set_aside,       ///< set the newest checkpoint aside as bad; answered by aside
    put_back,        ///< put back the checkpoint that was set aside
    write,           ///< write `entry` into the journal; if `is_durable`, to the disk at once
    say,             ///< print `text` for the user
    warn,            ///< print `text` for the user, as a warning
    requeue,         ///< requeue the job on the cluster
    list_leftovers,  ///< list the processes that the program left behind
    leave,           ///< end with `code`
  };
  Kind kind;
  Value entry = {};
  bool is_durable = false;
  std::string text = {};
  int code = 0;
};

using Actions = std::vector<Action>;

/// A guard without clock and operating system: it decides how to react to each event. Dates are seconds on a clock that never
/// goes back. The same events always give the same actions.
class Machine {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// Makes a machine in its initial state.
  /// @param pace  must outlive the machine
  Machine(Rules rules, Pace& pace);

  /// Continues a job.
  /// @param launches  number of launches before
  /// @param tries     failures since its last checkpoint
  void resume(std::int64_t launches, int tries) {
    launches_ = launches;
    tries_ = tries;
  }

  /// Returns the actions for an event at time `now`.
  [[nodiscard]] Actions step(const Event& event, double now);
  /// Returns the latest date for the next tick.
  [[nodiscard]] double wake() const;
  [[nodiscard]] Phase phase() const { return phase_; }
  /// Returns the number of the current launch, counted from 1.
  [[nodiscard]] std::int64_t run() const { return launches_; }
  /// Returns the seconds of work that a failure now would lose.
  [[nodiscard]] double unsaved(double now) const;

 private:
  void on_tick(double now);
  void on_ended(const Event& event, double now);
  void on_stop(const Event& event, double now);
  void on_aside(const Event& event, double now);
  void on_kept(const Event& event, double now);
  void on_node_failed(const Event& event, double now);

  void launch(double now);
  void become_ready(double now);
  void ask(double now);
  void begin_save(double now, bool asked);
  void fail_save(double now, const std::string& why);
  void after_save(double now);
  void interrupted(const Event& event, double now);
  [[nodiscard]] bool is_by_request(const Event& event) const;
  /// Returns true if quick ends in a row reached their limit.
  [[nodiscard]] bool is_quick_row() const { return quick_in_row_ >= rules_.quick_limit; }
  /// Returns the number of ends in a row that reached a limit: quick ends, or ends without a new checkpoint.
  [[nodiscard]] int ends_in_row() const { return is_quick_row() ? quick_in_row_ : tries_; }
  void plan_restart(double now);
  void begin_stop(double now, std::string reason, double kill_date);
  void end_program(double now);
  void close(int code);
  void give_up(double now, const std::string& why);
  void finish(double now);
  void finish_stop(double now);
  void enter(Phase phase, double now);
  void live(double now);

  Action& act(Action::Kind kind);
  void write(Value entry, bool is_durable);
  void say(std::string text);
  void note(std::string text);
  void write_estimate(double now);
  void write_progress(double now);

  Rules rules_;
  Pace* pace_;
  Actions actions_;
  Phase phase_ = Phase::idle;

  std::int64_t launches_ = 0;
  double launched_at_ = 0;
  /// Date of ready, or of the launch if the program does not report when it is ready.
  double ready_at_ = 0;
  bool is_ready_ = false;
  bool has_saved_ = false;  ///< true: it has saved since the launch
  double work_ = 0;         ///< unsaved work up to work_since_, seconds
  double work_since_ = 0;   ///< start of the current work; meaningless in other phases
  double alive_at_ = 0;
  double estimated_at_ = 0;
  double progress_at_ = -kNever;
  std::optional<Value> progress_ = {};  ///< reported but not written yet

  bool is_asked_ = false;  ///< true: we asked; false: a save that is seen is the program's own
  bool is_checking_ = false;
  double save_at_ = 0;
  double save_timeout_ = kNever;
  double save_work_ = 0;

  std::optional<std::string> stop_reason_;
  bool is_limit_ = false;
  double kill_date_ = kNever;
  double term_date_ = kNever;
  bool is_killed_ = false;
  bool was_hanging_ = false;

  int quick_in_row_ = 0;
  int tries_ = 0;  ///< starts from the current checkpoint that reached no new one
  int failures_in_row_ = 0;
  double restart_at_ = kNever;
  bool is_clear_ = true;
  bool awaits_aside_ = false;
  bool starts_anew_ = false;
  bool must_requeue_ = false;
  std::optional<std::size_t> blamed_;
  std::optional<std::size_t> failed_node_;  ///< the last node that was seen to fail
  double node_failed_at_ = -kNever;
  std::string last_end_;
  std::string tried_;
  bool has_told_of_request_ = false;
  int exit_code_ = 0;
};

}  // namespace holdfast::field
