#include "holdfast/domains/checkpoint/advisor/cost_estimate.hpp"

#include <algorithm>

namespace holdfast::checkpoint {
namespace {

/// Weight of a duration relative to the next newer one, and of the guess relative to the oldest.
constexpr double kFading = 0.9;
constexpr double kGuessWeight = 0.5;
/// A duration counts as at most this many medians.
constexpr double kOutlier = 5;
/// Number of durations from which on their distribution decides the reserve, and the factor on the one chosen.
constexpr std::size_t kEnough = 5;
constexpr double kRoom = 1.1;

using Kept = std::array<double, CostEstimate::kKept>;

Kept in_order(std::span<const double> durations) {
  Kept out{};
  const auto end = std::copy(durations.begin(), durations.end(), out.begin());
  std::sort(out.begin(), end);
  return out;
}

double median_of(std::span<const double> durations) {
  const Kept ordered = in_order(durations);
  const std::size_t middle = durations.size() / 2;
  return durations.size() % 2 == 1 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2;
}

}  // namespace

void CostEstimate::add(double duration) {
  if (count_ == kKept) {
    std::shift_left(kept_.begin(), kept_.end(), 1);
    --count_;
  }
  kept_[count_++] = duration;
}

std::optional<double> CostEstimate::value() const {
  if (count_ == 0) return guess_;
  const double most = kOutlier * median_of(durations());
  double sum = 0;
  double weights = 0;
  double weight = 1;
  for (std::size_t i = count_; i-- > 0; weight *= kFading) {
    sum += weight * std::min(kept_[i], most);
    weights += weight;
  }
  if (guess_) {
    sum += kGuessWeight * weight * *guess_;
    weights += kGuessWeight * weight;
  }
  return sum / weights;
}

double CostEstimate::reserve(double unsaved) const {
  if (count_ < kEnough) return 2 * value_or(0);
  const Kept ordered = in_order(durations());
  std::size_t best = 0;
  double most = 0;
  for (std::size_t j = 0; j < count_; ++j) {
    const double won = (unsaved - ordered[j]) * static_cast<double>(j + 1);
    if (j == 0 || won > most) {
      most = won;
      best = j;
    }
  }
  return kRoom * ordered[best];
}

}  // namespace holdfast::checkpoint
