#pragma once

#include "holdfast/algorithms/checkpoints/candidate.hpp"
#include "holdfast/algorithms/checkpoints/envelope.hpp"
#include "holdfast/algorithms/checkpoints/goal.hpp"
#include "holdfast/algorithms/checkpoints/outlook.hpp"
#include "holdfast/models/resilience/job.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::checkpoints {

/// The best plan on multiples of a quantum u (spec 3.3): the answer of the published recursion (Perotin's thesis,
/// algorithms 5 and 6, O(p W*^4)) in O(W*) per number of checkpoints. With W* = W/u and C* = C/u quanta, rounded,
///
///   F_0(0) = 0,  F_k(c) = max over k-1 <= a < c of F_(k-1)(a) + (c - a) S(c + k C*),
///
/// is the most work expected from k checkpoints with c quanta done at the last. For a fixed c that is the highest of
/// the lines F_(k-1)(a) - s a at s = S(c + k C*); both the slopes and the places asked for fall with c, so one
/// pointer along the upper envelope answers a whole layer (envelope.hpp). F_k knows nothing of the final number N: one
/// pass over k serves every N. It stops when five numbers in a row brought no new best (the source's rule).
/// Ties: the smallest N; within a layer the smallest a.
class GridPlanner {
 public:
  /// Quanta in one plan: beyond that a smaller quantum is noise.
  static constexpr double kMostQuanta = 1'000'000;

  GridPlanner(double checkpoint, JobEnds ends, Goal goal)
      : checkpoint_{checkpoint}, ends_{ends}, goal_{goal} {}

  /// Work done at each checkpoint from now on, in seconds; the last is `work`.
  /// @pre 0 < quantum <= work, work / quantum <= kMostQuanta. Valid until the next call
  [[nodiscard]] std::span<const double> plan(Outlook& outlook, double work, double quantum);
  /// Returns every number of checkpoints that was tried, from 1. Times are quanta times u; failures strike at the end of a
  /// quantum, so the expected time is a sum: E_T = u (S(0) + S(u) + ... + S((W* + N C* - 1) u)).
  [[nodiscard]] std::span<const Candidate> candidates() const { return candidates_; }

 private:
  using Parents = std::vector<std::uint32_t>;

  void prepare(Outlook& outlook, double work, double quantum);
  void extend_survival(Outlook& outlook, std::size_t quanta);
  [[nodiscard]] std::size_t best_count(Outlook& outlook);
  std::uint32_t next_layer(std::size_t k, Parents& parents);
  [[nodiscard]] std::uint32_t end_without_checkpoint(std::size_t k);
  [[nodiscard]] std::size_t end_of(std::size_t k) const;
  void keep(std::size_t k, Parents& parents);
  void trace_back(std::size_t count);
  [[nodiscard]] const Parents& parents_of(std::size_t k);

  double checkpoint_;
  JobEnds ends_;
  Goal goal_;

  std::size_t work_ = 0;  ///< W*
  std::size_t cost_ = 0;  ///< C*
  double quantum_ = 0;    ///< u
  /// Lambda at the first possible checkpoint: values are scaled by exp(reference).
  double reference_ = 0;
  std::vector<double> points_;
  std::vector<double> survival_;  ///< S(i u) exp(reference), from the first possible checkpoint on
  std::vector<double> expected_time_;  ///< [i] S(0) + ... + S((i - 1) u)

  Envelope envelope_;
  std::vector<double> previous_;             ///< F_(k-1)
  std::vector<double> current_;              ///< F_k
  std::vector<std::uint32_t> last_parents_;  ///< [k - 1] the best a for c = W*
  // The best a for each c: of all layers, or where that is too much memory, of one block of layers at a time, made
  // again from the F kept at the block's start.
  std::vector<Parents> parents_;
  std::size_t first_parents_ = 1;  ///< layer of parents_[0]
  bool has_all_parents_ = true;
  std::vector<std::vector<double>> block_starts_;

  std::vector<double> cuts_;
  std::vector<Candidate> candidates_;
};

}  // namespace holdfast::checkpoints
