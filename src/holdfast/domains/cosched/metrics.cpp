#include "holdfast/domains/cosched/metrics.hpp"

#include "holdfast/contract/metric_table.hpp"

#include <array>

namespace holdfast::cosched {
namespace {

constexpr auto kRows = std::to_array<MetricRow<Metrics>>({
    {{"makespan", Unit::seconds, Better::lower, "when the last task ends"},
     member<&Metrics::makespan>},
    {{"lower_bound", Unit::seconds, Better::neither,
      "no strategy ends earlier: areas and shortest times without failures; small: the optimum", "",
      "", "makespan"},
     member<&Metrics::lower_bound>},
    {{"expected_bound", Unit::seconds, Better::neither,
      "no strategy that does not know what will fail has a smaller mean makespan"},
     member<&Metrics::expected_bound>},
    {{"bound_ratio", Unit::none, Better::lower, "makespan divided by the expected bound",
      "makespan", "expected_bound"},
     member<&Metrics::bound_ratio>},
    {{"optimum", Unit::seconds, Better::neither,
      "earliest end of all sequences of allocations, where nothing fails and the instance is "
      "small"},
     member<&Metrics::optimum>},
    {{"failures_handled", Unit::none, Better::neither, "failures that threw a task back"},
     member<&Metrics::failures_handled>},
    {{"failures_ignored", Unit::none, Better::neither,
      "failures on idle processors, or on tasks that recover or move"},
     member<&Metrics::failures_ignored>},
    {{"redistributions", Unit::none, Better::neither, "decisions that changed an allocation"},
     member<&Metrics::redistributions>},
    {{"predicted_makespan", Unit::seconds, Better::lower,
      "largest expected finish, mean over the events"},
     member<&Metrics::predicted_makespan>},
    {{"allocation_deviation", Unit::none, Better::neither,
      "standard deviation of the processors of running tasks, mean over the events"},
     member<&Metrics::allocation_deviation>},
    {{"double_failure_probability", Unit::none, Better::lower,
      "probability (first order) of a fatal failure of both buddies, which the model leaves out"},
     member<&Metrics::double_failure_probability>},
});

}  // namespace

std::vector<Metric> metrics() {
  return metrics_of<Metrics>(kRows);
}

std::vector<std::optional<double>> values(const Metrics& metrics) {
  return values_of<Metrics>(kRows, metrics);
}

}  // namespace holdfast::cosched
