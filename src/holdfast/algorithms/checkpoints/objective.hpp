#pragma once

#include "holdfast/models/failures/hazard_curve.hpp"
#include "holdfast/models/resilience/job.hpp"

#include <span>

/// What a plan is worth until the next failure. Source: Perotin's thesis, section 5.4.1, equation (5.8) and lemma 28;
/// spec 3.2. A plan is 0 < c_1 < ... < c_N, the work done at each checkpoint; checkpoint k ends at t_k = c_k + k C, and
/// S(x) = exp(-Lambda(x)) is the probability that nothing fails in the next x seconds.
namespace holdfast::checkpoints {

/// Lambda at which S is taken for 0: exp(-45) = 3e-20.
inline constexpr double kNegligible = 45;

/// E_T: integral of S from `begin` to `end`, the expected time until the next failure within those bounds.
/// 4-point Gauss-Legendre on panels where neither S nor the hazard changes much; 1e-10 of the result or better for
/// smooth laws. @pre 0 <= begin <= end
[[nodiscard]] double integrate_survival(const HazardCurve& curve, double begin, double end);

/// What a checkpoint plan is worth. expected_work and expected_time are in seconds.
struct Worth {
  double expected_work = 0;  ///< E_W = sum of (c_k - c_(k-1)) S(t_k)
  double expected_time = 0;  ///< E_T = integral of S from 0 to t_N
  double efficiency = 0;     ///< E_W / E_T
};

/// @param cuts        c_1 .. c_N, seconds of work, increasing
/// @param checkpoint  C, seconds
/// @param last_cost   of the checkpoint after the last segment: C, or 0 for a job that ends without one
[[nodiscard]] Worth evaluate(const HazardCurve& curve, std::span<const double> cuts,
                             double checkpoint, double last_cost);

}  // namespace holdfast::checkpoints
