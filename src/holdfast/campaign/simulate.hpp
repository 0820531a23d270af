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

/// A campaign of one point, kept in memory: what `holdfast DOMAIN simulate` asks for.
struct SimulateRequest {
  Value parameters = Value::object();     ///< the instance document, options merged in
  std::filesystem::path directory = ".";  ///< where relative paths inside it start
  std::vector<StrategySpec> strategies;   ///< at least one
  std::optional<std::size_t> baseline;    ///< position in strategies
  std::uint64_t scenarios = 1;            ///< 1 if the document fixes what happens
  std::uint64_t seed = 1;
  bool check = false;   ///< check every run against the model; one that fails is an error
  bool timing = false;  ///< add wall times to the document
  Control control = {};
};

struct Simulation {
  /// The results document of interface, section 2: holdfast, seed, scenarios, instance, results
  /// (each with the details of the first scenario beside its metrics), comparisons.
  Value document;
  std::string headline;                 ///< which problem it was, in one line; may be empty
  std::string why_alike;                ///< why strategies may come out alike; may be empty
  PointSummary summary;                 ///< the same, for tables
  Ranking ranking;                      ///< by the domain's first metric
  std::optional<GainSplit> split;       ///< in the same metric
  std::vector<std::string> strategies;  ///< canonical texts
  std::vector<std::string> shown;       ///< the same as they were typed, for tables
  std::vector<StoredMetric> metrics;
  std::uint64_t scenarios = 1;  ///< that were run
  /// The flags of every run, [scenario][strategy]: whether it ended and counts, CellFlags::kPresent ...
  std::vector<std::uint8_t> flags;
  /// Its metrics, [scenario][strategy][metric]; NaN if it has no such metric.
  std::vector<double> values;
  /// The schedules of the first scenario, by strategy, if the domain has schedules.
  std::vector<std::optional<Timeline>> timelines;
  std::uint64_t checked = 0;  ///< runs that passed the domain's check; 0 if it offers none
  std::vector<std::string> warnings;
};

/// Opens the point and runs every strategy on the same scenarios. Errors of `open` keep their place
/// in the document; an interrupted run is an error (interrupted).
[[nodiscard]] Result<Simulation> simulate(const Domain& domain, const SimulateRequest& request);

}  // namespace holdfast
