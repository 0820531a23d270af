#pragma once

#include "holdfast/domains/workflow/failure_free.hpp"
#include "holdfast/domains/workflow/instance.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::workflow {

/// What a strategy may know about one task: neither a random source nor future failures.
struct TaskView {
  double length = 0;      ///< seconds without failures and checkpoints
  double checkpoint = 0;  ///< seconds
  double recovery = 0;    ///< seconds
  double downtime = 0;    ///< seconds
  double rate = 0;        ///< failures of all its processors per exposed second
  /// Number of tasks that run at the same time in the failure-free schedule, including this one.
  std::uint32_t concurrency = 1;

  /// Returns sqrt(2 C / rate) in seconds; infinity if nothing fails.
  [[nodiscard]] double young_daly() const;
};

/// The decision of a strategy for one task.
struct Cut {
  std::int64_t segments = 1;  ///< equal segments, each followed by a checkpoint; >= 1
  double period = 0;          ///< seconds between checkpoints before rounding to whole segments
};

/// The whole input of a strategy: the problem and its failure-free schedule.
struct Situation {
  const Instance* instance = nullptr;
  const FailureFree* schedule = nullptr;
  std::span<const std::uint32_t> concurrency;  ///< [n]

  [[nodiscard]] TaskView view(std::size_t task) const;
};

/// A rule that decides once, before the workflow starts, into how many segments each task is cut.
class Strategy {
 public:
  Strategy() = default;
  virtual ~Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;

  /// Writes the decision for each task.
  /// @param[out] cuts  [n]
  virtual void decide(const Situation& situation, std::span<Cut> cuts) const = 0;

  /// Returns for each task by how much its hazard counts more than it is, if each task plans by NextStep when it starts and after
  /// each failure, from the ages of its processors; nothing if the cuts of decide() hold. @pre instance.law for a value
  [[nodiscard]] virtual std::optional<std::vector<double>> hazard_weights(const Situation&) const {
    return std::nullopt;
  }
};

/// A strategy that looks at one task at a time.
class LocalStrategy : public Strategy {
 public:
  void decide(const Situation& situation, std::span<Cut> cuts) const final;
  [[nodiscard]] virtual Cut cut(const TaskView& task) const = 0;
};

/// Returns ceil(length / period) segments, at least 1.
[[nodiscard]] Cut cut_by_period(double length, double period);

}  // namespace holdfast::workflow
