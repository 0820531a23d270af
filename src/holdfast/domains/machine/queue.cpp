#include "holdfast/domains/machine/queue.hpp"

#include <algorithm>

namespace holdfast::machine {

void Queue::take(std::size_t position, Queued& out) {
  out = waiting_[position];
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(position));
}

bool Queue::next(double now, std::int64_t free, std::span<const Release> releases, Queued& out) {
  if (waiting_.empty() || free <= 0) return false;
  if (waiting_.front().nodes <= free) {
    take(0, out);
    return true;
  }
  switch (scheduler_) {
    case Scheduler::fcfs:
      return false;
    case Scheduler::first_fit: {
      const auto fits = std::find_if(waiting_.begin(), waiting_.end(),
                                     [free](const Queued& job) { return job.nodes <= free; });
      if (fits == waiting_.end()) return false;
      take(static_cast<std::size_t>(fits - waiting_.begin()), out);
      return true;
    }
    case Scheduler::easy:
      return backfill(now, free, releases, out);
  }
  return false;
}

// The first job gets the first date at which, by the estimates, its nodes are free. Others may start now on nodes that it
// leaves free then, or that they give back by then. An estimate that has passed counts as "now".
bool Queue::backfill(double now, std::int64_t free, std::span<const Release> releases,
                     Queued& out) {
  sorted_.assign(releases.begin(), releases.end());
  for (Release& release : sorted_) release.date = std::max(release.date, now);
  std::sort(sorted_.begin(), sorted_.end(),
            [](const Release& a, const Release& b) { return a.date < b.date; });
  const std::int64_t wanted = waiting_.front().nodes;
  std::int64_t there = free;
  double reserved = kNever;
  for (auto release = sorted_.begin(); release != sorted_.end(); ++release) {
    if (there >= wanted && release->date > reserved) break;
    there += release->nodes;
    if (there >= wanted) reserved = release->date;
  }
  const std::int64_t left = there - wanted;  // free nodes when the first job starts
  for (std::size_t i = 1; i < waiting_.size(); ++i) {
    const Queued& job = waiting_[i];
    if (job.nodes > free) continue;
    const bool ends_by_then = now + job.estimate <= reserved;
    if (!ends_by_then && job.nodes > left) continue;
    take(i, out);
    return true;
  }
  return false;
}

}  // namespace holdfast::machine
