#pragma once

#include "holdfast/field/process.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace holdfast::field {

/// A program that starts the processes which do the work.
enum class Launcher : std::uint8_t {
  none,
  mpi,    ///< mpirun: passes signals on to its ranks, which are its children here
  slurm,  ///< srun: passes signals on to its ranks, which are children of slurmstepd
  torch,  ///< torchrun: passes no signal on, or ends its workers soon after it did
};

/// Tells from the words of a command which launcher it is.
[[nodiscard]] Launcher launcher_of(std::span<const std::string> words);

/// Sends the signal that asks a program to save, once it would end none of the processes that it reaches.
class SignalSender {
 public:
  /// @param ends       true: the program saves and ends at the signal
  /// @param directory  the guard's directory, by which a launcher's ranks are found
  SignalSender(int signal, bool ends, std::string directory)
      : signal_(signal), ends_(ends), directory_(std::move(directory)) {}

  /// Begins a request.
  void begin(const ProcessId& program, double now);
  [[nodiscard]] bool is_due() const { return is_due_; }
  void give_up() { is_due_ = false; }
  /// Looks at the processes again, and sends the signal if all of them take it.
  void look(double now);
  /// Returns why the signal has not been sent for so long, once; empty: no reason to speak.
  [[nodiscard]] std::string complaint(double now);

 private:
  [[nodiscard]] bool accepts(const ProcessId& process, double now);
  [[nodiscard]] bool all_accept(std::span<const ProcessId> processes, double now);
  [[nodiscard]] bool send_to(const ProcessId& process, bool must_stand) const;
  [[nodiscard]] bool send_through(std::span<const ProcessId> ranks, double now);
  [[nodiscard]] bool send_to_workers(double now);

  int signal_;
  bool ends_;
  std::string directory_;
  ProcessId program_;
  Launcher launcher_ = Launcher::none;
  bool is_due_ = false;
  bool has_complained_ = false;
  double begun_at_ = 0;
  /// Since when a process has blocked the signal in every look.
  struct Blocked {
    double since = 0;
    int looks = 0;
  };
  std::map<pid_t, Blocked> blocked_;
};

}  // namespace holdfast::field
