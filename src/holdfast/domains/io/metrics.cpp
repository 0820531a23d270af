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
    {"applications", "", Better::neither, "how many share the file system"},
    {"window", "s", Better::neither, "length of the window that is measured"},
    {"occupancy", "", Better::neither, "nodes of the applications over those of the machine"},
    {"yield_iteration_1", "", Better::higher,
     "mean of the applications in sixth 1 by length of iteration"},
    {"yield_iteration_2", "", Better::higher,
     "mean of the applications in sixth 2 by length of iteration"},
    {"yield_iteration_3", "", Better::higher,
     "mean of the applications in sixth 3 by length of iteration"},
    {"yield_iteration_4", "", Better::higher,
     "mean of the applications in sixth 4 by length of iteration"},
    {"yield_iteration_5", "", Better::higher,
     "mean of the applications in sixth 5 by length of iteration"},
    {"yield_iteration_6", "", Better::higher,
     "mean of the applications in sixth 6 by length of iteration"},
    {"yield_fraction_1", "", Better::higher,
     "mean of the applications in sixth 1 by fraction of I/O"},
    {"yield_fraction_2", "", Better::higher,
     "mean of the applications in sixth 2 by fraction of I/O"},
    {"yield_fraction_3", "", Better::higher,
     "mean of the applications in sixth 3 by fraction of I/O"},
    {"yield_fraction_4", "", Better::higher,
     "mean of the applications in sixth 4 by fraction of I/O"},
    {"yield_fraction_5", "", Better::higher,
     "mean of the applications in sixth 5 by fraction of I/O"},
    {"yield_fraction_6", "", Better::higher,
     "mean of the applications in sixth 6 by fraction of I/O"},
});

}  // namespace

std::span<const Metric> metrics() {
  return kMetrics;
}

std::vector<std::optional<double>> values(const Metrics& m) {
  std::vector<std::optional<double>> out{m.minimum_yield,
                                         m.efficiency,
                                         m.utilization,
                                         m.pressure,
                                         m.bandwidth_efficiency,
                                         m.idle_bandwidth,
                                         static_cast<double>(m.decisions),
                                         static_cast<double>(m.preemptions),
                                         m.period,
                                         m.applications,
                                         m.length,
                                         m.occupancy};
  out.insert(out.end(), m.by_iteration.begin(), m.by_iteration.end());
  out.insert(out.end(), m.by_fraction.begin(), m.by_fraction.end());
  return out;
}

std::array<std::optional<double>, Metrics::kSixths> mean_of_sixths(
    std::span<const double> yields, std::span<const std::uint32_t> order) {
  std::array<std::optional<double>, Metrics::kSixths> out;
  for (std::size_t k = 0; k < Metrics::kSixths; ++k) {
    const std::size_t first = k * order.size() / Metrics::kSixths;
    const std::size_t last = (k + 1) * order.size() / Metrics::kSixths;
    if (first == last) continue;
    double sum = 0;
    for (std::size_t i = first; i < last; ++i) sum += yields[order[i]];
    out[k] = sum / static_cast<double>(last - first);
  }
  return out;
}

}  // namespace holdfast::io
