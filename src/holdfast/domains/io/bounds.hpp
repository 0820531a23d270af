#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/domains/io/examples.hpp"
#include "holdfast/domains/io/metrics.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::io {

/// A lower bound on how much worse a strategy can be than the best schedule. Source: thesis, chapter 7, Table II.
struct Bound {
  /// empty: any policy, represented by the best of all strategies on this example
  std::string_view strategy;
  std::string_view objective;  ///< "minimum_yield"
  std::string_view example;    ///< "example-2b"
  std::string_view limit;      ///< "m / 4": limit of the ratio for small epsilon and long windows
  double (*limit_at)(double m) = nullptr;  ///< null: infinite
};
[[nodiscard]] std::span<const Bound> bounds();

/// Returns the value of the objective with that name. @pre it is one of minimum_yield, efficiency, utilization
[[nodiscard]] double objective_of(const Metrics& metrics, std::string_view name);

/// The results of each strategy on an example, by name; the proof's schedule is "as-given".
using ExampleResults = std::map<std::string, Metrics, std::less<>>;

/// Returns the results of all strategies on an example. On example-4 the periodic strategy decides every 1/m^2, as in the
/// proof.
[[nodiscard]] Result<ExampleResults> run_example(const Example& example);

/// Returns the strategy's value of the objective that the bound is about.
[[nodiscard]] double attacked_value(const Bound& bound, const ExampleResults& results);

}  // namespace holdfast::io
