#pragma once

#include "holdfast/domains/moldable/instance.hpp"
#include "holdfast/domains/moldable/list_run.hpp"
#include "holdfast/domains/moldable/metrics.hpp"
#include "holdfast/domains/moldable/strategy.hpp"
#include "holdfast/kernel/random.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace holdfast::moldable {

/// An instance with everything that its scenarios share.
struct PreparedInstance {
  explicit PreparedInstance(const Instance& from);

  const Instance* instance;
  std::vector<Limits> limits;      ///< [n]
  std::vector<double> exposures;   ///< [n] from failure_exposures()
  std::vector<std::uint32_t> all;  ///< 0 .. n - 1

  [[nodiscard]] State state(std::span<const std::uint32_t> pending) const {
    return {instance->jobs, limits, instance->processors, pending};
  }
};

/// A simulator of a strategy on one instance. The first batch is planned once for all scenarios.
class Simulator {
 public:
  /// Both arguments must outlive the simulator.
  Simulator(const PreparedInstance& prepared, const Strategy& strategy);

  /// Runs one scenario. `errors` must be fixed or adaptive; afterwards it contains all failures that occurred.
  /// @param attempts  receives all attempts in order of start; may be null
  Metrics run(ErrorRealisation& errors, std::vector<Attempt>* attempts = nullptr);

 private:
  const PreparedInstance* prepared_;
  const Strategy* strategy_;
  Allotment first_allotment_;
  ListPlan first_;
  Allotment allotment_;  ///< allotment of later batches
  std::vector<std::uint32_t> pending_;
  ListRunner runner_;
};

/// Draws the failures of a scenario. @pre the instance fixes none
void draw_failures(const PreparedInstance& prepared, Stream& stream,
                   std::vector<std::int64_t>& failures);

/// Sets up the errors that the instance fixes. @pre instance.is_fixed()
void fix_errors(const Instance& instance, ErrorRealisation& errors);

/// Returns the bound of Lemma 1 on a list schedule of these attempts, in seconds.
[[nodiscard]] double list_bound(const ListResult& result, std::int64_t processors);

}  // namespace holdfast::moldable
