#pragma once

#include "holdfast/models/failures/hazard_curve.hpp"
#include "holdfast/models/resilience/job.hpp"

#include <functional>
#include <span>

/// The value of a plan until the next failure. Source: Perotin's thesis, section 5.4.1, equation (5.8) and lemma 28. A plan is
/// 0 < c_1 < ... < c_N, the work done at each checkpoint in seconds. Checkpoint k ends at t_k = c_k + k C, and S(x) =
/// exp(-Lambda(x)) is the probability that nothing fails in the next x seconds.
namespace holdfast::checkpoints {

/// The Lambda above which S counts as 0: exp(-45) = 3e-20.
inline constexpr double kNegligible = 45;

/// Returns E_T, the integral of S from `begin` to `end` in seconds: the expected time until the next failure between these two.
/// It uses 4-point Gauss-Legendre quadrature on panels where neither S nor the hazard changes much; the relative error is at
/// most 1e-10 for smooth laws, which is that of the curve.
/// @param exact  Lambda, in place of that of the curve: the relative error is then about 1e-12
/// @pre 0 <= begin <= end
[[nodiscard]] double integrate_survival(const HazardCurve& curve, double begin, double end,
                                        const std::function<double(double)>& exact = {});

/// The value of a checkpoint plan. expected_work and expected_time are in seconds.
struct Worth {
  double expected_work = 0;  ///< E_W = sum of (c_k - c_(k-1)) S(t_k)
  double expected_time = 0;  ///< E_T = integral of S from 0 to t_N
  double share = 0;          ///< E_W / E_T, the share of the time saved before the next failure
};

/// Returns the value of a plan.
/// @param cuts        c_1 .. c_N, seconds of work, increasing
/// @param checkpoint  C, seconds
/// @param last_cost   cost of the checkpoint after the last segment in seconds: C, or 0 for a job that ends without one
[[nodiscard]] Worth evaluate(const HazardCurve& curve, std::span<const double> cuts,
                             double checkpoint, double last_cost);

}  // namespace holdfast::checkpoints
