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

double slowest_ratio_short(double n, std::int64_t segments) noexcept {
  const auto count = static_cast<double>(segments);
  const double log_n = elementary::log(n);
  return 0.8 * (positive_part(log_n) / count + positive_part(elementary::log(log_n))) + 3 +
         3 / count;
}

double largest_failure_count(double n, const SegmentedTask& task,
                             const ResilienceCosts& costs) noexcept {
  const auto segments = static_cast<double>(task.segments);
  const double log_q = log_of_q(task, costs);
  if (!(log_q > 0)) return std::numeric_limits<double>::infinity();
  const double log_n = positive_part(elementary::log(n) / log_q);
  const double log_log_n = positive_part(elementary::log(log_n) / log_q);
  return log_n + (segments - 1) * log_log_n + segments + log_q / 12 + 1 / log_q;
}

double mean_lost_time(double length, double rate) noexcept {
  const double x = rate * length;
  if (x < 1e-5) return length * (0.5 - x / 12);  // here the two terms below would cancel
  return 1 / rate - length / elementary::expm1(x);
}

SlowestBounds slowest_time_bounds(double n, const SegmentedTask& task,
                                  const ResilienceCosts& costs) noexcept {
  const auto segments = static_cast<double>(task.segments);
  const double attempt = task.work / segments + costs.checkpoint;
  const double once = -elementary::expm1(-n * task.rate * attempt);
  SlowestBounds out;
  out.lower =
      attempt + once * (mean_lost_time(attempt, task.rate) + costs.recovery + costs.downtime);
  const double struck = -elementary::expm1(-task.rate * (segments * attempt + costs.recovery));
  if (!(struck < 1)) {
    out.upper = std::numeric_limits<double>::infinity();
    return out;
  }
  // min(1, n f^k) is 1 up to some k, and then a geometric series.
  double certain = std::floor(elementary::log(n) / -elementary::log(struck));
  certain = std::max(0.0, certain);
  const double rest = n * elementary::pow(struck, certain + 1) / (1 - struck);
  out.upper = segments * attempt + (attempt + costs.recovery + costs.downtime) * (certain + rest);
  return out;
}

}  // namespace holdfast
