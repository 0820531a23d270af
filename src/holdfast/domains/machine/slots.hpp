#pragma once

#include "holdfast/domains/machine/running.hpp"
#include "holdfast/kernel/event_queue.hpp"

#include <cstdint>
#include <vector>

namespace holdfast::machine {

/// The jobs that have nodes, each in a slot of its own, and the dates at which something happens to them.
class Slots {
 public:
  /// Returns a slot for one more job; references to jobs may become invalid.
  [[nodiscard]] std::uint32_t open();
  /// The job has no nodes any more. What the slot holds of it is forgotten.
  void close(std::uint32_t slot);

  [[nodiscard]] RunningJob& operator[](std::uint32_t slot) { return jobs_[slot]; }
  /// Slots, taken or not.
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(jobs_.size()); }
  [[nodiscard]] bool is_taken(std::uint32_t slot) const { return jobs_[slot].job != nullptr; }
  /// Jobs that have nodes.
  [[nodiscard]] std::int64_t taken() const { return taken_; }

  /// When a job's work or downtime ends; kNever: it does not, or something else will say so.
  void set_due(std::uint32_t slot, double date);
  /// Returns the first such date.
  [[nodiscard]] double next_due();
  /// Appends the slots whose date has come, in the order of their jobs. They have no date any more.
  void take_due(double reached, std::vector<std::uint32_t>& slots);
  void sort_by_job(std::vector<std::uint32_t>& slots);

  /// Returns the date at which the job ends by its estimate, in seconds.
  void set_end(std::uint32_t slot, double date) { ends_[slot] = date; }
  [[nodiscard]] double end(std::uint32_t slot) const { return ends_[slot]; }
  [[nodiscard]] double next_end() const;

 private:
  std::vector<RunningJob> jobs_;
  std::vector<double> due_;
  std::vector<double> ends_;
  std::vector<std::uint32_t> free_;
  std::int64_t taken_ = 0;
  EventQueue<std::uint32_t> dates_;  // an entry whose date is not that of its slot is stale
};

}  // namespace holdfast::machine
