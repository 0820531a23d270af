#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/kernel/lifetime.hpp"
#include "holdfast/traces/failures/failure_log.hpp"
#include "holdfast/traces/text/timestamps.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast {

/// The unit whose lifetimes are taken.
enum class FailureUnit : std::uint8_t {
  node,    ///< each node on its own
  system,  ///< the whole machine, which fails when any of its nodes fails
};

/// The way in which outages become lifetimes.
struct LifetimeQuery {
  /// The event that renews a unit. Lifetimes and ages count from it.
  enum class Since : std::uint8_t {
    failure,  ///< the failure, which gives times between failures (X in the checkpoint model)
    repair,   ///< the repair, which gives times in operation
  };

  Since since = Since::failure;
  FailureUnit unit = FailureUnit::node;
  /// Failures of one system within this many seconds of the one before are a single event. Nothing: none are merged.
  std::optional<double> merge = {};
  /// The start of the observation on the log's clock; lifetimes that began before it are left-truncated.
  std::optional<Instant> from = {};
  /// The end of the observation; lifetimes that last longer are right-censored.
  std::optional<Instant> to = {};
};

/// Names of the events and units above in documents and options, in the order of the enumerations.
inline constexpr auto kSinceNames = std::to_array<std::string_view>({"failure", "repair"});
inline constexpr auto kUnitNames = std::to_array<std::string_view>({"node", "system"});

/// Units that have the same age at the end of the observation.
struct LoggedAge {
  double age = 0;  ///< seconds since the last renewal
  std::int64_t count = 0;
};

/// The lifetimes that a failure log tells of. Times are in seconds.
struct LoggedLifetimes {
  std::vector<Lifetime> lifetimes;
  /// Where the lifetimes of each unit begin: [first_of_unit[i], first_of_unit[i + 1]) belong to one unit, in order of time.
  /// A bootstrap resamples these groups. Units without any lifetime have none.
  std::vector<std::size_t> first_of_unit;
  /// Lifetimes of units that were in service before the observation, up to their first failure or the end. Their true
  /// ages are unknown, so these count from the start of the observation: they tell how often units fail, but not how
  /// that depends on age.
  std::vector<Lifetime> ageless;
  double resolution = 0;      ///< resolution of the log's clock; 0: unknown
  std::int64_t units = 0;     ///< in the systems asked for, including those that never failed
  std::int64_t failures = 0;  ///< events in the period, after merging
  /// The failures in the period, in order of time: rows of one node that overlap are joined, those of one event merged.
  std::vector<Outage> outages;
  std::vector<LoggedAge> ages;  ///< ages of the units in service at the end, youngest first
  /// The position in `ages` of the units that never failed; ages.size(): there are none.
  std::size_t never_failed = 0;
  double from = 0;    ///< start of the observation, on the log's clock
  double to = 0;      ///< end of the observation
  Oddities oddities;  ///< what was done in addition to what the log's reader reports
};

/// Turns a log into lifetimes, which are right-censored at the end of the observation (or of a node's service) and
/// left-truncated at its start. A node is new at the start of its service; where that date is unknown, its life up to the
/// first failure is ageless. Errors carry an empty place, or the name of the field of the query.
[[nodiscard]] Result<LoggedLifetimes> lifetimes_of(const FailureLog& log,
                                                   const LifetimeQuery& query = {});

/// Reads the fields "merge", "since", "unit", "from" and "to" of a document that names a log. The reader collects errors.
[[nodiscard]] LifetimeQuery read_lifetime_query(ObjectReader& read);

}  // namespace holdfast
