#pragma once

#include "holdfast/domains/volatile/score.hpp"
#include "holdfast/kernel/availability.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::volatile_workers {

/// The number of tasks of each worker; workers with 0 are not enrolled.
using Assignment = std::vector<std::int64_t>;

/// What a strategy may know when it chooses workers, per worker. It knows no future states.
struct Situation {
  std::int64_t slot = 0;
  std::int64_t elapsed = 0;  ///< t: slots since the iteration began
  std::span<const WorkerState> states;
  std::span<const std::int64_t> program_left;  ///< slots of program that it would still need
  std::span<const std::int64_t> data_held;     ///< slots of data that it has and may use
  /// Slots in which it was seen up, including this one.
  std::span<const std::int64_t> up_slots;
  std::span<const std::int64_t> up_since;  ///< first slot of its current period up
};

/// A rule that chooses a configuration among the workers that are up.
class Builder {
 public:
  virtual ~Builder() = default;
  /// Builds a configuration.
  /// @param[out] assignment  [workers] number of tasks
  /// @returns false if the workers that are up cannot hold all tasks, so that the rule waits
  [[nodiscard]] virtual bool build(const Situation& situation, Assignment& assignment) = 0;
  /// Returns true if the rule uses up_slots and up_since.
  [[nodiscard]] virtual bool watches() const { return false; }
};

/// A rule of the source: a way to build configurations and, for proactive rules, a criterion for giving up a running
/// configuration for a better one.
struct Strategy {
  Builder* builder = nullptr;
  std::optional<Criterion> switches;  ///< absent: passive, a configuration runs until it fails
  Evaluator* evaluator = nullptr;     ///< values the two configurations; set if `switches` is set
  bool keep_data = true;  ///< workers that stay enrolled keep the data that they have received
  /// True: a reclaimed member of the running configuration counts with its probability of coming back. False: it is valued as
  /// if it were up, as in the source's formulas.
  bool value_reclaimed = false;
};

}  // namespace holdfast::volatile_workers
