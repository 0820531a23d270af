#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/failure_trace.hpp"
#include "holdfast/models/failures/law.hpp"
#include "holdfast/models/resilience/recorded_outages.hpp"

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

/// The platform that a failure log describes.
struct LoggedPlatform {
  /// The law fitted to the lifetimes of its nodes; none if the log is replayed and no law was asked for.
  std::optional<Law> law;
  double observed_mtbf = 0;  ///< observed MTBF of one node: exposure / failures, seconds
  bool is_machine = false;   ///< true: the nodes are one unit that fails as a whole
  /// The number of nodes of a log that names only those that failed; 0: it says how many there are.
  std::int64_t failed_nodes = 0;
  /// Ages of its nodes at the end of the log, youngest first; of named nodes one group each, in their order. None if the log is
  /// replayed.
  std::vector<AgeGroup> ages;
  /// The failures themselves, from the start of the observation or of the nodes' service; only if the log is replayed.
  std::optional<std::vector<FailureEvent>> events;
  /// Its outages, if it is replayed for a job that draws its nodes from it.
  std::optional<RecordedOutages> recorded = {};
  /// Share of its failures that local checkpoints survive, if the causes of these were given.
  std::optional<double> local_share = {};
  std::vector<std::string> notes;  ///< oddities of the log, and how they were treated
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
[[nodiscard]] std::optional<LoggedPlatform> read_logged_platform(
    ObjectReader& read, const std::filesystem::path& directory,
    std::optional<std::int64_t> nodes = {}, const NamedNodes* named = nullptr);

/// Returns the ages of another number of processors, evenly spread over the given ages, youngest first.
/// @pre groups not empty, processors >= 1
[[nodiscard]] std::vector<AgeGroup> spread_ages(std::span<const AgeGroup> groups,
                                                std::int64_t processors);

}  // namespace holdfast
