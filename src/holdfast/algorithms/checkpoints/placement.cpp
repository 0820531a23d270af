#include "holdfast/algorithms/checkpoints/placement.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace holdfast::checkpoints {
namespace {

constexpr int kMostSteps = 30;
/// The step, as a share of the mean segment, after which Newton's method stops. It converges quadratically: after a step of
/// 1e-4, the remaining error is about 1e-8.
constexpr double kSmallStep = 1e-4;
/// The largest share of its work that a segment may lose in one step.
constexpr double kLargestLoss = 0.9;
/// The gain, as a share of E_W, below which an ascent ends; the largest number of its steps; and how often one is halved.
constexpr double kSmallGain = 1e-12;
constexpr int kMostUphillSteps = 200;
constexpr int kMostHalvings = 30;

}  // namespace

void Placement::start_from(std::span<const double> cuts, double last_cost) {
  const std::size_t n = cuts.size();
  assert(n > 0);
  last_cost_ = last_cost;
  times_.resize(n);
  work_.resize(n);
  cumulative_.resize(n);
  hazard_.resize(n);
  slope_.resize(n);
  factor_.resize(n);
  move_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    times_[k] = cuts[k] + static_cast<double>(k) * checkpoint_ + cost(k);
  }
}

bool Placement::solve(const HazardCurve& curve) {
  const std::size_t n = times_.size();
  evaluate(curve);
  if (n == 1) return true;
  const double small = kSmallStep * times_.back() / static_cast<double>(n);
  for (int step = 0; step < kMostSteps; ++step) {
    newton_step();
    double largest = 0;
    for (std::size_t k = 0; k + 1 < n; ++k) {
      if (!std::isfinite(move_[k])) return false;
      largest = std::max(largest, std::fabs(move_[k]));
    }
    const double part = damping();
    for (std::size_t k = 0; k + 1 < n; ++k) times_[k] += part * move_[k];
    if (part == 1 && largest < small) return true;
    evaluate(curve);
  }
  return false;
}

void Placement::evaluate(const HazardCurve& curve) {
  double before = 0;
  for (std::size_t k = 0; k < times_.size(); ++k) {
    const HazardValue here = curve.at(times_[k]);
    cumulative_[k] = here.cumulative;
    hazard_[k] = here.hazard;
    slope_[k] = here.slope;
    work_[k] = times_[k] - before - cost(k);
    before = times_[k];
  }
}

// Solves J move = -f by elimination without pivoting (Thomas), where for k = 1 .. N-1
//   f_k = 1 - w_k lambda_k - e_k,  e_k = exp(-(Lambda_(k+1) - Lambda_k)),
//   J has lambda_k before, -lambda_k (1 + e_k) - w_k lambda'_k on, and e_k lambda_(k+1) after the diagonal.
void Placement::newton_step() {
  const std::size_t n = times_.size() - 1;
  double factor = 0;
  double move = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double e = elementary::exp(cumulative_[k] - cumulative_[k + 1]);
    const double residual = 1 - work_[k] * hazard_[k] - e;
    const double diagonal =
        std::min(-hazard_[k] * (1 + e) - work_[k] * slope_[k], -0.2 * hazard_[k]);
    const double before = k == 0 ? 0 : hazard_[k];
    const double after = k + 1 == n ? 0 : e * hazard_[k + 1];
    const double pivot = 1 / (diagonal - before * factor);
    factor = after * pivot;
    move = (-residual - before * move) * pivot;
    factor_[k] = factor;
    move_[k] = move;
  }
  for (std::size_t k = n - 1; k-- > 0;) move_[k] -= factor_[k] * move_[k + 1];
}

void Placement::ascend(const HazardCurve& curve, double reference) {
  evaluate(curve);
  if (times_.size() == 1) return;
  double value = scaled_work(reference);
  for (int step = 0; step < kMostUphillSteps; ++step) {
    const double gain = uphill_step(reference);
    if (!(gain > kSmallGain * value)) return;
    origin_ = times_;
    double part = damping();
    for (int halving = 0;; ++halving) {
      for (std::size_t k = 0; k + 1 < times_.size(); ++k) times_[k] = origin_[k] + part * move_[k];
      evaluate(curve);
      const double found = scaled_work(reference);
      if (found >= value + 1e-4 * part * gain) {
        value = found;
        break;
      }
      if (halving == kMostHalvings) {
        times_ = origin_;
        return evaluate(curve);
      }
      part /= 2;
    }
  }
}

// Computes Newton's step for the maximum of E_W, with its Hessian made negative definite if necessary (the pivots are bounded),
// so that it leads uphill. Row k, divided by S(t_k): the gradient is f_k as above, the diagonal -2 lambda_k - w_k lambda'_k +
// w_k lambda_k^2. Returns the gain that the step promises to first order: gradient times step.
double Placement::uphill_step(double reference) {
  const std::size_t n = times_.size() - 1;
  const double usual = cumulative_[n] / times_[n];
  double factor = 0;
  double move = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double e = elementary::exp(cumulative_[k] - cumulative_[k + 1]);
    const double diagonal = hazard_[k] * (work_[k] * hazard_[k] - 2) - work_[k] * slope_[k];
    const double before = k == 0 ? 0 : hazard_[k];
    const double after = k + 1 == n ? 0 : e * hazard_[k + 1];
    const double own = 2 * hazard_[k] + work_[k] * std::fabs(slope_[k]);
    const double bound = -std::max({0.1 * own, after, 1e-9 * usual});
    const double pivot = 1 / std::min(diagonal - before * factor, bound);
    factor = after * pivot;
    move = (-(1 - work_[k] * hazard_[k] - e) - before * move) * pivot;
    factor_[k] = factor;
    move_[k] = move;
  }
  for (std::size_t k = n - 1; k-- > 0;) move_[k] -= factor_[k] * move_[k + 1];
  double gain = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double e = elementary::exp(cumulative_[k] - cumulative_[k + 1]);
    gain +=
        elementary::exp(reference - cumulative_[k]) * (1 - work_[k] * hazard_[k] - e) * move_[k];
  }
  return gain;
}

// Returns the largest share of the step, at most 1, that leaves every segment a tenth of its work.
double Placement::damping() const {
  double part = 1;
  double before = 0;
  for (std::size_t k = 0; k < times_.size(); ++k) {
    const double move = k + 1 == times_.size() ? 0 : move_[k];
    const double loss = before - move;
    if (loss * part > kLargestLoss * work_[k]) part = kLargestLoss * work_[k] / loss;
    before = move;
  }
  return part;
}

void Placement::read_cuts(std::vector<double>& cuts) const {
  cuts.resize(times_.size());
  for (std::size_t k = 0; k < times_.size(); ++k) {
    cuts[k] = times_[k] - static_cast<double>(k) * checkpoint_ - cost(k);
  }
}

double Placement::scaled_work(double reference) const {
  double sum = 0;
  for (std::size_t k = 0; k < times_.size(); ++k)
    sum += work_[k] * elementary::exp(reference - cumulative_[k]);
  return sum;
}

bool Placement::meets_rising_hazard() const {
  return std::any_of(slope_.begin(), slope_.end(), [](double slope) { return slope > 0; });
}

}  // namespace holdfast::checkpoints
