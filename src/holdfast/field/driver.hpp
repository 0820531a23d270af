#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/voice.hpp"
#include "holdfast/field/checkpoint_files.hpp"
#include "holdfast/field/guard_options.hpp"
#include "holdfast/field/journal.hpp"
#include "holdfast/field/pace.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace holdfast::field {

class NodeEvents;
class SlurmJob;

/// What a guard has around it; each may be absent. All of it outlives the driver.
struct Surroundings {
  SlurmJob* slurm = nullptr;     ///< the job that this runs in
  NodeEvents* events = nullptr;  ///< failures of nodes that somebody else sees
  std::int64_t seen_events = 0;  ///< rows of those that earlier guards took
  bool is_new = true;            ///< no guard was here before: all rows that are there are past
  std::function<Status(double now)> before_launch = {};  ///< each time
};

/// Performs what a Machine decides: starts, signals and waits for processes, looks at files, keeps the journal.
class Driver {
 public:
  /// @param pace, journal, files  must outlive the driver
  Driver(const GuardOptions& options, Pace& pace, JournalWriter& journal, CheckpointFiles& files,
         Surroundings around, Voice voice);
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  ~Driver();

  /// Guards the program to its end.
  /// @param clock     where the guard's clock goes on
  /// @param launches  of earlier guards
  /// @returns the exit code, or why nothing could be started
  [[nodiscard]] Result<int> run(double clock, std::int64_t launches);

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace holdfast::field
