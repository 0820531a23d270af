#pragma once

#include "holdfast/algorithms/checkpoints/outlook.hpp"
#include "holdfast/models/resilience/node_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::checkpoint {

/// The failures that a job must expect whose nodes come from a pool: those of the nodes in use, of the ages that they have.
class PoolOutlook final : public checkpoints::Outlook {
 public:
  /// Makes the outlook at the start.
  /// @param law   as it is believed; must outlive the outlook, like the pool
  PoolOutlook(const TabulatedLaw& law, const NodePool& pool);

  /// Moves the outlook to a date, in seconds. @param next  the first change of the pool that has not happened
  void move_to(std::size_t next, double date);

  [[nodiscard]] const HazardCurve& curve(double span) override { return ages().curve(span); }
  void cumulative(std::span<const double> x, std::span<double> out) override {
    ages().cumulative(x, out);
  }

 private:
  checkpoints::AgesOutlook& ages();

  const TabulatedLaw& law_;
  const NodePool& pool_;
  const bool is_memoryless_;
  std::vector<std::optional<double>> born_;  ///< [nodes] dates of renewal of those in use
  std::size_t next_ = 0;                     ///< the first change that is not in `born_`
  double date_ = 0;
  std::int64_t in_use_ = 0;
  std::optional<checkpoints::AgesOutlook> ages_;  ///< none: to be computed
};

}  // namespace holdfast::checkpoint
