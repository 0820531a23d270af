#pragma once

#include "holdfast/campaign/clustered_mean.hpp"
#include "holdfast/campaign/possible.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

/// The results of a campaign as a whole: means and gains over all of its points.
class Overall {
 public:
  /// @param metric  the metric that the sentences are about
  Overall(const Description& description, std::size_t metric);

  void add(const PointCells& cells);

  [[nodiscard]] std::uint64_t cells_total() const { return total_; }
  [[nodiscard]] std::uint64_t cells_done() const { return done_; }
  /// Returns what the reader should know: cells that are missing or did not complete, pairs without a ratio.
  [[nodiscard]] std::vector<std::string> warnings() const;
  /// Returns a table with a row per strategy: mean, interval, the range of the means of the points, and by how much and how
  /// often it was better than the baseline.
  [[nodiscard]] Table strategies_table() const { return table_of(metric_); }
  /// Returns the same table for every other metric that has values; those that no strategy changes share one, which is the last.
  [[nodiscard]] std::vector<Table> other_metrics() const;

 private:
  struct Compared {
    ClusteredMean logarithms;  ///< logarithms of baseline / strategy
    std::uint64_t pairs = 0;
    std::uint64_t better = 0;  ///< pairs in which the strategy is better
    std::uint64_t equal = 0;
  };
  struct Cell {
    ClusteredMean mean;
    Compared compared;
    ClusteredMean reached;  ///< share of the best possible value
    Moments at_point;       ///< values of the current point
    Moments points;         ///< means of the points
  };

  struct GivenUp {
    std::uint64_t runs = 0;
    /// Points at which a run was given up; the other runs at these points do not count.
    std::uint64_t points = 0;
  };

  [[nodiscard]] const Cell& at(std::size_t strategy, std::size_t metric) const;
  /// Adds the values of one metric of one strategy at a point.
  /// @param compare  true: compare with the baseline too
  void add_column(const PointCells& cells, std::size_t strategy, std::size_t metric, bool compare);
  [[nodiscard]] Table table_of(std::size_t metric) const;
  void append_row(Table& table, std::size_t strategy, std::size_t metric) const;
  [[nodiscard]] std::uint64_t pairs_without_ratio() const;
  [[nodiscard]] std::string given_up_text() const;
  void finish_point();
  [[nodiscard]] bool is_compared(std::size_t metric) const;
  [[nodiscard]] std::optional<BoundPlace> bound_of(std::size_t metric) const;
  [[nodiscard]] bool is_bound(std::size_t strategy) const;
  [[nodiscard]] bool has_values(std::size_t metric) const;
  /// Returns true if several strategies have exactly the same mean and range of the metric.
  [[nodiscard]] bool is_constant(std::size_t metric) const;

  const Description* description_;
  std::size_t metric_;
  std::vector<Cell> cells_;        ///< strategies x metrics
  std::vector<GivenUp> given_up_;  ///< by strategy
  bool any_given_up_ = false;
  std::uint64_t points_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
};

}  // namespace holdfast
