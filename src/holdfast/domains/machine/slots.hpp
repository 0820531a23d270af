#pragma once

#include "holdfast/domains/machine/running.hpp"
#include "holdfast/kernel/event_queue.hpp"

#include <cstdint>
#include <vector>

namespace holdfast::machine {

/// The jobs that have nodes, each in its own slot, and the dates of their next events.
class Slots {
 public:
  /// Returns a slot for one more job. References to jobs may become invalid.
  [[nodiscard]] std::uint32_t open();
  /// Closes the slot of a job that no longer has nodes. Its contents are deleted.
  void close(std::uint32_t slot);

  [[nodiscard]] RunningJob& operator[](std::uint32_t slot) { return jobs_[slot]; }
  /// Returns the number of slots, used or not.
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(jobs_.size()); }
  [[nodiscard]] bool is_taken(std::uint32_t slot) const { return jobs_[slot].job != nullptr; }
  /// Returns the number of jobs that have nodes.
  [[nodiscard]] std::int64_t taken() const { return taken_; }

  /// Sets the date at which a job's work or downtime ends; kNever: something else will end it.
  void set_due(std::uint32_t slot, double date);
  /// Returns the first of these dates.
  [[nodiscard]] double next_due();
  /// Appends the slots whose date has come, in the order of their jobs, and removes these dates.
  void take_due(double reached, std::vector<std::uint32_t>& slots);
  void sort_by_job(std::vector<std::uint32_t>& slots);

  /// Sets the date at which the job ends according to its estimate, in seconds.
  void set_end(std::uint32_t slot, double date) { ends_[slot] = date; }
  [[nodiscard]] double end(std::uint32_t slot) const { return ends_[slot]; }
  [[nodiscard]] double next_end() const;

 private:
  std::vector<RunningJob> jobs_;
  std::vector<double> due_;
  std::vector<double> ends_;
  std::vector<std::uint32_t> free_;
  std::int64_t taken_ = 0;
  // an entry whose date differs from that of its slot is out of date
  EventQueue<std::uint32_t> dates_;
};

}  // namespace holdfast::machine
