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

/// A planner that finds the best plan on multiples of a quantum u. It gives the answer of the published recursion (Perotin's
/// thesis, algorithms 5 and 6, O(p W*^4)) in O(W*) per number of checkpoints. With W* = W/u and C* = C/u quanta, rounded,
///
///   F_0(0) = 0,  F_k(c) = max over k-1 <= a < c of F_(k-1)(a) + (c - a) S(c + k C*),
///
/// is the largest expected work from k checkpoints if c quanta are done at the last one. For a fixed c it is the highest of the
/// lines F_(k-1)(a) - s a at s = S(c + k C*). Both the slopes and the query points fall with c, so one pointer along the upper
/// envelope answers a whole layer (envelope.hpp). F_k does not depend on the final number N, so one pass over k serves every N.
/// The search stops when five numbers in a row bring no new best (the source's rule). Ties go to the smallest N, and within a
/// layer to the smallest a.
class GridPlanner {
 public:
  /// The largest number of quanta in one plan; with smaller quanta the differences are only noise.
  static constexpr double kMostQuanta = 1'000'000;

  GridPlanner(double checkpoint, JobEnds ends, Goal goal)
      : checkpoint_{checkpoint}, ends_{ends}, goal_{goal} {}

  /// Returns the work done at each checkpoint from now on, in seconds; the last entry is `work`.
  /// @pre 0 < quantum <= work, work / quantum <= kMostQuanta. The result is valid until the next call
  [[nodiscard]] std::span<const double> plan(Outlook& outlook, double work, double quantum);
  /// Returns every number of checkpoints that was tried, starting from 1. Times are multiples of u. Failures strike at the end
  /// of a quantum, so the expected time is a sum: E_T = u (S(0) + S(u) + ... + S((W* + N C* - 1) u)).
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
  /// Lambda at the first possible checkpoint. All values are scaled by exp(reference).
  double reference_ = 0;
  std::vector<double> points_;
  std::vector<double> survival_;  ///< S(i u) exp(reference), from the first possible checkpoint on
  std::vector<double> expected_time_;  ///< [i] S(0) + ... + S((i - 1) u)

  Envelope envelope_;
  std::vector<double> previous_;             ///< F_(k-1)
  std::vector<double> current_;              ///< F_k
  std::vector<std::uint32_t> last_parents_;  ///< [k - 1] the best a for c = W*
  // The best a for each c, of all layers. If that takes too much memory, it is kept for one block of layers at a time and
  // recomputed from the F stored at the start of the block.
  std::vector<Parents> parents_;
  std::size_t first_parents_ = 1;  ///< layer of parents_[0]
  bool has_all_parents_ = true;
  std::vector<std::vector<double>> block_starts_;

  std::vector<double> cuts_;
  std::vector<Candidate> candidates_;
};

}  // namespace holdfast::checkpoints
