#include "holdfast/domains/io/bounds.hpp"

#include "holdfast/domains/io/dedicated.hpp"
#include "holdfast/domains/io/simulate.hpp"
#include "holdfast/domains/io/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace holdfast::io {
namespace {

double all(double m) {
  return m;
}
double quarter(double m) {
  return m / 4;
}
double two(double) {
  return 2;
}
double half_less_four(double m) {
  return m / 2 - 4;
}
double three_halves(double) {
  return 1.5;
}

constexpr std::string_view kYield = "minimum_yield";
constexpr std::string_view kEfficiency = "efficiency";
constexpr std::string_view kUtilization = "utilization";
constexpr std::string_view kSecond = "example-2b";

// The rows of the table; the utilization of every strategy can be 0.
constexpr auto kBounds = std::to_array<Bound>({
    {"fair-share", kYield, "example-1", "m", all},
    {"fair-share", kEfficiency, kSecond, "m / 4", quarter},
    {"fair-share", kUtilization, kSecond, "infinite"},
    {"fcfs", kYield, kSecond, "infinite"},
    {"fcfs", kEfficiency, "example-3", "m", all},
    {"fcfs", kUtilization, kSecond, "infinite"},
    {"set-10", kYield, kSecond, "infinite"},
    {"set-10", kEfficiency, "example-3", "m", all},
    {"set-10", kUtilization, kSecond, "infinite"},
    {"greedy-yield", kYield, kSecond, "infinite"},
    {"greedy-yield", kEfficiency, "example-3", "m", all},
    {"greedy-yield", kUtilization, kSecond, "infinite"},
    {"greedy-com", kYield, kSecond, "infinite"},
    {"greedy-com", kEfficiency, kSecond, "m / 4", quarter},
    {"greedy-com", kUtilization, kSecond, "infinite"},
    {"look-ahead-greedy-yield", kYield, kSecond, "infinite"},
    {"look-ahead-greedy-yield", kEfficiency, "example-3", "m", all},
    {"look-ahead-greedy-yield", kUtilization, kSecond, "infinite"},
    {"periodic-greedy-yield", kYield, "example-4", "2", two},
    {"periodic-greedy-yield", kEfficiency, "example-3", "m", all},
    {"periodic-greedy-yield", kUtilization, kSecond, "infinite"},
    {"best-next-event", kYield, "example-6", "m / 2 - 4", half_less_four},
    {"best-next-event", kEfficiency, "example-3", "m", all},
    {"best-next-event", kUtilization, kSecond, "infinite"},
    {"", kYield, "example-5r", "3 / 2", three_halves},
    {"", kEfficiency, kSecond, "m / 4", quarter},
    {"", kUtilization, kSecond, "infinite"},
});

}  // namespace

std::span<const Bound> bounds() {
  return kBounds;
}

double objective_of(const Metrics& metrics, std::string_view name) {
  if (name == kEfficiency) return metrics.efficiency;
  return name == kUtilization ? metrics.utilization : metrics.minimum_yield;
}

Result<ExampleResults> run_example(const Example& example) {
  const Load load = load_of(example.instance);
  const auto m = static_cast<double>(example.instance.applications.size());
  const auto entries = strategies();
  ExampleResults results;
  for (const StrategyEntry& entry : entries) {
    if (entry.takes_rule) continue;
    const bool decides_often = example.name == "example-4" && entry.name == "periodic-greedy-yield";
    const std::string text =
        decides_often ? fmt::format("{}:{}", entry.name, 1 / (m * m)) : std::string(entry.name);
    HOLDFAST_TRY(spec, parse_strategy(text, entries));
    HOLDFAST_TRY(strategy, make_strategy(spec, example.instance, load));
    results[std::string(entry.name)] = simulate(example.instance, load, *strategy).metrics;
  }
  return results;
}

double attacked_value(const Bound& bound, const ExampleResults& results) {
  const auto found = results.find(bound.strategy);
  if (found != results.end()) return objective_of(found->second, bound.objective);
  double best = 0;
  for (const auto& [name, metrics] : results) {
    if (name != "as-given") best = std::max(best, objective_of(metrics, bound.objective));
  }
  return best;
}

}  // namespace holdfast::io
