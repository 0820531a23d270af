#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/kernel/availability.hpp"

#include <array>
#include <string>
#include <string_view>

/// A Markov chain of three states: a worker is up, reclaimed or down in each slot of time.
/// Source: Casanova, Dufossé, Robert, Vivien, "Mapping tightly-coupled applications on volatile
/// resources", 2012.
namespace holdfast {

/// The probabilities of state j in the next slot given state i in this slot. Rows i and columns j are in the order up,
/// reclaimed, down.
using TransitionMatrix = std::array<std::array<double, 3>, 3>;

/// Checks that each row consists of probabilities that sum to 1 (to 1e-9), and scales it to sum to 1 exactly.
/// @param rows  number of rows to check; predictions read only the first two
/// @returns bad_value with the pointer of the row below `where`
[[nodiscard]] Result<TransitionMatrix> checked_matrix(TransitionMatrix matrix,
                                                      std::string_view where, int rows = 3);

/// Returns the long-run share of slots in each state. If the chain has several classes of states that it never leaves, this is
/// the limit of the time averages of a chain that starts in the state up.
[[nodiscard]] std::array<double, 3> stationary(const TransitionMatrix& matrix);

/// The behaviour of a worker that is up in slot 0 until it is down for the first time. It is computed from the part M of the
/// matrix over {up, reclaimed}, by its eigenvalues l1 >= |l2|.
///
///   back to up:  uu(t) = M^t[up][up]              = a1 l1^t + a2 l2^t
///   not down:    nd(t) = M^t[up][up] + M^t[up][r] = n1 l1^t + n2 l2^t
///
/// 1 - l1 is computed without cancellation, for machines that fail once in 10^9 slots. If the eigenvalues agree to 1e-12
/// (is_defective), the coefficients mean nothing and uu(t) = l^t + t l^(t-1) (P_uu - l). Source: Casanova et al. 2012, section
/// 4, in closed form.
class UpChain {
 public:
  /// Computes the coefficients for a chain.
  explicit UpChain(const TransitionMatrix& matrix);

  /// Returns ln nd(t) for a real t >= 0; a negative l2 is raised to the power ceil(t). -infinity if the worker is certainly
  /// down by then.
  [[nodiscard]] double log_not_down(double slots) const;

  /// Returns true if the two eigenvalues agree, so that the coefficients mean nothing.
  [[nodiscard]] bool is_defective() const { return defective_; }
  /// Return the eigenvalues, their distances to 1, and the coefficients of uu(t) and nd(t), none of which has a unit.
  [[nodiscard]] double l1() const { return l1_; }
  [[nodiscard]] double l2() const { return l2_; }
  [[nodiscard]] double one_minus_l1() const { return one_minus_l1_; }
  [[nodiscard]] double one_minus_l2() const { return 1 - l2_; }
  [[nodiscard]] double a1() const { return a1_; }
  [[nodiscard]] double a2() const { return 1 - a1_; }
  [[nodiscard]] double n1() const { return n1_; }
  [[nodiscard]] double n2() const { return 1 - n1_; }
  /// Returns M row by row: up-up, up-reclaimed, reclaimed-up, reclaimed-reclaimed.
  [[nodiscard]] const std::array<double, 4>& stays() const { return stays_; }

 private:
  [[nodiscard]] double defective_not_down(double slots) const;

  std::array<double, 4> stays_;
  bool defective_ = false;
  double l1_ = 0, l2_ = 0, one_minus_l1_ = 1;
  double a1_ = 1, n1_ = 1;
  double log_n1_ = 0, log_l1_ = 0, log_abs_l2_ = 0, n2_over_n1_ = 0;
};

}  // namespace holdfast
