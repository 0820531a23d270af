#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/domains/checkpoint/strategy.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace holdfast::checkpoint {

/// A number of segments that is chosen once for the whole run: the common part of young-daly, daly and optimal-exponential.
/// Segments are equal in work + checkpoint + recovery, that is, equal in work unless the job's ends differ.
class EqualSegments final : public Strategy {
 public:
  /// @param count  number of segments; fewer are used if some would have no work
  EqualSegments(const Instance& instance, std::int64_t count);

  [[nodiscard]] std::span<const double> decide(const State& state) override;

 private:
  std::int64_t count_;
  double first_extra_ = 0;  ///< additional work of the first segment, compared with a middle one
  double last_extra_ = 0;
  double cut_ = 0;
};

/// Returns the strategy that cuts the job into ceil(work / period) segments; a job without end, into segments of the period.
[[nodiscard]] std::unique_ptr<Strategy> segments_of_period(const Instance& instance, double period);

}  // namespace holdfast::checkpoint
