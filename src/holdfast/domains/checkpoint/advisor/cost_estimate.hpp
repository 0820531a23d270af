#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace holdfast::checkpoint {

/// The estimated cost of a repeated activity of a job, in seconds. A plan's overhead is linear in the cost,
/// so the mean matters, but one outlier must not dominate. For the last 31 durations x, newest first, with median m, it is
///
///   (sum 0.9^k min(x_k, 5 m) + 0.5 0.9^n C0) / (sum 0.9^k + 0.5 0.9^n),
///
/// where C0 is a guess or an earlier value; without one, its terms are absent.
class CostEstimate {
 public:
  /// The number of durations that are kept.
  static constexpr std::size_t kKept = 31;

  explicit CostEstimate(std::optional<double> guess = std::nullopt) : guess_{guess} {}

  /// Adds a duration in seconds. @pre it is finite and at least 0
  void add(double duration);
  /// Returns the estimate in seconds; nothing if there is neither a guess nor a duration.
  [[nodiscard]] std::optional<double> value() const;
  [[nodiscard]] double value_or(double other) const { return value().value_or(other); }
  /// Returns the durations, oldest first.
  [[nodiscard]] std::span<const double> durations() const { return {kept_.data(), count_}; }

  /// Returns the time to reserve for the last checkpoint of an allocation (3.8). With at least 5 durations c_(1) <= ... <=
  /// c_(n) it is 1.1 c_(j) for the j with the largest (unsaved - c_(j)) j / (n + 1), the empirical form of Barbut et al. 2023,
  /// who maximise (U - x) P(C <= x). Otherwise it is twice the cost, or 0 if nothing is known about it.
  /// @param unsaved  U, the work at stake, seconds
  [[nodiscard]] double reserve(double unsaved) const;

 private:
  std::optional<double> guess_;
  std::array<double, kKept> kept_{};
  std::size_t count_ = 0;
};

}  // namespace holdfast::checkpoint
