#pragma once

#include "holdfast/models/speedup/speedup.hpp"

#include <functional>
#include <optional>
#include <span>

namespace holdfast::taskgraph {

/// The numbers behind a competitive ratio: every task gets an allocation of area at most alpha
/// times its least area and, before the cap, of time at most beta times its least time; no task
/// gets more than the share mu of the machine.
struct Guarantee {
  double alpha = 1;
  double beta = 1;
  double mu = 0.5;

  /// Returns what the makespan is at most, over the optimum: 1 / mu, for a mu of common_mu().
  [[nodiscard]] double ratio() const { return 1 / mu; }
};

/// Returns the mu at which beta + alpha / (1 - mu) = 1 / mu; in (0, 1/2]. @pre alpha >= 1, beta >= 1
/// Source: Perotin's thesis, Lemma 18.
[[nodiscard]] double common_mu(double alpha, double beta);

/// Returns the ratio that Lemma 18 proves for any three numbers, or nothing if its conditions fail. With
/// a mu above common_mu() it is beta + alpha / (1 - mu). Conditions: beta >= mu (alpha - 1) / (1 -
/// mu)^2, and beta + alpha / (1 - mu) >= 1 / mu, which makes the T_2 term of the proof drop out
/// (relative tolerance 1e-12: the parameters of Table III attain it). Section 3.4.3 of the thesis
/// quotes the first condition without its mu; the proof and the values use it.
[[nodiscard]] std::optional<double> proven_ratio(const Guarantee& guarantee);

/// Table III. Nothing for `power` and `table`, for which no constant ratio exists.
[[nodiscard]] std::optional<Guarantee> guarantee_of(SpeedupModel model);

/// Returns the smallest of the models that contains the model of every task: their own where they agree,
/// `mix` for any mixture of the first four; `power` or `table` as soon as one task has it. The
/// guarantee needs one pair of parameters for all tasks. @pre not empty
[[nodiscard]] SpeedupModel common_model(std::span<const Speedup> tasks);

/// Returns the alpha in [low, high] that makes 1 / common_mu(alpha, beta(alpha)) least, to about 1e-9: the
/// source's recipe for a model of which only beta(alpha) is known (section 3.4.3). @pre the ratio
/// has one minimum in the interval
[[nodiscard]] Guarantee best_guarantee(const std::function<double(double alpha)>& beta, double low,
                                       double high);

}  // namespace holdfast::taskgraph
