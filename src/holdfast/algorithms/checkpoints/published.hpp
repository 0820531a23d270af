#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::checkpoints {

/// The recursion as it was published (Perotin's thesis, algorithm 5, compE). The fast planners are checked and timed against
/// it. It has O(W*^3) states that cost O(W*) each, so about 60 quanta are feasible.
///
/// E(x, Np, Nf) is the largest expected work until the next failure with x quanta of work left, Np checkpoints taken and at
/// most Nf still to take. The number is at most Nf, not exactly Nf, because the recursion returns 0 when no work is left.
class PublishedRecursion {
 public:
  /// Prepares the recursion.
  /// @param survival  [W* (1 + C*) + 1] the probability of surviving to each quantum from now
  PublishedRecursion(std::span<const double> survival, std::size_t work, std::size_t checkpoint)
      : survival_{survival},
        work_{work},
        checkpoint_{checkpoint},
        known_(work * work * work, -1.0) {}

  /// Returns the largest expected work, in quanta, with at most that many checkpoints.
  [[nodiscard]] double best(std::size_t checkpoints) { return solve(work_, 0, checkpoints); }

 private:
  double solve(std::size_t left, std::size_t taken, std::size_t to_take) {
    if (left == 0) return 0;
    double& known = known_[((left - 1) * work_ + taken) * work_ + (to_take - 1)];
    if (known >= 0) return known;
    const std::size_t now = work_ - left + taken * checkpoint_;
    double best = 0;
    for (std::size_t i = to_take == 1 ? left : 1; i <= left; ++i) {
      const double later = to_take == 1 ? 0 : solve(left - i, taken + 1, to_take - 1);
      const double success = survival_[now + i + checkpoint_] / survival_[now];
      best = success * (static_cast<double>(i) + later) > best
                 ? success * (static_cast<double>(i) + later)
                 : best;
    }
    known = best;
    return best;
  }

  std::span<const double> survival_;
  std::size_t work_;
  std::size_t checkpoint_;
  std::vector<double> known_;
};

}  // namespace holdfast::checkpoints
