#pragma once

#include "holdfast/domains/machine/instance.hpp"

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace holdfast::machine {

/// A job that waits for nodes.
struct Queued {
  std::uint32_t job = 0;
  std::int64_t nodes = 0;
  double estimate = 0;  ///< seconds; infinite for an endless job
};

/// The date at which nodes become free, according to the scheduler's estimates.
struct Release {
  double date = 0;
  std::int64_t nodes = 0;
};

/// The waiting jobs, in the order in which they are considered.
class Queue {
 public:
  explicit Queue(Scheduler scheduler) : scheduler_{scheduler} {}

  [[nodiscard]] std::size_t size() const { return waiting_.size(); }
  void add(const Queued& job) { waiting_.push_back(job); }
  /// Adds an interrupted job before all others.
  void add_first(const Queued& job) { waiting_.push_front(job); }

  /// Removes the next job that starts now from the queue; returns false if there is none. Call this again after each start.
  /// @param releases  releases of the running jobs and of the nodes in repair, in any order; only `easy` reads them
  [[nodiscard]] bool next(double now, std::int64_t free, std::span<const Release> releases,
                          Queued& out);
  [[nodiscard]] bool needs_releases() const { return scheduler_ == Scheduler::easy; }

 private:
  void take(std::size_t position, Queued& out);
  [[nodiscard]] bool backfill(double now, std::int64_t free, std::span<const Release> releases,
                              Queued& out);

  Scheduler scheduler_;
  std::deque<Queued> waiting_;
  std::vector<Release> sorted_;
};

}  // namespace holdfast::machine
