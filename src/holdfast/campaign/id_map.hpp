#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace holdfast {

/// A map from the numbers that a results file gives to points or strategies to positions in a list of this process. It is an
/// array, because the file's numbers count from 1.
class IdMap {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  IdMap() = default;
  /// Maps ids[i] to i.
  explicit IdMap(std::span<const std::uint32_t> ids) {
    for (std::uint32_t i = 0; i < ids.size(); ++i) set(ids[i], i);
  }

  void set(std::uint32_t id, std::uint32_t position) {
    if (id >= positions_.size()) positions_.resize(std::size_t{id} + 1, kNone);
    positions_[id] = position;
  }
  /// Returns the position for a number; kNone if it was never set.
  [[nodiscard]] std::uint32_t find(std::uint64_t id) const {
    return id < positions_.size() ? positions_[id] : kNone;
  }

 private:
  std::vector<std::uint32_t> positions_;
};

}  // namespace holdfast
