#pragma once

#include "holdfast/models/availability/chain.hpp"

#include <cstdint>
#include <limits>
#include <span>

namespace holdfast::volatile_workers {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The definitions of the expected duration of a computation.
///   exact    mean number of slots given that the attempt succeeds: 1 + (W-1) E_c / P+
///   paper    the published formula, which divides an unconditional moment by the probability of
///            all W-1 steps: (1 + (W-1) E_c) / P+^(W-1)
///   restart  mean number of slots until success if a failed attempt restarts at once on the
///            same set: D (1/P - 1) + 1
/// README.md proves that `paper` is not the conditional expectation that it is claimed to be.
enum class Estimator : std::uint8_t { exact, paper, restart };

/// The values of a set of workers that are all up in slot 0. U_t is the probability that all are up in slot t and none has been
/// down, N_t that none has been down. Times are in slots.
struct SetValues {
  double returns = 0;       ///< E_u: sum of U_t over t >= 1; infinity if no member can go down
  double first_moment = 0;  ///< A: sum of t U_t over t >= 1; infinity if no member can go down
  /// D: mean slots until a member is down; infinity if none can go down.
  double slots_to_failure = 1;
  /// ln P+, where P+ = E_u / (1 + E_u): all are up together again before any member is down.
  double log_step = 0;
  double gap = 0;               ///< E_c = A / (1 + E_u)^2: mean slots to that instant, if it comes
  double gap_given_return = 0;  ///< E_c / P+; infinity if P+ = 0
};

/// Returns the values, in closed form for up to six members and where that is faster, otherwise by the series.
[[nodiscard]] SetValues set_values(std::span<const UpChain* const> members);

/// Returns the values from all products of the members' eigenvalues: 2^n terms, without truncation.
/// @pre no defective member, n <= 24
[[nodiscard]] SetValues set_values_by_terms(std::span<const UpChain* const> members);

/// Returns the values by summing slot after slot until the rest is below 1e-14, or until only the first eigenvalues matter and
/// the rest is a geometric series. The result agrees with the closed form to about 1e-14.
[[nodiscard]] SetValues set_values_by_series(std::span<const UpChain* const> members);

/// Returns ln P(S, W): W - 1 common returns; 0 for W <= 1.
[[nodiscard]] inline double log_success(const SetValues& set, double workload) {
  return workload > 1 ? (workload - 1) * set.log_step : 0;
}

/// Returns E(S, W), the expected slots to compute W slots of work; 0 for W = 0, 1 for W = 1, infinity if it is impossible.
[[nodiscard]] double expected_slots(const SetValues& set, double workload, Estimator estimator);

}  // namespace holdfast::volatile_workers
