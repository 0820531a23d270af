#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/inputs/failure_model.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// The nodes of one job by their names, whose ages are wanted.
struct NamedNodes {
  std::vector<std::string> names;  ///< empty: no nodes are named
  /// The date of the ages, on the log's clock; nothing: the end of the log.
  std::optional<Instant> now = {};
  /// True: nodes are repaired, so that lives begin at the repair unless the question says otherwise.
  bool are_repaired = false;
};

/// Reads a "failures" object that names a log instead of a law:
///
///   {"log": "failures.csv", "system": 20, "distribution": "weibull", "merge": "1min"}
///
/// `distribution` is a law to fit, `best` (default: choose_law) or `empirical`. `system` is needed if the log has several.
/// `format`, `since`, `unit`, `from`, `to`, `observed` and `nodes` (a file that lists all nodes) are those of `holdfast trace
/// fit` (traces/README.md). A table of lifetimes gives a law and no ages. Other fields are left to the caller, who also calls
/// finish(). Returns nullopt if the reader now holds an error.
///
/// With `named`, `replay` gives the outages of all nodes in addition to the law. With `nodes`, `replay` may be true: then the failures of the log are replayed on that many nodes. A node whose name is a
/// number has that number; otherwise nodes are numbered in the order of their names. This file uses both traces (log to
/// lifetimes) and models (lifetimes to law), which do not know each other.
/// @param directory  the folder to which the relative path of the log refers
/// @param nodes  number of nodes on which the log may be replayed; nothing if it may not
/// @param named  the nodes of a job whose ages are wanted; null: the ages of all nodes of the log
[[nodiscard]] std::optional<GivenFailures> read_logged_platform(
    ObjectReader& read, const std::filesystem::path& directory,
    std::optional<std::int64_t> nodes = {}, const NamedNodes* named = nullptr);

/// Returns the ages of another number of processors, evenly spread over the given ages, youngest first.
/// @pre groups not empty, processors >= 1
[[nodiscard]] std::vector<AgeGroup> spread_ages(std::span<const AgeGroup> groups,
                                                std::int64_t processors);

}  // namespace holdfast
