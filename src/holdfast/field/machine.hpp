#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/field/event.hpp"
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
  static void on(const event::Tick& /*event*/, double /*now*/) {}
  void on(const event::Begin& event, double now);
  void on(const event::Launched& event, double now);
  void on(const event::NotLaunched& event, double now);
  void on(const event::Ready& event, double now);
  void on(const event::Begun& event, double now);
  void on(const event::Written& event, double now);
  void on(const event::Kept& event, double now);
  void on(const event::Refused& event, double now);
  void on(const event::SaveFailed& event, double now);
  void on(const event::Durable& event, double now);
  void on(const event::Progress& event, double now);
  void on(const event::Alive& event, double now);
  void on(const event::Ended& event, double now);
  void on(const event::Cleared& event, double now);
  void on(const event::Aside& event, double now);
  void on(const event::NodeFailed& event, double now);
  void on(const event::NodeToBlame& event, double now);
  void on(const event::TimeLeft& event, double now);
  void on(const event::SaveNow& event, double now);
  void on(const event::EndNow& event, double now);
  void on(const event::Stop& event, double now);
  void on(const event::MustRequeue& event, double now);

  void launch(double now);
  void become_ready(double now);
  void ask(double now);
  void begin_save(double now, bool asked);
  void fail_save(double now, const std::string& why);
  void after_save(double now);
  void interrupted(const event::Ended& event, double now);
  [[nodiscard]] bool is_by_request(const event::Ended& event) const;
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
  std::optional<event::Ended> end_ =
      {};  ///< how the program ended, while its checkpoint is looked at

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
