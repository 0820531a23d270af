#pragma once

#include "holdfast/base/value.hpp"

#include <cstddef>
#include <optional>

namespace holdfast::field {

/// Decides when a job saves, and learns from what happens to it: an advisor, or in a test a fixed period. Dates are
/// seconds on the clock of the guard, durations are seconds.
class Pace {
 public:
  virtual ~Pace() = default;

  // What happens.
  /// Tells of a start.
  /// @param restores  from a checkpoint, which takes time
  virtual void launched(double now, bool restores) = 0;
  virtual void ready(double now) = 0;
  virtual void save_begun(double now) = 0;
  virtual void save_ended(double now, bool ok) = 0;
  virtual void durable(double now) = 0;
  /// Tells what is done.
  /// @param total  0 or less: unknown
  virtual void progressed(double now, double done, double total) = 0;
  /// Tells of an interruption.
  /// @param node    position among the job's nodes, where it is known
  /// @param counts  it is evidence about the nodes: not a quick end
  virtual void failed(double now, std::optional<std::size_t> node, bool counts) = 0;
  virtual void renewed(double now, std::size_t node) = 0;
  virtual void stopped(double now) = 0;
  virtual void time_left(double now, double seconds) = 0;

  // What to do.
  /// Returns when the next checkpoint is due; infinite while none is wanted.
  [[nodiscard]] virtual double due() const = 0;
  /// Returns from when on the last checkpoint of the allocation has to begin; infinite without an end.
  [[nodiscard]] virtual double stop_date() const = 0;
  /// Returns the time kept free for that checkpoint.
  [[nodiscard]] virtual double reserve(double now) const = 0;
  /// Returns what a checkpoint takes; nothing while that is unknown.
  [[nodiscard]] virtual std::optional<double> checkpoint(double now) = 0;
  /// Returns what was learned and is planned, as the members of a journal's `estimate`.
  [[nodiscard]] virtual Value estimate(double now) = 0;
  /// Returns the ages of the nodes as an instance's `ages`; null where they are not known.
  [[nodiscard]] virtual Value ages(double /*now*/) { return {}; }
};

}  // namespace holdfast::field
