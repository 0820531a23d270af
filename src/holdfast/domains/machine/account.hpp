#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace holdfast::machine {

/// The use of a node-second in the measured window. Each node-second has exactly one use.
enum class Use : std::uint8_t {
  idle,
  repair,
  downtime,
  kept,  ///< work that is saved later
  open,  ///< work that is neither saved nor lost when the run ends
  lost,
  checkpoint,  ///< transfers, each with the time that it would take alone
  recovery,
  regular,  ///< input and output
  wait,     ///< the rest of the time in which jobs stall
};
inline constexpr std::size_t kUses = 10;

/// Node-seconds by use, for one class or for all.
class Account {
 public:
  void add(Use use, double node_seconds) { parts_[static_cast<std::size_t>(use)] += node_seconds; }
  [[nodiscard]] double operator[](Use use) const { return parts_[static_cast<std::size_t>(use)]; }
  /// Returns the node-seconds of jobs that had nodes.
  [[nodiscard]] double running() const {
    double sum = 0;
    for (std::size_t use = static_cast<std::size_t>(Use::downtime); use < kUses; ++use) {
      sum += parts_[use];
    }
    return sum;
  }
  [[nodiscard]] double total() const {
    return running() + (*this)[Use::idle] + (*this)[Use::repair];
  }
  Account& operator+=(const Account& other) {
    for (std::size_t use = 0; use < kUses; ++use) parts_[use] += other.parts_[use];
    return *this;
  }
  void clear() { parts_.fill(0); }

 private:
  std::array<double, kUses> parts_{};
};

}  // namespace holdfast::machine
