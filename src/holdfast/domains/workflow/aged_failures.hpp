#pragma once

#include "holdfast/domains/workflow/instance.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/models/failures/ages.hpp"
#include "holdfast/models/failures/failure_trace.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace holdfast::workflow {

/// The failures of all processors of a machine whose ages count: one renewal process per processor, whether it works or not, and
/// the same for every strategy. Dates are seconds from the start of the workflow. A trace numbers processors in the order in which they
/// first fail; here each gets a random number of the machine, so that no rule finds out.
class AgedFailures {
 public:
  /// Draws the failures by the law of the instance. @pre instance.law
  AgedFailures(std::shared_ptr<const TabulatedLaw> law, const Instance& instance,
               const StreamKey& key);
  /// Takes a trace whose processors keep their numbers and are new at its date 0. @param start  of the workflow, date of the trace
  AgedFailures(FailureTrace trace, double start);

  /// Returns the first failure of these processors in [from, until); infinity if there is none.
  [[nodiscard]] double next(std::span<const std::uint32_t> processors, double from, double until);
  /// Returns the ages of these processors after the failures before that date. @pre next() has been asked up to there
  [[nodiscard]] Ages ages(std::span<const std::uint32_t> processors, double at) const;

 private:
  void reach(double date);
  [[nodiscard]] std::uint32_t place(std::uint32_t number);

  FailureTrace trace_;
  double start_;
  bool shuffles_;
  Stream stream_;
  std::size_t known_ = 0;  ///< failures of the trace that are in dates_
  double until_ = -std::numeric_limits<double>::infinity();  ///< all failures before this date are
  std::unordered_map<std::uint32_t, std::vector<double>> dates_;  ///< by processor, increasing
  std::unordered_map<std::uint32_t, std::uint32_t> places_;       ///< by number in the trace
  std::unordered_set<std::uint32_t> taken_;
};

}  // namespace holdfast::workflow
