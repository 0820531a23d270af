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

/// What fails.
enum class FailureUnit : std::uint8_t {
  node,    ///< each node for itself
  system,  ///< the whole machine: any failure of any node is one of it
};

/// How outages become lifetimes.
struct LifetimeQuery {
  /// The event that renews a unit: lifetimes and ages count from there.
  enum class Since : std::uint8_t {
    failure,  ///< the failure: time between failures, the X of the checkpoint model
    repair,   ///< its repair: time in operation
  };

  Since since = Since::failure;
  FailureUnit unit = FailureUnit::node;
  /// Failures of one system this close (seconds) to the one before are one event.
  std::optional<double> merge = {};
  /// Observe from here (the log's clock); lives that began before are left-truncated.
  std::optional<Instant> from = {};
  /// Observe until here; lives that go on are right-censored.
  std::optional<Instant> to = {};
};

inline constexpr auto kSinceNames = std::to_array<std::string_view>({"failure", "repair"});
inline constexpr auto kUnitNames = std::to_array<std::string_view>({"node", "system"});

/// Units of one age at the end of the observation.
struct LoggedAge {
  double age = 0;  ///< seconds since the last renewal
  std::int64_t count = 0;
};

struct LoggedLifetimes {
  std::vector<Lifetime> lifetimes;
  /// Lifetimes [first_of_unit[i], first_of_unit[i + 1]) belong to one unit, in order of time; what
  /// a bootstrap resamples. Units without any lifetime are not in it.
  std::vector<std::size_t> first_of_unit;
  /// Of units that were there before anyone watched, up to their first failure or the end: ages count from the start
  /// of the observation, for nobody knows the true ones. They say how often units fail, not how that depends on age.
  std::vector<Lifetime> ageless;
  double resolution = 0;        ///< of the log's clock, seconds; 0: unknown
  std::int64_t units = 0;       ///< of the systems asked for, those that never failed included
  std::int64_t failures = 0;    ///< events in the period, after joining and merging
  std::vector<LoggedAge> ages;  ///< of the units in service at the end, youngest first
  std::size_t never_failed =
      0;            ///< position in `ages` of the units that never failed; ages.size(): none
  double from = 0;  ///< the period observed, on the log's clock
  double to = 0;
  Oddities oddities;  ///< what was done beside that which the log's reader already tells
};

/// Turns a log into lifetimes, right-censored at the end of the observation (or of a node's
/// service) and left-truncated at its start. A node is new at the start of its service; where
/// nobody knows that date, its life up to the first failure is ageless. Errors carry an empty
/// place.
[[nodiscard]] Result<LoggedLifetimes> lifetimes_of(const FailureLog& log,
                                                   const LifetimeQuery& query = {});

/// Reads "merge", "since", "unit", "from" and "to" of a document that names a log.
[[nodiscard]] LifetimeQuery read_lifetime_query(ObjectReader& read);

}  // namespace holdfast
