#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/voice.hpp"
#include "holdfast/field/checkpoint_files.hpp"
#include "holdfast/field/guard_logic.hpp"
#include "holdfast/field/guard_options.hpp"
#include "holdfast/field/history.hpp"
#include "holdfast/field/journal.hpp"
#include "holdfast/field/pace.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace holdfast::field {

class NodeEvents;
class SlurmJob;

/// The surroundings of a guard; each member but the first may be absent. All of them outlive the driver.
struct GuardEnvironment {
  History* history = nullptr;    ///< what is in the journal
  SlurmJob* slurm = nullptr;     ///< the Slurm job that contains this process
  NodeEvents* events = nullptr;  ///< node failures that a monitor reports
  std::int64_t seen_events = 0;  ///< rows of the monitor that earlier guards have read
  /// True if this is the first guard, so that existing rows are in the past.
  bool is_new = true;
  /// true: there was no checkpoint when the job began, so that every checkpoint is the program's own
  bool began_empty = false;
  std::function<Status(double now)> before_launch = {};  ///< called before each launch
};

/// The part of a guard that performs the actions of the logic: it starts, signals and waits for processes, looks at files, and
/// keeps the journal.
class Driver {
 public:
  /// @param pace, journal, files  must outlive the driver
  Driver(const GuardOptions& options, Pace& pace, JournalWriter& journal, CheckpointFiles& files,
         GuardEnvironment around, Voice voice);
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  ~Driver();

  /// Guards the program until it ends.
  /// @param clock  the time at which the guard's clock continues, seconds
  /// @param past   what earlier guards did
  /// @returns the exit code, or the reason why nothing could be started
  [[nodiscard]] Result<int> run(double clock, const GuardLogic::Past& past);

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace holdfast::field
