#pragma once

#include "holdfast/kernel/timeline.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace holdfast::field {

namespace entry {
struct Launch;
struct Ready;
struct Snapshot;
struct Checkpoint;
struct Durable;
struct Failure;
struct Restart;
struct Finish;
struct Stop;
}  // namespace entry

/// A time in which a guarded job did one thing, on the guard's clock in seconds.
struct Stretch {
  enum class Kind : std::uint8_t { work, checkpoint, recovery, downtime };
  enum class Fate : std::uint8_t { safe, open, lost };  ///< of work; open: nothing has saved it yet
  Kind kind = Kind::work;
  double start = 0;
  double end = 0;
  Fate fate = Fate::safe;
};

inline constexpr auto kStretchKinds =
    std::to_array<std::string_view>({"work", "checkpoint", "recovery", "downtime"});

/// The course of a guarded job: work, checkpoints, recoveries and downtimes. Work is lost if no checkpoint saved it before the
/// program failed. Of a long job, saved work and checkpoints that no picture could distinguish are one stretch: of what most of
/// it was.
struct Course {
  double clock = 0;  ///< date of the last line
  double since = 0;  ///< begin of what goes on
  bool is_running = false;
  std::optional<double> ended_at = {};
  std::vector<Stretch> stretches = {};
  std::int64_t room = 1000;  ///< the number of stretches at which some are joined

  void on(const entry::Launch& entry);
  void on(const entry::Ready& entry);
  void on(const entry::Snapshot& entry);
  void on(const entry::Checkpoint& entry);
  void on(const entry::Durable& entry);
  void on(const entry::Failure& entry);
  void on(const entry::Restart& entry);
  void on(const entry::Finish& entry);
  void on(const entry::Stop& entry);
  template <class Other>
  void on(const Other& /*entry*/) {}
  /// Returns it as a schedule.
  [[nodiscard]] Timeline timeline() const;

 private:
  void stop(double seconds);
  void close(bool is_lost);
  void end_open(Stretch::Fate fate);
  void lose(double until);
  void work_until(double end);
  void add(Stretch::Kind kind, double start, double end);
  void join();
};

}  // namespace holdfast::field
