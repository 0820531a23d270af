#pragma once

#include "holdfast/domains/moldable/instance.hpp"
#include "holdfast/domains/moldable/list_run.hpp"
#include "holdfast/domains/moldable/metrics.hpp"
#include "holdfast/domains/moldable/rolling_run.hpp"
#include "holdfast/domains/moldable/strategy.hpp"
#include "holdfast/kernel/random.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace holdfast::moldable {

/// An instance with everything that its scenarios share.
struct PreparedInstance {
  explicit PreparedInstance(const Instance& from);

  const Instance* instance;
  std::vector<Limits> limits;      ///< [n] for strategies
  std::vector<double> exposures;   ///< [n] from failure_exposures()
  std::vector<std::uint32_t> all;  ///< 0 .. n - 1

  [[nodiscard]] State state(std::span<const std::uint32_t> pending) const {
    return {instance->jobs,    limits, instance->processors, pending, exposures, instance->errors(),
            instance->releases};
  }
};

/// A simulator of a strategy on one instance. What does not depend on failures is decided once for all scenarios.
class Simulator {
 public:
  /// The arguments must outlive the simulator, and so must what a state or course points to.
  Simulator(const PreparedInstance& prepared, const Strategy& strategy);
  Simulator(const State& all, const Course& course);

  /// Runs one scenario. No attempt of `errors` must have been made; afterwards it contains all failures that occurred.
  /// @param attempts  receives all attempts in order of start; may be null
  Metrics run(ErrorRealisation& errors, std::vector<Attempt>* attempts = nullptr);

  /// Returns about how many allocations were computed so far.
  [[nodiscard]] std::int64_t work() const { return work_ + (rolling_ ? rolling_->work() : 0); }

 private:
  [[nodiscard]] const Strategy& first_rule() const {
    return course_.batches != nullptr ? *course_.batches : *course_.fall_back;
  }
  void plan(const State& state, const Strategy& rule, int batch, ListPlan& out);
  [[nodiscard]] bool is_too_long(double end, const ErrorRealisation& errors) const;
  double run_batches(double start, ErrorRealisation& errors, std::vector<Attempt>* attempts,
                     Metrics& out);

  State all_;
  Course course_;
  std::optional<RollingRun> rolling_;
  Allotment allotment_;
  ListPlan first_;  ///< the first batch, unless jobs roll
  ListPlan later_;
  std::vector<std::uint32_t> pending_;
  ListRunner runner_;
  std::int64_t work_ = 0;
};

/// Draws the errors of a scenario.
void draw_errors(const State& state, const StreamKey& key, ErrorRealisation& errors);
/// Sets up the errors that the instance fixes. @pre instance.is_fixed()
void fix_errors(const Instance& instance, ErrorRealisation& errors);
/// Returns the errors that the instance fixes, or else draws them.
[[nodiscard]] ErrorRealisation errors_of(const PreparedInstance& prepared, const StreamKey& key);

/// Returns the bound of Lemma 1 on a list schedule of these attempts, in seconds.
[[nodiscard]] double list_bound(const ListResult& result, std::int64_t processors);

}  // namespace holdfast::moldable
