#include "holdfast/domains/io/metrics.hpp"

#include <array>

namespace holdfast::io {
namespace {

constexpr auto kMetrics = std::to_array<Metric>({
    {"minimum_yield", "", Better::higher, "progress over age of the worst-off application"},
    {"efficiency", "", Better::higher, "progress in the window over its length, weighted by nodes"},
    {"utilization", "", Better::higher, "work in the window over its length, weighted by nodes"},
    {"pressure", "", Better::neither, "volume moved when alone over what the file system can move"},
    {"bandwidth_efficiency", "", Better::higher, "efficiency, weighted by bandwidths"},
    {"idle_bandwidth", "", Better::lower, "share of the bandwidth that nobody used"},
    {"decisions", "", Better::neither, "how often the strategy was asked"},
    {"preemptions", "", Better::lower, "operations paused before their end"},
    {"period", "s", Better::neither, "between the extra decisions of periodic-greedy-yield"},
});

}  // namespace

std::span<const Metric> metrics() {
  return kMetrics;
}

std::vector<std::optional<double>> values(const Metrics& m) {
  return {m.minimum_yield,
          m.efficiency,
          m.utilization,
          m.pressure,
          m.bandwidth_efficiency,
          m.idle_bandwidth,
          static_cast<double>(m.decisions),
          static_cast<double>(m.preemptions),
          m.period};
}

}  // namespace holdfast::io
