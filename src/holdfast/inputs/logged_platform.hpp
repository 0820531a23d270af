#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/failure_trace.hpp"
#include "holdfast/models/failures/law.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// The platform that a failure log describes.
struct LoggedPlatform {
  /// The law fitted to the lifetimes of its nodes; none if the log is replayed and no law was asked for.
  std::optional<Law> law;
  double observed_mtbf = 0;  ///< observed MTBF of one of them: exposure / failures
  bool is_machine = false;   ///< the nodes are one unit that fails as a whole
  /// Ages of its nodes when the log ends, youngest first; none if it is replayed.
  std::vector<AgeGroup> ages;
  /// The failures themselves, from the start of the observation or of the nodes' service on; only where the log is replayed.
  std::optional<std::vector<FailureEvent>> events;
  std::vector<std::string> notes;  ///< what was odd about the log and what was done about it
};

/// Reads a "failures" object that names a log instead of a law:
///
///   {"log": "failures.csv", "system": 20, "distribution": "weibull", "merge": "1min"}
///
/// `distribution`: a law to fit, `best` (default: choose_law) or `empirical`. `system` is needed where the log has
/// several; `format`, `since`, `unit`, `from` and `to` are those of `holdfast trace fit` (traces/README.md). Fields of
/// others are left to the caller, who also calls finish(). nullopt: the reader now holds the error.
///
/// With `nodes`, `replay` may be true: then the failures of the log happen again, on that many nodes. A node whose name is
/// a number has that number; where names are something else, nodes are numbered in the order of their names.
/// This is where traces (log to lifetimes) and models (lifetimes to law) meet, because they do not know each other.
/// @param directory  where the relative path of the log starts
/// @param nodes  of the platform that a log may be replayed on; nothing: it may not be replayed
[[nodiscard]] std::optional<LoggedPlatform> read_logged_platform(
    ObjectReader& read, const std::filesystem::path& directory,
    std::optional<std::int64_t> nodes = {});

/// Returns the ages of another number of processors: as many as asked, evenly spread over the ages given, youngest first.
/// @pre groups not empty, processors >= 1
[[nodiscard]] std::vector<AgeGroup> spread_ages(std::span<const AgeGroup> groups,
                                                std::int64_t processors);

}  // namespace holdfast
