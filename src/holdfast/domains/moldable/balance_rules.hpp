#pragma once

namespace holdfast::moldable {

/// The rules for balancing jobs against each other.
struct BalanceRules {
  /// Areas are multiplied by 1 + slack. An exact balance (0) asks for slightly more processors than there are, because all
  /// durations equal the target and allocations are whole; some jobs of the batch then wait for a full duration. The published
  /// values need 0.1.
  double slack = 0.1;
  /// The result is at most 1 + epsilon times the best possible. The relaxed bound certifies this; otherwise a slower method
  /// with this guarantee is used.
  double epsilon = 0.3;
};

}  // namespace holdfast::moldable
