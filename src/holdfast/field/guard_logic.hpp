#pragma once

#include "holdfast/field/entry.hpp"
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
  std::optional<JournalEntry> entry = {};
  bool is_durable = false;
  std::string text = {};
  int code = 0;
  /// True for a `keep` after an end: the program ended in a way that does not say that it had saved, so that the checkpoint may be half.
  bool is_doubtful = false;
};

using Actions = std::vector<Action>;

/// A guard without clock and operating system: it decides how to react to each event. Dates are seconds on a clock that never
/// goes back. The same events always give the same actions.
class GuardLogic {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// Makes one in its initial state.
  /// @param pace  must outlive it
  GuardLogic(Rules rules, Pace& pace);

  /// Continues a job.
  struct Past {
    std::int64_t launches = 0;     ///< launches before
    int tries = 0;                 ///< failures since the last checkpoint
    std::int64_t checkpoints = 0;  ///< checkpoints before
    bool saves_not = false;        ///< it was seen to end at a request, without saving
  };
  void resume(const Past& past) {
    launches_ = past.launches;
    tries_ = past.tries;
    checkpoints_ = past.checkpoints;
    saves_not_ = past.saves_not;
  }

  /// Returns the actions for an event at time `now`.
  [[nodiscard]] Actions step(const Event& event, double now);
  /// Returns the latest date for the next tick.
  [[nodiscard]] double wake() const;
  [[nodiscard]] Phase phase() const { return phase_; }
  /// Returns the number of the current launch, counted from 1.
  [[nodiscard]] std::int64_t run() const { return launches_; }
  /// Returns true while it is not known that a start came to an end.
  [[nodiscard]] bool is_starting() const { return !has_begun_work_; }
  /// Returns true if the program is not asked any more, and saves by itself if at all.
  [[nodiscard]] bool is_left_alone() const { return saves_not_; }
  /// Returns true if a checkpoint was saved, by this guard or an earlier one.
  [[nodiscard]] bool has_checkpoint() const { return checkpoints_ > 0; }
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
  void on(const event::Busy& event, double now);
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
  [[nodiscard]] double ask_date() const;
  [[nodiscard]] bool can_ask_now() const { return rules_.can_ask_once() && !saves_not_; }
  void ask(double now);
  void survive(double now);
  void begin_save(double now, bool asked, bool is_asynchronous = false);
  void end_snapshot(double now);
  void check_flight();
  void lose_flight(const std::string& why, double now);
  void warn_of_failure(const std::string& why, double unsaved);
  void count_save(entry::Checkpoint& entry, const event::Kept& event, double now);
  void fail_save(double now, const std::string& why);
  void after_save(double now);
  [[nodiscard]] bool may_have_saved(const event::Ended& event) const;
  void after_end(bool is_saved, double now);
  void restart(const event::Ended& event, bool is_saved, double now);
  void end_in_vain(const event::Ended& event);
  /// Returns true of an end in vain if the program took the request; without a file to look at it may have saved.
  [[nodiscard]] bool was_ended_by_request(const event::Ended& event) const {
    return event.took_request && rules_.has_file;
  }
  /// What an end has cost, in seconds.
  struct Loss {
    double work = 0;
    std::optional<double> saving = {};  ///< the time of a checkpoint that was not written
  };
  void interrupted(const event::Ended& event, double now);
  void go_on(const event::Ended& event, bool by_request, bool was_quick, double now);
  [[nodiscard]] entry::Failure failure_entry(const event::Ended& event) const;
  [[nodiscard]] bool is_by_request(const event::Ended& event) const;
  [[nodiscard]] bool has_succeeded(const event::Ended& event) const {
    return event.signal == 0 && event.code == 0 && !was_hanging_;
  }
  [[nodiscard]] bool is_quick(double date) const {
    return !has_saved_ && date - ready_at_ < rules_.quick;
  }
  /// Returns true if the program reported that all of its work is done.
  [[nodiscard]] bool is_complete() const { return total_ > 0 && done_ >= total_; }
  /// Returns true if quick ends in a row reached their limit.
  [[nodiscard]] bool is_quick_row() const { return quick_in_row_ >= rules_.quick_limit; }
  /// Returns the number of ends in a row that reached a limit: quick ends, or ends without a new checkpoint.
  [[nodiscard]] int ends_in_row() const { return is_quick_row() ? quick_in_row_ : tries_; }
  void begin_stop(double now, std::string reason, double kill_date);
  void end_program(double now);
  void close(int code);
  void give_up(double now, const std::string& why);
  void finish(double now);
  void finish_stop(double now);
  void enter(Phase phase, double now);
  void live(double now);

  Action& act(Action::Kind kind);
  void write(JournalEntry entry, bool is_durable);
  void say(std::string text);
  void note(std::string text);
  void tell(const std::string& text);
  void warn_of(const std::string& text);
  void look_at_silence(double now);
  [[nodiscard]] double longest_start() const;
  /// Returns true while it is not known yet how to go on.
  [[nodiscard]] bool is_deciding() const { return awaits_aside_ || is_checking_ || end_; }
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
  std::optional<entry::Progress> progress_ = {};  ///< reported but not written yet
  double done_ = 0;
  double total_ = 0;
  std::int64_t checkpoints_ = 0;
  bool is_told_ready_ =
      false;  ///< true: the program itself has reported since its launch that it is ready
  // A start that does not come to an end.
  bool has_begun_work_ = false;  ///< true: it is ready for all one can see
  double quiet_since_ = 0;       ///< no output and no processor time since then
  double last_start_ = kNever;   ///< seconds of the last start, if they are told

  bool is_asked_ = false;  ///< true: we asked; false: a save that is seen is the program's own
  bool is_begun_ = false;  ///< true: it was seen to write
  bool is_checking_ = false;
  double silence_date_ = kNever;  ///< when to warn that nothing was saved
  double save_at_ = 0;
  double save_timeout_ = kNever;
  double save_work_ = 0;
  /// How the program ended, while what it left is looked at.
  std::optional<event::Ended> end_ = {};
  double ended_at_ = 0;
  Loss loss_;
  double vain_work_ = 0;  ///< work between a request that was not answered and the end
  bool ended_without_one_ =
      false;  ///< true: it ended without an error, and without the checkpoint it was asked for
  double patience_ = 0;     ///< unsaved work before which it is not asked again
  bool saves_not_ = false;  ///< true: it was seen to end at a request, without saving

  /// An asynchronous checkpoint that is not safe yet.
  struct Flight {
    double work = 0;     ///< work that it would save, seconds
    double seconds = 0;  ///< time for which the program was stopped
    double since = 0;    ///< when the program went on
    std::optional<double> durable_at = {};
  };
  bool is_asynchronous_ = false;  ///< of the checkpoint that is being written
  std::optional<Flight> flight_ = {};
  bool is_flight_checked_ = false;
  bool waits_for_flight_ = false;  ///< true: the program ends once it is durable
  [[nodiscard]] double in_flight() const { return flight_ ? flight_->work : 0; }

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
