#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/domains/checkpoint/instance.hpp"
#include "holdfast/domains/checkpoint/strategy.hpp"
#include "holdfast/models/failures/failure_trace.hpp"
#include "holdfast/models/failures/platform_hazard.hpp"
#include "holdfast/models/resilience/node_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace holdfast::checkpoint {

/// One realisation of a platform's failures, with the hazard at each of its dates. It depends on the law, the processors and
/// the draw, but not on the job: the same object serves every checkpoint length, job length, strategy and platform age.
class Realisation {
 public:
  /// What is drawn in addition to the dates of failures: how long checkpoints and recoveries take, and which checkpoints
  /// survive a failure or turn out to be whole.
  enum class Drawn : std::uint64_t {
    checkpoints = 0,
    recoveries = 1,
    local_checkpoints = 2,
    local_recoveries = 3,
    survivors = 4,
    whole_saves = 5,
  };

  /// Draws the failures, or takes the instance's events.
  /// @param law  the instance's law, tabulated; null if it has none
  [[nodiscard]] static std::unique_ptr<Realisation> make(const Instance& instance,
                                                         std::shared_ptr<const TabulatedLaw> law,
                                                         const Draw& draw);

  [[nodiscard]] FailureTrace& trace() { return trace_; }
  /// Returns the true hazard; null if there is no law.
  [[nodiscard]] PlatformHazard* hazard() { return hazard_.get(); }
  /// Returns the hazard that strategies believe in: that of the instance's belief, or else the true one.
  [[nodiscard]] PlatformHazard* believed() { return believed_ ? believed_.get() : hazard_.get(); }
  /// Returns the nodes from which the job takes its own; null if a new one is always there. Its strikes are the failures of the
  /// trace, and there are no hazards then: PoolOutlook has the ages of the nodes.
  [[nodiscard]] NodePool* pool() { return pool_.get(); }
  /// Begins the history of the pool again, with the same numbers: that of a job which goes on with fewer nodes depends on what the
  /// job does. The first history begins with the first call. @pre Instance::is_elastic()
  void restart();
  /// Return the true law and that which strategies believe in; null if there is none.
  [[nodiscard]] const TabulatedLaw* law() const { return law_.get(); }
  [[nodiscard]] const TabulatedLaw* belief() const { return belief_ ? belief_.get() : law_.get(); }
  /// Returns the time from the job's start to the end of what is known of the nodes, in seconds: that of a log.
  [[nodiscard]] double end() const { return end_; }
  /// Returns the lowest level whose checkpoints survive a failure of the trace. It is the same for every strategy, and a larger
  /// share survives all failures that a smaller one survives.
  /// @param share  share of the failures that local checkpoints survive
  [[nodiscard]] Level survivor(std::size_t failure, double share) const;
  /// Returns true if the checkpoint of that number is whole. @param failure  share of the checkpoints that are not
  [[nodiscard]] bool is_whole(std::uint64_t number, double failure) const;
  /// Returns the key of the random numbers for one use. All strategies get the same numbers.
  [[nodiscard]] StreamKey key(Drawn what) const {
    return {.seed = draw_.seed,
            .purpose = Purpose::durations,
            .instance = draw_.instance,
            .scenario = draw_.scenario,
            .entity = static_cast<std::uint64_t>(what)};
  }

 private:
  Realisation(FailureTrace trace, std::shared_ptr<const TabulatedLaw> law, const Draw& draw);

  Draw draw_;
  std::shared_ptr<const TabulatedLaw> law_;
  std::shared_ptr<const TabulatedLaw> belief_;
  double end_ = Instance::kNever;
  std::function<std::unique_ptr<NodePool>()> new_pool_;  // if the pool can begin again
  bool is_new_ = true;                                   // its pool has no history yet
  std::unique_ptr<NodePool> pool_;                       // outlives the trace, which it feeds
  FailureTrace trace_;
  std::unique_ptr<PlatformHazard> hazard_;
  std::unique_ptr<PlatformHazard> believed_;
};

/// Returns the date of the job's start on the clock of its trace, in seconds. A trace that is drawn from the platform's birth
/// begins earlier.
[[nodiscard]] double start_date(const Instance& instance);

}  // namespace holdfast::checkpoint
