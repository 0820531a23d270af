#include "holdfast/models/resilience/concurrent.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holdfast {
namespace {

// Returns ln Q, where Q = 1 / (1 - e^-x) and x is the hazard of work, checkpoint and recovery.
double log_of_q(const SegmentedTask& task, const ResilienceCosts& costs) {
  const double segment = task.work / static_cast<double>(task.segments);
  return -elementary::log(
      -elementary::expm1(-task.rate * (segment + costs.checkpoint + costs.recovery)));
}

/// Returns max(0, x), and 0 if x is undefined.
double positive_part(double x) {
  return x > 0 ? x : 0;
}

}  // namespace

double slowest_ratio_bound(double n, const SegmentedTask& task,
                           const ResilienceCosts& costs) noexcept {
  const auto segments = static_cast<double>(task.segments);
  const double length = task.work / segments;
  // Q of the source is 1 / (1 - P_suc): the base with which numbers of failures decrease.
  const double log_q = log_of_q(task, costs);
  if (!(log_q > 0)) return std::numeric_limits<double>::infinity();
  const double log_n = positive_part(elementary::log(n) / log_q);
  const double log_log_n = positive_part(elementary::log(log_n) / log_q);
  const double failures =
      log_n / segments + log_log_n + 1 + log_q / (12 * segments) + 1 / (segments * log_q);
  const double lost = 1 + (costs.checkpoint + costs.recovery + costs.downtime) / length;
  return failures * lost + costs.checkpoint / length + 1;
}

}  // namespace holdfast
