#pragma once

#include "holdfast/campaign/cell.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast {

struct Outcome;

/// Finished cells on their way from a worker to the sink: plain arrays, one entry per cell (values:
/// one row of metrics per cell, NaN for a metric that does not exist).
struct Batch {
  std::vector<CellKey> keys;
  std::vector<std::uint8_t> flags;  ///< CellFlags::kPresent ...
  std::vector<double> seconds;      ///< wall time of the cell; never exported
  std::vector<double> values;

  [[nodiscard]] std::size_t size() const { return keys.size(); }
  [[nodiscard]] bool empty() const { return keys.empty(); }
  void clear();
  /// Adds a cell; a metric that is not finite counts as one that does not exist.
  void add(const CellKey& key, const Outcome& outcome, double wall_seconds);
  void append(const Batch& other);
  /// Adds the i-th cell of another batch.
  /// @param metrics  number of values per cell
  void append(const Batch& other, std::size_t i, std::size_t metrics);
};

}  // namespace holdfast
