#pragma once

#include "holdfast/domains/volatile/score.hpp"
#include "holdfast/kernel/availability.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace holdfast::volatile_workers {

/// Tasks per worker; who has none is not enrolled.
using Assignment = std::vector<std::int64_t>;

/// What a strategy may know when it chooses workers: everything per worker. No future state.
struct Situation {
  std::int64_t slot = 0;
  std::int64_t elapsed = 0;  ///< t: slots since the iteration began
  std::span<const WorkerState> states;
  std::span<const std::int64_t> program_left;  ///< slots of program it would still need
  std::span<const std::int64_t> data_held;     ///< slots of data that it holds and may use
  std::span<const std::int64_t> up_slots;      ///< slots it was seen up, this one included
  std::span<const std::int64_t> up_since;      ///< first slot of its present stretch of up
};

/// Chooses a configuration of workers that are up.
class Builder {
 public:
  virtual ~Builder() = default;
  /// @param[out] assignment  [workers]
  /// @returns false if the workers that are up cannot hold all tasks: wait
  [[nodiscard]] virtual bool build(const Situation& situation, Assignment& assignment) = 0;
  /// Returns true if up_slots and up_since matter.
  [[nodiscard]] virtual bool watches() const { return false; }
};

/// A rule of the source: a way to build configurations, and, for the proactive ones, a criterion by
/// which a running configuration is given up for a better one.
struct Strategy {
  Builder* builder = nullptr;
  std::optional<Criterion> switches;  ///< nothing: passive, a configuration runs until it fails
  Evaluator* evaluator = nullptr;     ///< values the two configurations; set where `switches` is
  bool keep_data = true;  ///< workers enrolled before and after keep what they have received
  /// A reclaimed member of the running configuration counts with its odds of coming back; by
  /// default it is valued as if it were up, as the source's formulas do.
  bool value_reclaimed = false;
};

}  // namespace holdfast::volatile_workers
