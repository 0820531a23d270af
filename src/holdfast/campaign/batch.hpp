#pragma once

#include "holdfast/campaign/cell.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast {

struct Outcome;

/// Finished cells on their way from a worker to the sink: plain arrays with one entry per cell. `values` has one row of metrics
/// per cell, with NaN for a metric without a value.
struct Batch {
  std::vector<CellKey> keys;
  std::vector<std::uint8_t> flags;  ///< CellFlags::kPresent ...
  std::vector<double> seconds;      ///< wall time of the cell in seconds; never exported
  std::vector<double> values;

  [[nodiscard]] std::size_t size() const { return keys.size(); }
  [[nodiscard]] bool empty() const { return keys.empty(); }
  void clear();
  /// Adds a cell. A metric that is not finite counts as one without a value.
  void add(const CellKey& key, const Outcome& outcome, double wall_seconds);
  void append(const Batch& other);
  /// Adds the i-th cell of another batch.
  /// @param metrics  number of values per cell
  void append(const Batch& other, std::size_t i, std::size_t metrics);
};

}  // namespace holdfast
