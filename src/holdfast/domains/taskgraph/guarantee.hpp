#pragma once

#include "holdfast/models/speedup/speedup.hpp"

#include <optional>
#include <span>

namespace holdfast::taskgraph {

/// The parameters of a competitive ratio. Every task gets an allocation whose area is at most alpha times its smallest area and
/// whose time, before the cap, is at most beta times its shortest time. No task gets more than the share mu of the machine.
struct Guarantee {
  double alpha = 1;
  double beta = 1;
  double mu = 0.5;

  /// Returns the proven upper bound on makespan / optimum: 1 / mu, for a mu from common_mu().
  [[nodiscard]] double ratio() const { return 1 / mu; }
};

/// Returns the mu at which beta + alpha / (1 - mu) = 1 / mu; in (0, 1/2]. @pre alpha >= 1, beta >= 1
/// Source: Perotin's thesis, Lemma 18.
[[nodiscard]] double common_mu(double alpha, double beta);

/// Returns the ratio that Lemma 18 proves for any three parameters, or nothing if its conditions fail. With a mu above
/// common_mu() it is beta + alpha / (1 - mu). The conditions are beta >= mu (alpha - 1) / (1 - mu)^2, and beta + alpha / (1 -
/// mu) >= 1 / mu, which makes the T_2 term of the proof vanish (relative tolerance 1e-12, because the parameters of Table III
/// reach it). Section 3.4.3 of the thesis quotes the first condition without its mu; the proof and the values use it.
[[nodiscard]] std::optional<double> proven_ratio(const Guarantee& guarantee);

/// Returns the row of Table III, or nothing for `power` and `table`, for which no constant ratio exists.
[[nodiscard]] std::optional<Guarantee> guarantee_of(SpeedupModel model);

/// Returns the smallest model that contains the models of all tasks: their own if they agree, `mix` for any mixture of the
/// first four, and `power` or `table` if one task has it. The guarantee needs one pair of parameters for all tasks. @pre not
/// empty
[[nodiscard]] SpeedupModel common_model(std::span<const Speedup> tasks);

}  // namespace holdfast::taskgraph
