#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/voice.hpp"
#include "holdfast/field/checkpoint_files.hpp"
#include "holdfast/field/guard_options.hpp"
#include "holdfast/field/journal.hpp"
#include "holdfast/field/pace.hpp"

#include <cstdint>
#include <memory>

namespace holdfast::field {

class SlurmJob;

/// Performs what a Machine decides: starts, signals and waits for processes, looks at files, keeps the journal.
class Driver {
 public:
  /// @param pace, journal, files  must outlive the driver
  /// @param slurm  the job that this runs in; may be null
  Driver(const GuardOptions& options, Pace& pace, JournalWriter& journal, CheckpointFiles& files,
         SlurmJob* slurm, Voice voice);
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
