#include "holdfast/domains/capacity/metrics.hpp"

#include <array>

namespace holdfast::capacity {
namespace {

constexpr auto kMetrics = std::to_array<Metric>({
    {"goodput", "", Better::higher, "share of the capacity that did work which was not lost"},
    {"utilization", "", Better::higher, "share of the capacity that was busy"},
    {"maximum_stretch", "", Better::lower, "largest (end - release) / length of a completed job"},
    {"average_stretch", "", Better::lower, "mean of the same"},
    {"aborted_volume", "", Better::lower, "share of the capacity that killed runs took"},
    {"average_aborted_time", "s", Better::lower, "mean time that a killed run had lasted"},
    {"aborted_work_per_kill", "core s", Better::lower,
     "mean core-seconds that a killed run had taken"},
    {"kills", "", Better::lower, "runs that ended with their machine"},
    {"completed_jobs", "", Better::higher, "jobs that completed in the window"},
    {"makespan", "s", Better::lower, "last completion, where every job has completed"},
});

double ratio(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::span<const Metric> metric_table() {
  return kMetrics;
}

std::vector<std::optional<double>> values(const Metrics& m) {
  using Value = std::optional<double>;
  const auto share = [&](std::int64_t work) {
    return m.capacity > 0 ? Value(ratio(work, m.capacity)) : std::nullopt;
  };
  const bool has_stretch = m.completed > 0;
  const auto per_kill = [&](std::int64_t sum) { return m.kills > 0 ? ratio(sum, m.kills) : 0.0; };
  return {share(m.useful),
          share(m.useful + m.aborted),
          has_stretch ? Value(m.largest_stretch) : std::nullopt,
          has_stretch ? Value(m.sum_of_stretch / static_cast<double>(m.completed)) : std::nullopt,
          share(m.aborted),
          per_kill(m.aborted_time),
          per_kill(m.aborted),
          static_cast<double>(m.kills),
          static_cast<double>(m.completed),
          m.makespan ? Value(static_cast<double>(*m.makespan)) : std::nullopt};
}

}  // namespace holdfast::capacity
