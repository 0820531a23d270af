#pragma once

#include "holdfast/models/failures/hazard_curve.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace holdfast::checkpoints {

/// The best times for a given number of checkpoints, without a time quantum: t_1 < ... < t_N, where t_k is the end of
/// checkpoint k and t_N = W + N C is fixed. At the best placement
///
///   w_k lambda(t_k) = 1 - exp(-[Lambda(t_(k+1)) - Lambda(t_k)]),  k = 1 .. N-1,  w_k = t_k - t_(k-1) - C.
///
/// In words: moving checkpoint k later by dt gains dt of work if nothing fails, and loses w_k if something fails within dt. The
/// equations are solved by Newton's method on t_1 .. t_(N-1). The Jacobian is tridiagonal, so one step takes O(N). Memory is
/// kept between calls.
class Placement {
 public:
  /// Makes an empty placement.
  /// @param checkpoint  C, seconds, > 0
  explicit Placement(double checkpoint) : checkpoint_{checkpoint} {}
  /// Changes C; it takes effect at the next start_from().
  void set_checkpoint(double checkpoint) { checkpoint_ = checkpoint; }

  /// Sets the work done at each checkpoint, c_1 .. c_N (increasing, seconds), from which solve() starts.
  /// @param last_cost  cost of the checkpoint after the last segment in seconds: C, or 0 for a job that ends without one
  void start_from(std::span<const double> cuts, double last_cost);
  /// Runs Newton's method. @returns false if it does not converge in 30 steps; the placement is then the last one tried
  [[nodiscard]] bool solve(const HazardCurve& curve);
  /// Climbs uphill in E_W by steps that never lose, for cases where Newton's method fails. It is slower, but the resulting plan
  /// is at least as good as the one it started from. @param reference  as in scaled_work()
  void ascend(const HazardCurve& curve, double reference);
  /// Evaluates the placement as it was given, without moving anything.
  void measure(const HazardCurve& curve) { evaluate(curve); }

  [[nodiscard]] std::size_t size() const { return times_.size(); }
  /// Returns the time at which the last checkpoint ends, in seconds.
  [[nodiscard]] double end() const { return times_.back(); }
  /// Writes the work done at each checkpoint to `cuts`, in seconds.
  void read_cuts(std::vector<double>& cuts) const;
  /// Returns E_W exp(reference) for the placement of the last step of solve(). The scaling avoids underflow of S.
  [[nodiscard]] double scaled_work(double reference) const;
  /// Returns true if the hazard rises at one checkpoint at least. This too refers to the placement of the last step.
  [[nodiscard]] bool meets_rising_hazard() const;
  /// Returns Lambda at the end of the first checkpoint.
  [[nodiscard]] double first_cumulative() const { return cumulative_.front(); }

 private:
  [[nodiscard]] double cost(std::size_t k) const {
    return k + 1 == times_.size() ? last_cost_ : checkpoint_;
  }
  void evaluate(const HazardCurve& curve);
  void newton_step();
  [[nodiscard]] double uphill_step(double reference);
  [[nodiscard]] double damping() const;

  double checkpoint_;
  double last_cost_ = 0;
  // The following have length N, one entry per checkpoint.
  std::vector<double> times_;       ///< t_k
  std::vector<double> work_;        ///< w_k
  std::vector<double> cumulative_;  ///< Lambda(t_k)
  std::vector<double> hazard_;      ///< lambda(t_k)
  std::vector<double> slope_;       ///< lambda'(t_k)
  // The following have length N - 1 and belong to the linear system; move_ ends as the Newton step of t_k.
  std::vector<double> factor_;
  std::vector<double> move_;
  std::vector<double> origin_;  ///< the times before an uphill step
};

}  // namespace holdfast::checkpoints
