#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/field/entry.hpp"

#include <cstddef>
#include <optional>

namespace holdfast::field {

/// The part of a guard that decides when a job saves, and learns from the events of the job. It is an advisor or, in a test, a
/// fixed period. Dates are seconds on the guard's clock, durations are seconds.
class Pace {
 public:
  virtual ~Pace() = default;

  // Events of the job.
  /// Reports a start.
  /// @param restores  true: it restores a checkpoint, which takes time
  virtual void launched(double now, bool restores) = 0;
  virtual void ready(double now) = 0;
  /// @param is_asynchronous  true: it is safe when durable() is reported, not when it has ended
  virtual void save_begun(double now, bool is_asynchronous) = 0;
  virtual void save_ended(double now, bool ok) = 0;
  virtual void durable(double now) = 0;
  /// Reports the progress.
  /// @param total  progress at the end; 0 or less: unknown
  virtual void progressed(double now, double done, double total) = 0;
  /// Reports an interruption.
  /// @param node    position among the job's nodes, if known
  /// @param counts  true: it is evidence about the nodes; false: a quick end
  virtual void failed(double now, std::optional<std::size_t> node, bool counts) = 0;
  /// Reports an interruption that the program survived: it has begun again from its last checkpoint.
  virtual void survived(double now, bool counts) = 0;
  virtual void renewed(double now, std::size_t node) = 0;
  virtual void stopped(double now) = 0;
  virtual void time_left(double now, double seconds) = 0;

  // Plans.
  /// Returns the date of the next checkpoint; infinite while none is wanted.
  [[nodiscard]] virtual double due() const = 0;
  /// Returns the date at which the last checkpoint of the allocation has to begin; infinite if the allocation has no end.
  [[nodiscard]] virtual double stop_date() const = 0;
  /// Returns the time reserved for that checkpoint.
  [[nodiscard]] virtual double reserve(double now) const = 0;
  /// Returns the expected time of a checkpoint; nothing while it is unknown.
  [[nodiscard]] virtual std::optional<double> checkpoint(double now) = 0;
  /// Returns what was learned and planned.
  [[nodiscard]] virtual entry::Estimate estimate(double now) = 0;
  /// Returns the ages of the nodes as an instance's `ages`; null if they are unknown.
  [[nodiscard]] virtual Value ages(double /*now*/) { return {}; }
};

}  // namespace holdfast::field
