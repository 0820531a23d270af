#include "holdfast/domains/io/metrics.hpp"

#include "holdfast/contract/metric_table.hpp"

#include <array>

namespace holdfast::io {
namespace {

template <std::size_t K>
std::optional<double> by_iteration(const Metrics& metrics) {
  return metrics.by_iteration[K];
}
template <std::size_t K>
std::optional<double> by_fraction(const Metrics& metrics) {
  return metrics.by_fraction[K];
}

constexpr auto kRows = std::to_array<MetricRow<Metrics>>({
    {{"minimum_yield", Unit::none, Better::higher,
      "progress divided by age, of the worst-off application"},
     member<&Metrics::minimum_yield>},
    {{"yield_bound", Unit::none, Better::neither,
      "no strategy has a larger minimum yield in this window", "", "", "minimum_yield"},
     member<&Metrics::yield_bound>},
    {{"optimal_yield", Unit::none, Better::neither,
      "largest minimum yield of all schedules; only for small listed windows"},
     member<&Metrics::optimal_yield>},
    {{"efficiency", Unit::none, Better::higher,
      "progress in the window, divided by the window's length and weighted by nodes"},
     member<&Metrics::efficiency>},
    {{"utilization", Unit::none, Better::higher,
      "work in the window, divided by the window's length and weighted by nodes"},
     member<&Metrics::utilization>},
    {{"pressure", Unit::none, Better::neither,
      "what all applications would move if alone, divided by what the file system can move"},
     member<&Metrics::pressure>},
    {{"bandwidth_efficiency", Unit::none, Better::higher, "efficiency, weighted by bandwidths"},
     member<&Metrics::bandwidth_efficiency>},
    {{"idle_bandwidth", Unit::none, Better::lower, "share of the bandwidth that was not used"},
     member<&Metrics::idle_bandwidth>},
    {{"decisions", Unit::none, Better::neither, "number of decisions of the strategy"},
     member<&Metrics::decisions>},
    {{"preemptions", Unit::none, Better::lower, "operations paused before their end"},
     member<&Metrics::preemptions>},
    {{"period", Unit::seconds, Better::neither,
      "time between the extra decisions of periodic-greedy-yield"},
     member<&Metrics::period>},
    {{"applications", Unit::none, Better::neither,
      "number of applications that share the file system"},
     member<&Metrics::applications>},
    {{"window", Unit::seconds, Better::neither, "length of the window that is measured"},
     member<&Metrics::length>},
    {{"occupancy", Unit::none, Better::neither,
      "nodes of the applications divided by those of the machine"},
     member<&Metrics::occupancy>},
    {{"yield_iteration_1", Unit::none, Better::higher,
      "mean yield of sixth 1 of the applications, ordered by iteration length"},
     by_iteration<0>},
    {{"yield_iteration_2", Unit::none, Better::higher,
      "mean yield of sixth 2 of the applications, ordered by iteration length"},
     by_iteration<1>},
    {{"yield_iteration_3", Unit::none, Better::higher,
      "mean yield of sixth 3 of the applications, ordered by iteration length"},
     by_iteration<2>},
    {{"yield_iteration_4", Unit::none, Better::higher,
      "mean yield of sixth 4 of the applications, ordered by iteration length"},
     by_iteration<3>},
    {{"yield_iteration_5", Unit::none, Better::higher,
      "mean yield of sixth 5 of the applications, ordered by iteration length"},
     by_iteration<4>},
    {{"yield_iteration_6", Unit::none, Better::higher,
      "mean yield of sixth 6 of the applications, ordered by iteration length"},
     by_iteration<5>},
    {{"yield_fraction_1", Unit::none, Better::higher,
      "mean yield of sixth 1 of the applications, ordered by fraction of I/O"},
     by_fraction<0>},
    {{"yield_fraction_2", Unit::none, Better::higher,
      "mean yield of sixth 2 of the applications, ordered by fraction of I/O"},
     by_fraction<1>},
    {{"yield_fraction_3", Unit::none, Better::higher,
      "mean yield of sixth 3 of the applications, ordered by fraction of I/O"},
     by_fraction<2>},
    {{"yield_fraction_4", Unit::none, Better::higher,
      "mean yield of sixth 4 of the applications, ordered by fraction of I/O"},
     by_fraction<3>},
    {{"yield_fraction_5", Unit::none, Better::higher,
      "mean yield of sixth 5 of the applications, ordered by fraction of I/O"},
     by_fraction<4>},
    {{"yield_fraction_6", Unit::none, Better::higher,
      "mean yield of sixth 6 of the applications, ordered by fraction of I/O"},
     by_fraction<5>},
});

}  // namespace

std::vector<Metric> metrics() {
  return metrics_of<Metrics>(kRows);
}

std::vector<std::optional<double>> values(const Metrics& metrics) {
  return values_of<Metrics>(kRows, metrics);
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
