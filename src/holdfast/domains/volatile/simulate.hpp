#pragma once

#include "holdfast/domains/volatile/availability.hpp"
#include "holdfast/domains/volatile/instance.hpp"
#include "holdfast/domains/volatile/metrics.hpp"
#include "holdfast/domains/volatile/strategy.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace holdfast::volatile_workers {

enum class Activity : std::uint8_t { program, data, compute };
[[nodiscard]] std::string_view name(Activity activity);

/// An interval of slots [start, end) in which a worker has one activity.
struct ActivityInterval {
  std::uint32_t worker = 0;
  Activity activity = Activity::compute;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t configuration = 0;  ///< number of the configuration, from 0

  friend bool operator==(const ActivityInterval&, const ActivityInterval&) = default;
};

struct Adoption {
  std::int64_t slot = 0;
  Assignment assignment;
};

/// The events of a run, recorded only on request.
struct History {
  std::vector<Adoption> adoptions;
  std::vector<ActivityInterval> intervals;  ///< in order of start, then of worker
};

/// Runs slot after slot, in this order: states; a lost attempt; the choice of a configuration; its adoption; one slot of
/// progress. This is the plain form for any number of workers and every option; simulate_fast() gives the same results. Source:
/// Casanova et al. 2012, sections 3 and 5; the order of events is our reading, see README.md.
[[nodiscard]] Metrics simulate(const Instance& instance, const Strategy& strategy,
                               Availability& availability, History* history = nullptr);

/// The work left of a configuration, as rules value it at the start of a slot.
struct Standing {
  std::span<const std::int64_t> assignment;
  std::span<const std::int64_t> needs;  ///< slots of communication left, per worker
  std::int64_t workload_left = 1;
  std::span<const WorkerState> states;
};

/// Returns the value of a running configuration. What the configuration has received and computed counts, and all of its
/// members count as up unless the strategy says otherwise.
[[nodiscard]] ConfigurationValue value_of_running(const Strategy& strategy,
                                                  const Standing& standing);
/// Returns the value of a new configuration from scratch. @param program_left  slots per worker
[[nodiscard]] ConfigurationValue value_from_scratch(const Strategy& strategy,
                                                    std::span<const std::int64_t> assignment,
                                                    std::span<const std::int64_t> program_left);

/// Changes the value of a running configuration for its reclaimed members (value_reclaimed).
void count_reclaimed(const TransitionMatrix& markov, ConfigurationValue& value);

/// Returns the maximum of x w over the workers.
[[nodiscard]] std::int64_t workload_of(const Instance& instance,
                                       std::span<const std::int64_t> assignment);

}  // namespace holdfast::volatile_workers
