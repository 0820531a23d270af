#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/contract/domain.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// A metric as a results file describes it: an old file stays readable without its domain.
struct StoredMetric {
  std::string name;
  std::string unit;
  Better better = Better::lower;
  std::string summary;
  std::string numerator = {};  ///< as in Metric; not kept in results files
  std::string denominator = {};
  std::string bounds = {};  ///< as in Metric
};

/// What a directory of results says of itself; the campaign as it was asked for last.
struct Description {
  std::string name;
  std::string domain;
  std::uint64_t seed = 1;
  std::uint64_t instances = 1;
  std::uint64_t scenarios = 1;
  std::vector<Axis> axes;
  std::vector<std::string> strategies;   ///< canonical texts
  std::vector<std::string> shown;        ///< the same as they were typed; empty in old results
  std::optional<std::size_t> baseline;   ///< position in strategies
  std::vector<std::size_t> bounds = {};  ///< positions in strategies, as of bounds_among()
  std::vector<StoredMetric> metrics;
  Value report = Value::object();  ///< the table [report]
  double scale = 1;                ///< what instances and scenarios have been multiplied with
  std::string version;             ///< of the program that wrote last
  std::string problem = {};  ///< of the first point, in one line; empty in results of old programs

  /// The same with strategies called as they were typed, for tables and pages.
  [[nodiscard]] Description for_people() const;
};

/// What a campaign that is about to run says of itself.
[[nodiscard]] Description describe_campaign(const Campaign& campaign);
[[nodiscard]] std::vector<StoredMetric> describe_metrics(const Domain& domain);

/// Positions of the strategies that are bounds on the others: they are no competitors, and are left out of rankings and
/// verdicts. None where all are, since then they are what was asked about.
[[nodiscard]] std::vector<std::size_t> bounds_among(const Domain& domain,
                                                    std::span<const StrategySpec> strategies);

/// As text and back, without strategies and metrics, which results keep in tables of their own.
[[nodiscard]] std::string to_text(const Description& description);
[[nodiscard]] Result<Description> parse_description(std::string_view text);
/// Adds those to what parse_description() returned; what the text said of bounds that are not among them is dropped.
void complete_description(Description& description, std::vector<std::string> strategies,
                          std::vector<StoredMetric> metrics);

/// "lower", "higher", "neither".
[[nodiscard]] Better parse_better(std::string_view text);

}  // namespace holdfast
