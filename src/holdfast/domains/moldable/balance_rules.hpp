#pragma once

namespace holdfast::moldable {

/// The rules by which jobs are balanced against each other.
struct BalanceRules {
  /// Areas count 1 + slack times. Exact balance (0) asks for slightly more processors than there
  /// are, since all durations equal the target and allocations are whole: some jobs of the batch
  /// then wait for a full duration. The published values need 0.1.
  double slack = 0.1;
  /// The result is at most 1 + epsilon times the best possible: certified by the relaxed bound, or
  /// else found by a slower method that has this guarantee.
  double epsilon = 0.3;
};

}  // namespace holdfast::moldable
