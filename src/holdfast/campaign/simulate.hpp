#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/campaign/control.hpp"
#include "holdfast/campaign/gain_split.hpp"
#include "holdfast/campaign/ranking.hpp"
#include "holdfast/campaign/summary.hpp"
#include "holdfast/contract/domain.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

/// A campaign of one point, kept in memory, for `holdfast DOMAIN simulate`.
struct SimulateRequest {
  Value parameters = Value::object();     ///< the instance document, with the options merged in
  std::filesystem::path directory = ".";  ///< folder to which relative paths in it refer
  std::vector<StrategySpec> strategies;   ///< at least one
  std::optional<std::size_t> baseline;    ///< position in strategies
  std::uint64_t scenarios = 1;            ///< 1 if the document fixes what happens
  std::uint64_t seed = 1;
  /// True: check every run against the model; a run that fails the check is an error.
  bool check = false;
  bool timing = false;  ///< add wall times to the document
  Control control = {};
};

struct Simulation {
  /// The results document of interface, section 2: holdfast, seed, scenarios, instance, results (each with its metrics and the
  /// details of the first scenario), comparisons.
  Value document;
  /// One line that says which problem was solved; may be empty.
  std::string headline;
  std::string why_alike;                ///< why strategies may have equal results; may be empty
  PointSummary summary;                 ///< the same results for tables
  Ranking ranking;                      ///< by the point's objective
  std::optional<GainSplit> split;       ///< the split of the gain, in the same metric
  std::vector<std::string> strategies;  ///< canonical texts
  std::vector<std::string> shown;       ///< the same texts as they were typed, for tables
  std::vector<StoredMetric> metrics;
  std::uint64_t scenarios = 1;  ///< scenarios that were run
  /// The flags of every run, [scenario][strategy]: CellFlags::kPresent and so on.
  std::vector<std::uint8_t> flags;
  /// The metrics of every run, [scenario][strategy][metric]; NaN for a metric without a value.
  std::vector<double> values;
  /// The schedules of the first scenario, by strategy, if the domain has schedules.
  std::vector<std::optional<Timeline>> timelines;
  std::uint64_t checked = 0;  ///< runs that passed the domain's check; 0 if the domain has none
  std::vector<std::string> warnings;
};

/// Opens the point and runs every strategy on the same scenarios. Errors of `open` keep their place in the document. An
/// interrupted run is an error (interrupted).
[[nodiscard]] Result<Simulation> simulate(const Domain& domain, const SimulateRequest& request);

}  // namespace holdfast
