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

/// Where a guarded job stands.
enum class Phase : std::uint8_t {
  idle,      ///< before the first start
  starting,  ///< launched, not yet ready
  running,
  saving,   ///< asked to save, or seen to
  ending,   ///< told to end
  waiting,  ///< it ended, and is started again
  closing,  ///< nothing more is started; what is left is being killed
  over,
};

[[nodiscard]] std::string_view name_of(Phase phase);

/// What happened, as the driver saw it.
struct Event {
  enum class Kind : std::uint8_t {
    tick,          ///< time passed
    begin,         ///< the guard begins
    launched,      ///< `details` say what
    not_launched,  ///< `text` says why
    ready,         ///< initialised or restored
    begun,         ///< it began to save
    written,  ///< it says, or it was seen, that it saved; `date` when, where that was before now
    kept,     ///< the checkpoint was verified and kept; `details` say what
    refused,  ///< it was not: `text` says why
    save_failed,  ///< the program says so
    durable,      ///< an asynchronous checkpoint is safe
    progress,     ///< `number` of `total` done
    alive,        ///< some other sign of life
    ended,        ///< with `code`, or by `signal`
    cleared,      ///< no process of the job is left
    aside,        ///< a bad checkpoint was set aside: `number` are left of `total`
    node_failed,  ///< `node`, named `text`, which need not have interrupted the job; `details` go into the journal
    node_to_blame,  ///< `node` is why the program ended, or is about to
    time_left,      ///< the time left of the allocation is `number` seconds
    save_now,       ///< somebody asks for a checkpoint
    end_now,        ///< somebody asks to save and end, there being time
    stop,           ///< `signal` to the guard
    must_requeue,   ///< the nodes are not all there: no restart in place
  };
  Kind kind = Kind::tick;
  double number = 0;
  double total = 0;
  std::optional<double> date = {};
  int code = 0;
  int signal = 0;
  std::optional<std::size_t> node = {};
  std::string text = {};
  Value details = {};
};

/// What the driver is to do, in order.
struct Action {
  enum class Kind : std::uint8_t {
    start,           ///< the program, from the newest checkpoint
    start_anew,      ///< the program, from the beginning
    ask,             ///< the program to save
    keep,            ///< verify what was written, and keep it; answered by kept or refused
    terminate,       ///< SIGTERM to the program
    kill_all,        ///< every process of the job; answered by cleared
    set_aside,       ///< the newest checkpoint as bad; answered by aside
    put_back,        ///< what was set aside
    write,           ///< `entry` into the journal, `is_durable` at once
    say,             ///< `text` to the user
    warn,            ///< `text` to the user, as a warning
    requeue,         ///< the job of the cluster
    list_leftovers,  ///< tell what processes the program left
    leave,           ///< end with `code`
  };
  Kind kind;
  Value entry = {};
  bool is_durable = false;
  std::string text = {};
  int code = 0;
};

using Actions = std::vector<Action>;

/// The guard without clock and operating system: what to do about each event. Dates are seconds on a clock that never goes
/// back. The same events make the same actions.
class Machine {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// Makes a machine at its start.
  /// @param pace  must outlive the machine
  Machine(Rules rules, Pace& pace);

  /// Continues a job that was launched so many times before, and whether a checkpoint is there.
  void resume(std::int64_t launches) { launches_ = launches; }

  /// Returns what to do about an event.
  [[nodiscard]] Actions step(const Event& event, double now);
  /// Returns when the next tick is wanted at the latest.
  [[nodiscard]] double wake() const;
  [[nodiscard]] Phase phase() const { return phase_; }
  /// Returns the number of the present launch, from 1.
  [[nodiscard]] std::int64_t run() const { return launches_; }
  /// Returns work that a failure now would lose.
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

  Rules rules_;
  Pace* pace_;
  Actions actions_;
  Phase phase_ = Phase::idle;

  std::int64_t launches_ = 0;
  double launched_at_ = 0;
  double ready_at_ = 0;  ///< or the launch, where nobody tells
  bool is_ready_ = false;
  bool has_saved_ = false;  ///< since the launch
  double work_ = 0;         ///< unsafe, until work_since_
  double work_since_ = 0;   ///< running since then; meaningless in other phases
  double alive_at_ = 0;
  double estimated_at_ = 0;
  double progress_at_ = -kNever;

  bool is_asked_ = false;  ///< by us: a save that was seen without is the program's own
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
  int failures_in_row_ = 0;
  double restart_at_ = kNever;
  bool is_clear_ = true;
  bool awaits_aside_ = false;
  bool starts_anew_ = false;
  bool must_requeue_ = false;
  std::optional<std::size_t> blamed_;
  std::optional<std::size_t> failed_node_;  ///< the last one that somebody saw fail
  double node_failed_at_ = -kNever;
  std::string last_end_;
  std::string tried_;
  int exit_code_ = 0;
};

}  // namespace holdfast::field
