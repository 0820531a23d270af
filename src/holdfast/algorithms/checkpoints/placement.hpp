#pragma once

#include "holdfast/models/failures/hazard_curve.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace holdfast::checkpoints {

/// The best times of a given number of checkpoints, without a time quantum: t_1 < ... < t_N, where t_k is the end of
/// checkpoint k and t_N = W + N C is fixed. At the best placement (spec 3.4)
///
///   w_k lambda(t_k) = 1 - exp(-[Lambda(t_(k+1)) - Lambda(t_k)]),  k = 1 .. N-1,  w_k = t_k - t_(k-1) - C,
///
/// which says: moving checkpoint k later by dt wins dt of work if nothing fails and loses w_k if something fails within
/// dt. Newton's method on t_1 .. t_(N-1); the Jacobian is tridiagonal, so one step is O(N). Memory is kept between
/// calls.
class Placement {
 public:
  /// @param checkpoint  C, seconds, > 0
  explicit Placement(double checkpoint) : checkpoint_{checkpoint} {}
  /// From the next start_from() on.
  void set_checkpoint(double checkpoint) { checkpoint_ = checkpoint; }

  /// Sets the work done at each checkpoint, c_1 .. c_N (increasing): where solve() starts from.
  /// @param last_cost  of the checkpoint after the last segment: C, or 0 for a job that ends without one
  void start_from(std::span<const double> cuts, double last_cost);
  /// Newton from there. @returns false if it does not converge in 30 steps; the placement is then the last one tried
  [[nodiscard]] bool solve(const HazardCurve& curve);
  /// Where Newton's method fails: from there uphill in E_W, by steps that never lose. Slower, and always a plan at least
  /// as good as the one it started from. @param reference  as of scaled_work()
  void ascend(const HazardCurve& curve, double reference);
  /// Nothing moves: the placement as it was given.
  void measure(const HazardCurve& curve) { evaluate(curve); }

  [[nodiscard]] std::size_t size() const { return times_.size(); }
  /// Time of the last checkpoint's end.
  [[nodiscard]] double end() const { return times_.back(); }
  /// Work done at each checkpoint.
  void read_cuts(std::vector<double>& cuts) const;
  /// E_W exp(reference), for the placement of the last step of solve(): scaled so that it exists where S underflows.
  [[nodiscard]] double scaled_work(double reference) const;
  /// The hazard rises at one checkpoint at least. Of the placement of the last step too.
  [[nodiscard]] bool meets_rising_hazard() const;
  /// Lambda at the end of the first checkpoint.
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
  // [N], one entry per checkpoint
  std::vector<double> times_;       ///< t_k
  std::vector<double> work_;        ///< w_k
  std::vector<double> cumulative_;  ///< Lambda(t_k)
  std::vector<double> hazard_;      ///< lambda(t_k)
  std::vector<double> slope_;       ///< lambda'(t_k)
  // [N - 1], of the linear system; move_ ends as the Newton step of t_k
  std::vector<double> factor_;
  std::vector<double> move_;
  std::vector<double> origin_;  ///< origin of an uphill step: the times before it
};

}  // namespace holdfast::checkpoints
