#pragma once

#include "holdfast/base/descriptor.hpp"
#include "holdfast/field/background.hpp"
#include "holdfast/field/driver.hpp"
#include "holdfast/field/file_watch.hpp"
#include "holdfast/field/guard_logic.hpp"
#include "holdfast/field/lines.hpp"
#include "holdfast/field/output_sink.hpp"
#include "holdfast/field/process.hpp"
#include "holdfast/field/signal_sender.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::field {

/// The state that lives as long as a guard runs. Events and times are handled in driver.cpp, files and requests to the program
/// in driver_files.cpp, checkpoints in driver_checkpoints.cpp, and the remaining actions of the machine in driver_actions.cpp.
class Driver::Loop {
 public:
  Loop(const GuardOptions& options, Pace& pace, JournalWriter& journal, CheckpointFiles& files,
       GuardEnvironment around, Voice voice)
      : options_(&options),
        pace_(&pace),
        journal_(&journal),
        files_(&files),
        around_(std::move(around)),
        slurm_(around_.slurm),
        voice_(std::move(voice)),
        logic_(rules_of(options, slurm_), pace),
        sender_(options.rules.signal, options.rules.trigger == Trigger::stop, options.directory),
        known_(around_.history->generations),
        candidates_(options.settle, files.marker()) {}

  Result<int> run(double clock, const GuardLogic::Past& past);

 private:
  static Rules rules_of(const GuardOptions& options, const SlurmJob* slurm);
  [[nodiscard]] double now() const;
  [[nodiscard]] static double wall_clock();
  Status listen();

  // --- events ---
  void feed(Event event);
  void wait();
  void look_for_work();
  void read_signals();
  void reap();
  void on_program_end(int code, int signal);
  void read_pipe();
  void read_output();
  void end_output();
  void on_line(std::string_view line);

  // --- checkpoint and progress files ---
  [[nodiscard]] double next_look() const;
  void look();
  void look_for_sign();
  void read_progress();
  void begin_events();
  void read_events();
  void look_for_ranks();

  // --- actions of the machine ---
  void perform(const Action& action);
  void write(const JournalEntry& entry, Durable durable);
  [[nodiscard]] std::vector<std::string> environment() const;
  [[nodiscard]] std::int64_t interval() const;
  void launch(bool anew);
  void start_program();
  void send_when_handled();
  void look_for_requeue();
  void tell_of_requeue();
  void tell(std::string_view request);
  void ask();

  // --- checkpoints ---
  enum class Task : std::uint8_t { none, prepare, verify, keep, let_go };
  void remember(const Entry& entry);
  void remember(const CheckpointFiles::Outcome& outcome);
  void begin(Task task, const std::function<Value()>& work);
  void let_go();
  [[nodiscard]] bool is_busy();
  void on_task_end(const Value& result);
  Finding see(const Sight& sight);
  [[nodiscard]] Hold hold_of(const SeenFile& file) const;
  void note_writers(bool has_begun);
  void read_watch(bool counts);
  /// Returns true if what the program writes tells whether it has saved.
  [[nodiscard]] bool watches_checkpoint() const {
    const bool is_sign = options_->done.kind == Condition::Kind::file &&
                         options_->done.text == options_->checkpoint_file;
    return is_sign || logic_.is_left_alone();
  }
  [[nodiscard]] bool watches_file() const {
    return options_->done.kind == Condition::Kind::file || logic_.is_left_alone();
  }
  Finding look_at_checkpoints();
  void look_for_checkpoint();
  void verify(bool is_doubtful);
  void refuse(std::string why);
  void on_verified(const Value& result);
  void accept();
  void on_copied(const Value& result);
  void tell_kept();
  void see_end();
  void prepare_launch();
  void abandon_launch();
  void set_aside();
  void put_back();

  // --- ends of processes ---
  [[nodiscard]] bool is_helper(const ProcessId& process) const {
    return task_ && is_in_session(process, task_->pid());
  }
  void kill_more();
  void list_leftovers();
  void requeue();
  /// Returns true if a node of the job is down, for which Slurm has put the job into the queue again.
  [[nodiscard]] bool has_slurm_requeued() const;
  void tell_time_left();
  void leave(int code);

  const GuardOptions* options_;
  Pace* pace_;
  JournalWriter* journal_;
  CheckpointFiles* files_;
  GuardEnvironment around_;
  SlurmJob* slurm_;
  Voice voice_;
  GuardLogic logic_;

  double zero_ = 0;
  std::string boot_;
  Descriptor signals_;
  Descriptor pipe_;
  Descriptor requests_;
  Descriptor output_;
  OutputSink out_{STDOUT_FILENO};
  bool has_told_of_dropped_ = false;
  Lines messages_{kLongestMessage};
  Lines lines_{kLongestLine};

  std::deque<Event> events_;
  bool is_feeding_ = false;
  std::optional<int> code_;

  std::optional<ProcessId> program_;
  std::optional<ProcessId> asker_;
  Descriptor program_end_;  ///< can be read once the program has ended
  Descriptor asker_end_;
  std::vector<pid_t> sessions_;
  int last_code_ = 0;
  int last_signal_ = 0;
  bool starts_anew_ = false;
  bool is_killing_ = false;
  double kill_look_ = 0;
  bool is_launcher_ = false;
  bool had_ranks_ = false;
  double alone_since_ = Rules::kNever;

  double looked_at_ = 0;
  SignalSender sender_;
  double asked_at_ = -Rules::kNever;
  std::optional<SeenFile> asked_file_;  ///< the checkpoint at the last request or launch
  bool has_told_of_requeue_ = false;
  std::optional<SeenFile> before_;  ///< the file when the program was asked to save
  std::optional<SeenFile> seen_;    ///< the file at the last look
  double seen_at_ = 0;
  std::optional<double> saved_at_;  ///< when the newest checkpoint was written; nothing: now
  std::optional<SeenFile> ready_before_;

  Generations known_;
  Candidates candidates_;
  FileWatch watch_;
  std::vector<ProcessId> running_;  ///< at some look before
  double running_at_ = 0;
  std::vector<ProcessId>
      writers_;  ///< those that ran since a checkpoint changed that was not accepted yet
  std::optional<Background> task_;
  Task doing_ = Task::none;
  double task_began_ = 0;
  double look_seconds_ = 0;
  std::vector<SeenFile> whole_;  ///< the complete checkpoints that are verified and kept
  Evidence evidence_ = Evidence::settled;
  std::vector<std::int64_t> keeping_;  ///< their numbers
  bool is_kept_told_ = false;
  std::string newest_;     ///< the name of the newest checkpoint
  std::int64_t from_ = 0;  ///< the generation from which the program was started
  CheckpointFiles::Start start_;
  bool awaits_launch_ = false;
  bool awaits_aside_ = false;
  std::optional<bool> awaits_verify_;  ///< its argument
  std::set<std::string> said_;
  bool has_told_of_held_ = false;
  bool has_told_of_folder_ = false;

  std::optional<double> progress_;
  double next_time_left_ = Rules::kNever;
  double next_busy_ = Rules::kNever;
  double processor_time_ = 0;
  double warned_at_ = -Rules::kNever;
  bool has_warned_of_events_ = false;

  static constexpr std::size_t kLongestMessage = 512;
  static constexpr std::size_t kLongestLine = std::size_t{1} << 20;
};

}  // namespace holdfast::field
