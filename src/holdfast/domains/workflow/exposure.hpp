#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace holdfast::workflow {

/// A running task: its length in equal segments, each followed by a checkpoint.
struct Execution {
  double length = 0;  ///< seconds without failures and checkpoints
  std::int64_t segments = 1;
  double checkpoint = 0;  ///< seconds
  double recovery = 0;    ///< seconds
  double downtime = 0;    ///< seconds
  /// True if a failure can strike a recovery, which is not so in the author's simulator.
  bool is_recovery_exposed = true;

  [[nodiscard]] double segment() const {
    return length / static_cast<double>(segments) + checkpoint;
  }
  /// Returns the seconds that the task takes without failures, all of which are exposed.
  [[nodiscard]] double undisturbed() const {
    return length + static_cast<double>(segments) * checkpoint;
  }
};

/// The outcome of a running task.
struct ExposureOutcome {
  double duration = 0;  ///< seconds
  std::int64_t failures = 0;
};

/// Walks through a task from failure to failure. next() returns the exposed seconds from one failure to the next, or infinity
/// after the last one. The result is exact; cost: O(failures). A failure at the very end of a segment does not strike it.
/// Source: Perotin's thesis, section 6.2.3; the exact sampling is specified there.
template <class Next>
ExposureOutcome walk(const Execution& task, Next&& next) {
  const double segment = task.segment();
  const auto count = static_cast<double>(task.segments);
  ExposureOutcome out;
  double done = 0;  // completed segments
  double gap = next();
  while (done < count) {
    if (gap >= segment * (count - done)) {
      out.duration += segment * (count - done);
      break;
    }
    if (gap >= segment) {
      const double whole = std::min(count - done, std::floor(gap / segment));
      out.duration += whole * segment;
      gap = std::max(0.0, gap - whole * segment);
      done += whole;
      continue;
    }
    out.duration += gap + task.downtime;
    ++out.failures;
    gap = next();
    if (!task.is_recovery_exposed) {
      out.duration += task.recovery;
      continue;
    }
    for (; gap < task.recovery + segment; gap = next()) {
      out.duration += gap + task.downtime;
      ++out.failures;
    }
    out.duration += task.recovery + segment;
    gap -= task.recovery + segment;
    done += 1;
  }
  return out;
}

/// Walks through a task with given gaps between failures; there is no failure after the last gap.
inline ExposureOutcome walk_gaps(const Execution& task, std::span<const double> gaps) {
  std::size_t used = 0;
  ExposureOutcome out = walk(task, [&] {
    return used < gaps.size() ? gaps[used++] : std::numeric_limits<double>::infinity();
  });
  if (out.failures == 0) out.duration = task.undisturbed();
  return out;
}

}  // namespace holdfast::workflow
