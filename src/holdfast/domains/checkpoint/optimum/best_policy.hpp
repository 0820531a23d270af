#pragma once

#include "holdfast/base/stop.hpp"
#include "holdfast/domains/checkpoint/optimum/renewal.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::checkpoint {

/// The resolution with which the optimum is computed.
struct PolicyGrid {
  std::size_t cells = 0;  ///< number n of cells of the work, which is cut into multiples of W / n
  double age_step = 0;    ///< relative step of ages, which are exp(i age_step)
};

/// Returns the shortest of the best periods for the failure rates from the start and from a failure on, in seconds, but at most
/// the work.
[[nodiscard]] double shortest_period(const Instance& instance, const RenewalFailures& failures);

/// Returns the grid for a job: 32 cells within the shortest period, from kLeastCells to kMostCells in all. If failures have no
/// memory, there are twice as many, and the maximum is larger.
[[nodiscard]] PolicyGrid grid_for(const Instance& instance, double shortest_period);
inline constexpr std::size_t kLeastCells = 128;
inline constexpr std::size_t kMostCells = 16'384;

/// The policy with the smallest expected makespan, by dynamic programming over the work left w and the age a (the time since
/// the last failure). With V(w, a) the expected time from a moment when the job is ready to work,
///
///   V(w, a) = min over x of  T(a, x + C) + S(a, x + C) V(w - x, a + x + C) + (1 - S(a, x + C)) U(w),   V(0, a) = 0,
///
/// where x is the work until the next checkpoint, S(a, y) the probability that nothing fails within y, T(a, y) the expected
/// time until a failure or y, and U(w) = restart time + mean of V(w, a) over the ages at which a job is ready again: the
/// expected time from a failure. For each w, U(w) is the only unknown. V grows more slowly than U, so policy iteration, which
/// is Newton's method here, ends after three or four rounds.
///
/// The error of the grid: the work left is a multiple of h = W / n. The best segment is searched among multiples of h, and
/// between them by the parabola through the best one and its neighbours, so its length need not be a multiple of h. Between
/// ages V is a cubic in ln a. Both errors fall with the fourth power of the step where V is smooth, and with its square where
/// the best number of segments changes.
class BestPolicy {
 public:
  /// @param stop  checked between rows; an interrupted policy has no makespan (NaN)
  BestPolicy(const Instance& instance, const RenewalFailures& failures, PolicyGrid grid, Stop stop);

  /// Returns the expected makespan from the job's start, in seconds.
  [[nodiscard]] double expected_makespan() const { return makespan_; }
  /// Returns the work done at each checkpoint if nothing fails, in whole cells except for the first segment.
  [[nodiscard]] const std::vector<double>& cuts() const { return cuts_; }
  /// Returns the number of nodes of the grid of ages.
  [[nodiscard]] std::size_t ages() const { return ages_.size(); }

 private:
  /// All segments that may begin at one age.
  struct Row {
    double age = 0;
    // [l - 1] for a segment of l cells and its checkpoint
    std::vector<double> time;
    std::vector<double> survival;
    std::vector<std::uint32_t> node;  ///< first of the four ages around the age at its end
    std::vector<double> offset;       ///< offset of that age from the first of the four, in steps
    // the same without the checkpoint, for a job that ends without one
    std::vector<double> last_time;
    std::vector<double> last_survival;

    [[nodiscard]] std::size_t longest() const { return time.size(); }
  };
  /// A choice. Its value is time + (1 - survival) U, where `time` includes what follows if nothing fails.
  struct Choice {
    double time = 0;
    double survival = 0;
    double segment = 0;  ///< in cells
    [[nodiscard]] double value(double restarted) const { return time + (1 - survival) * restarted; }
  };

  void place_ages(double youngest, double oldest);
  [[nodiscard]] Row row_at(double age) const;
  [[nodiscard]] double after(const Row& row, std::size_t left, std::size_t segment) const;
  [[nodiscard]] Choice choice(const Row& row, std::size_t left, std::size_t segment) const;
  [[nodiscard]] Choice best(const Row& row, std::size_t left, double restarted) const;
  [[nodiscard]] double solve(const Restart& restart, std::span<const Row> rows, std::size_t left,
                             double guess) const;
  void follow(double age, double restarted_first);

  const Instance& instance_;
  const RenewalFailures& failures_;
  PolicyGrid grid_;
  double cell_;
  double first_age_ = 0;  ///< ln of the first node
  std::vector<double> ages_;
  std::vector<double> values_;     ///< [left][age node]: V
  std::vector<double> restarted_;  ///< [left]: U
  double makespan_;
  std::vector<double> cuts_;
};

}  // namespace holdfast::checkpoint
