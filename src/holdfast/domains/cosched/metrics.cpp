#include "holdfast/domains/cosched/metrics.hpp"

#include <array>

namespace holdfast::cosched {
namespace {

constexpr auto kMetrics = std::to_array<Metric>({
    {"makespan", "s", Better::lower, "when the last task ends"},
    {"failures_handled", "", Better::neither, "failures that threw a task back"},
    {"failures_ignored", "", Better::neither,
     "failures on idle processors, or on tasks that recover or move"},
    {"redistributions", "", Better::neither, "decisions that changed an allocation"},
    {"predicted_makespan", "s", Better::lower, "largest expected finish, mean over the events"},
    {"allocation_deviation", "", Better::neither,
     "standard deviation of the processors of running tasks, mean over the events"},
    {"double_failure_probability", "", Better::lower,
     "probability (first order) of a fatal failure of both buddies, which the model leaves out"},
});

}  // namespace

std::span<const Metric> metric_table() {
  return kMetrics;
}

std::vector<std::optional<double>> values(const Metrics& metrics) {
  return {metrics.makespan,
          static_cast<double>(metrics.failures_handled),
          static_cast<double>(metrics.failures_ignored),
          static_cast<double>(metrics.redistributions),
          metrics.predicted_makespan,
          metrics.allocation_deviation,
          metrics.double_failure_probability};
}

}  // namespace holdfast::cosched
