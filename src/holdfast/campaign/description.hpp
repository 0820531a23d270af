#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/contract/domain.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
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
};

/// What a directory of results says of itself; the campaign as it was asked for last.
struct Description {
  std::string name;
  std::string domain;
  std::uint64_t seed = 1;
  std::uint64_t instances = 1;
  std::uint64_t scenarios = 1;
  std::vector<Axis> axes;
  std::vector<std::string> strategies;  ///< canonical texts
  std::vector<std::string> shown;       ///< the same as they were typed; empty in old results
  std::optional<std::size_t> baseline;  ///< position in strategies
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

/// As text and back, without strategies and metrics, which results keep in tables of their own.
[[nodiscard]] std::string to_text(const Description& description);
[[nodiscard]] Result<Description> parse_description(std::string_view text);

/// "lower", "higher", "neither".
[[nodiscard]] Better parse_better(std::string_view text);

}  // namespace holdfast
