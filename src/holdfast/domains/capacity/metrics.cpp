#include "holdfast/domains/capacity/metrics.hpp"

#include "holdfast/contract/metric_table.hpp"

#include <algorithm>
#include <array>

namespace holdfast::capacity {
namespace {

std::optional<double> share(std::int64_t work, const Metrics& m) {
  if (m.capacity == 0) return std::nullopt;
  return static_cast<double>(work) / static_cast<double>(m.capacity);
}

double per_kill(std::int64_t sum, const Metrics& m) {
  return m.kills == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(m.kills);
}

std::optional<double> largest_stretch(const Metrics& m) {
  if (m.completed == 0) return std::nullopt;
  return m.largest_stretch;
}

std::optional<double> mean_stretch(const Metrics& m) {
  if (m.completed == 0) return std::nullopt;
  return m.sum_of_stretch / static_cast<double>(m.completed);
}

// A part of the bill, and what a useful core-hour cost.
template <std::optional<Bill> Metrics::*of, double Bill::*part>
std::optional<double> billed(const Metrics& m) {
  if (!(m.*of)) return std::nullopt;
  return (*(m.*of)).*part;
}
template <std::optional<Bill> Metrics::*of>
std::optional<double> per_core_hour(const Metrics& m) {
  if (!(m.*of) || m.useful == 0) return std::nullopt;
  return (m.*of)->busy * kHour / static_cast<double>(m.useful);
}

using M = const Metrics&;
using Number = std::optional<double>;

constexpr auto kRows = std::to_array<MetricRow<Metrics>>({
    {{"goodput", Unit::none, Better::higher, "share of the capacity in work that was not lost"},
     [](M m) { return share(m.useful, m); }},
    {{"utilization", Unit::none, Better::higher, "share of the capacity that was busy"},
     [](M m) { return share(m.useful + m.aborted + m.saving.value_or(0), m); }},
    {{"maximum_stretch", Unit::none, Better::lower,
      "largest (end - release) / length of a completed job"},
     largest_stretch},
    {{"average_stretch", Unit::none, Better::lower,
      "mean (end - release) / length of completed jobs"},
     mean_stretch},
    {{"aborted_volume", Unit::none, Better::lower, "share of the capacity that killed runs took"},
     [](M m) { return share(m.aborted, m); }},
    {{"average_aborted_time", Unit::seconds, Better::lower, "mean duration of killed runs"},
     [](M m) { return Number(per_kill(m.aborted_time, m)); }},
    {{"aborted_work_per_kill", Unit::core_seconds, Better::lower,
      "mean core-seconds of killed runs"},
     [](M m) { return Number(per_kill(m.aborted, m)); }},
    {{"kills", Unit::none, Better::lower, "runs that were killed with their machine"},
     member<&Metrics::kills>},
    {{"completed_jobs", Unit::none, Better::higher, "jobs that completed in the window"},
     member<&Metrics::completed>},
    {{"makespan", Unit::seconds, Better::lower,
      "time of the last completion, if all jobs have completed"},
     member<&Metrics::makespan>},
    {{"goodput_bound", Unit::none, Better::neither,
      "no schedule has a larger goodput; from the capacity and the work that has arrived by each "
      "date",
      "", "", "goodput"},
     [](M m) { return m.useful_bound ? share(*m.useful_bound, m) : std::nullopt; }},
    {{"saves", Unit::none, Better::neither, "runs that were saved before their machine went off"},
     member<&Metrics::saves>},
    {{"saving_volume", Unit::none, Better::lower,
      "share of the capacity that saving these runs took"},
     [](M m) { return m.saving ? share(*m.saving, m) : std::nullopt; }},
    {{"money_per_core_hour", Unit::none, Better::lower, "money for a useful core-hour"},
     per_core_hour<&Metrics::money>},
    {{"money", Unit::none, Better::lower, "money for machine-hours with a job"},
     billed<&Metrics::money, &Bill::busy>},
    {{"idle_money", Unit::none, Better::neither,
      "money for powered machine-hours without a job, booting and shutting down included"},
     billed<&Metrics::money, &Bill::idle>},
    {{"money_bound", Unit::none, Better::neither,
      "the cheapest machine-hours that hold the same useful work", "", "", "money"},
     billed<&Metrics::money, &Bill::least>},
    {{"grams_per_core_hour", Unit::none, Better::lower,
      "grams of carbon dioxide for a useful core-hour"},
     per_core_hour<&Metrics::grams>},
    {{"grams", Unit::none, Better::lower, "grams for machine-hours with a job"},
     billed<&Metrics::grams, &Bill::busy>},
    {{"idle_grams", Unit::none, Better::neither,
      "grams for powered machine-hours without a job, booting and shutting down included"},
     billed<&Metrics::grams, &Bill::idle>},
    {{"grams_bound", Unit::none, Better::neither,
      "the cleanest machine-hours that hold the same useful work", "", "", "grams"},
     billed<&Metrics::grams, &Bill::least>},
});

constexpr auto kOfObjective =
    std::to_array<std::string_view>({"goodput", "money_per_core_hour", "grams_per_core_hour"});

}  // namespace

std::vector<Metric> metrics() {
  return metrics_of<Metrics>(kRows);
}

std::size_t position_of(Objective objective) {
  const std::string_view name = kOfObjective[static_cast<std::size_t>(objective)];
  const auto row = std::ranges::find_if(
      kRows, [name](const MetricRow<Metrics>& one) { return one.metric.name == name; });
  return static_cast<std::size_t>(row - kRows.begin());
}

std::vector<std::optional<double>> values(const Metrics& metrics) {
  return values_of<Metrics>(kRows, metrics);
}

}  // namespace holdfast::capacity
