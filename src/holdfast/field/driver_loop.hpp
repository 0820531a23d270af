#pragma once

#include "holdfast/base/descriptor.hpp"
#include "holdfast/field/driver.hpp"
#include "holdfast/field/lines.hpp"
#include "holdfast/field/machine.hpp"
#include "holdfast/field/output_sink.hpp"
#include "holdfast/field/process.hpp"
#include "holdfast/field/signal_sender.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::field {

/// The state that lives as long as a guard runs. Events and times are handled in driver.cpp, files and requests to the program
/// in driver_files.cpp, and the remaining actions of the machine in driver_actions.cpp.
class Driver::Loop {
 public:
  Loop(const GuardOptions& options, Pace& pace, JournalWriter& journal, CheckpointFiles& files,
       Surroundings around, Voice voice)
      : options_(&options),
        pace_(&pace),
        journal_(&journal),
        files_(&files),
        around_(std::move(around)),
        slurm_(around_.slurm),
        voice_(std::move(voice)),
        machine_(rules_of(options, slurm_), pace),
        sender_(options.rules.signal, options.rules.trigger == Trigger::stop, options.directory) {}

  Result<int> run(double clock, const Machine::Past& past);

 private:
  static Rules rules_of(const GuardOptions& options, const SlurmJob* slurm);
  [[nodiscard]] double now() const;
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
  [[nodiscard]] std::optional<SeenFile> done_file() const;
  void look_for_checkpoint();
  void read_progress();
  void begin_events();
  void read_events();
  void look_for_ranks();

  // --- actions of the machine ---
  void perform(const Action& action);
  void write(const Value& entry, Durable durable);
  [[nodiscard]] std::vector<std::string> environment() const;
  [[nodiscard]] std::int64_t interval() const;
  void launch(bool anew);
  bool is_whole(const SeenFile& file);
  [[nodiscard]] std::vector<std::string> verify_words(const SeenFile& file) const;
  void send_when_handled();
  void look_for_requeue();
  void tell_of_requeue();
  void tell(std::string_view request);
  void ask();

  // --- verification of checkpoints ---
  void verify(bool is_doubtful);
  void keep_verified();
  [[nodiscard]] std::optional<double> settled() const;
  void set_aside();
  [[nodiscard]] bool is_unfinished_first() const;

  // --- ends of processes ---
  [[nodiscard]] bool is_helper(const ProcessId& process) const {
    return verifier_ && process == *verifier_;
  }
  void kill_more();
  void list_leftovers();
  void requeue();
  void tell_time_left();
  void leave(int code);

  const GuardOptions* options_;
  Pace* pace_;
  JournalWriter* journal_;
  CheckpointFiles* files_;
  Surroundings around_;
  SlurmJob* slurm_;
  Voice voice_;
  Machine machine_;

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
  std::optional<ProcessId> verifier_;
  std::vector<pid_t> sessions_;
  int last_code_ = 0;
  int last_signal_ = 0;
  bool starts_anew_ = false;
  std::optional<SeenFile> started_from_;  ///< the checkpoint at the last launch
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
  std::optional<SeenFile> written_;
  std::optional<SeenFile> ready_before_;
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
