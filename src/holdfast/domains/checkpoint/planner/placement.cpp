#include "holdfast/domains/checkpoint/planner/placement.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace holdfast::checkpoint {
namespace {

constexpr int kMostSteps = 30;
/// Newton's method is quadratic: after a step of 1e-4 of the mean segment, what is left is about 1e-8 of it.
constexpr double kSmallStep = 1e-4;
/// No segment may lose more than this part of its work in one step.
constexpr double kLargestLoss = 0.9;

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
    const double part = damping();
    double largest = 0;
    for (std::size_t k = 0; k + 1 < n; ++k) {
      times_[k] += part * move_[k];
      largest = std::max(largest, std::fabs(move_[k]));
    }
    if (!std::isfinite(largest)) return false;
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
    const double e = std::exp(cumulative_[k] - cumulative_[k + 1]);
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

// The largest part of the step, at most 1, that leaves every segment a tenth of its work.
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
    sum += work_[k] * std::exp(reference - cumulative_[k]);
  return sum;
}

}  // namespace holdfast::checkpoint
