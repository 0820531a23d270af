#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/kernel/statistics.hpp"
#include "holdfast/traces/failures/failure_log.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// The unit whose lifetimes are computed.
enum class FailureUnit : std::uint8_t {
  node,    ///< each node separately
  system,  ///< the whole machine, which fails when any of its nodes fails
};

/// How outages become lifetimes.
struct LifetimeQuery {
  /// The event that renews a unit. Lifetimes and ages are measured from it.
  enum class Since : std::uint8_t {
    failure,  ///< the failure, which gives times between failures (X in the checkpoint model)
    repair,   ///< the repair, which gives times in operation
  };

  Since since = Since::failure;
  FailureUnit unit = FailureUnit::node;
  /// Failures of one system within this many seconds of the previous one are a single event. Nothing: failures are not merged.
  std::optional<double> merge = {};
  /// A failure of a node within this many seconds of its last repair belongs to the outage before: that repair did not help.
  /// Failures of other nodes are not concerned.
  double relapse_within = 0;
  /// The start of the observation on the log's clock; lifetimes that began before it are left-truncated.
  std::optional<Instant> from = {};
  /// The end of the observation; lifetimes that last longer are right-censored.
  std::optional<Instant> to = {};
};

/// Names of these events and units in documents and options, in the order of the enumerations.
inline constexpr auto kSinceNames = std::to_array<std::string_view>({"failure", "repair"});
inline constexpr auto kUnitNames = std::to_array<std::string_view>({"node", "system"});

/// Units that have the same age at the end of the observation.
struct LoggedAge {
  double age = 0;  ///< seconds since the last renewal
  std::int64_t count = 0;
};

/// The lifetimes in a failure log. Times are in seconds.
struct LoggedLifetimes {
  std::vector<Lifetime> lifetimes;
  /// Where the lifetimes of each unit begin: [first_of_unit[i], first_of_unit[i + 1]) belong to one unit, in order of time.
  /// A bootstrap resamples these groups. Units without any lifetime have none.
  std::vector<std::size_t> first_of_unit;
  /// Lifetimes of units that were in service before the observation, up to their first failure or the end. Their true ages are
  /// unknown, so they are measured from the start of the observation: they show how often units fail, but not how that depends
  /// on age.
  std::vector<Lifetime> ageless;
  double resolution = 0;  ///< resolution of the log's clock, stated or seen in the ages; 0: unknown
  /// Number of units in the systems asked for, including units that never failed.
  std::int64_t units = 0;
  std::int64_t failures = 0;  ///< number of failures in the period, after merging
  /// The failures in the period, in order of time. Overlapping rows of one node are joined, rows of one event are merged.
  std::vector<Outage> outages;
  std::vector<WatchedUnit> watched;  ///< of each unit: its window of observation and its failures
  std::vector<LoggedAge> ages;       ///< ages of the units in service at the end, youngest first
  /// The position in `ages` of the units that never failed; ages.size(): there are none.
  std::size_t never_failed = 0;
  double from = 0;    ///< start of the observation, on the log's clock
  double to = 0;      ///< end of the observation
  Oddities oddities;  ///< oddities that the log's reader does not report, and how they were treated
};

/// Turns a log into lifetimes. They are right-censored at the end of the observation (or of a node's service) and
/// left-truncated at its start. A node is new at the start of its service; if that date is unknown, its life up to the first
/// failure is ageless. Errors have an empty place, or the name of the query's field.
[[nodiscard]] Result<LoggedLifetimes> lifetimes_of(const FailureLog& log,
                                                   const LifetimeQuery& query = {});

/// The lives of nodes that ended with a failure, in the usual way of measuring them, without anything else.
struct FailureIntervals {
  Values seconds;
  Oddities oddities;  ///< as those of LoggedLifetimes
};
/// Returns the same lengths as lifetimes_of(log), in a twentieth of its memory.
[[nodiscard]] Result<FailureIntervals> times_between_failures(const FailureLog& log);

/// The age of a node, and the event from which it is counted.
struct NodeAge {
  enum class Since : std::uint8_t {
    renewal,  ///< since it last failed, or was repaired
    service,  ///< since its service began
    log,      ///< it has not failed: as old as the log
    unnamed,  ///< the log does not name it: as old as the service of most others, else as the log
  };
  double age = 0;  ///< seconds; 0 while it is down, where lifetimes begin at the repair
  Since since = Since::unnamed;
};

/// Returns the ages of nodes at a date, in the order of `names`, from the failures in the log until then. After the end of the
/// log, nodes are assumed not to have failed. A name is that of the node in the log, or is the same up to the first dot.
/// @param at  seconds on the log's clock
/// @pre log.systems.size() == 1
[[nodiscard]] std::vector<NodeAge> ages_of_nodes(const FailureLog& log, const LifetimeQuery& query,
                                                 std::span<const std::string> names, double at);

/// Reads the fields "merge", "since", "unit", "from" and "to" of a document that names a log. The reader collects errors.
[[nodiscard]] LifetimeQuery read_lifetime_query(ObjectReader& read);

}  // namespace holdfast
