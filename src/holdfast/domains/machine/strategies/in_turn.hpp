#pragma once

#include "holdfast/algorithms/bandwidth/greedy.hpp"
#include "holdfast/domains/machine/strategy.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::machine {

/// A strategy that never interrupts a transfer. It gives full bandwidth to operations that have begun, in order of their
/// beginning, then to waiting ones in the order of a rule, while bandwidth is left.
class InTurn : public bandwidth::Strategy {
 public:
  void share(const bandwidth::Situation& situation, std::span<double> rates) final;
  [[nodiscard]] bool stands_while_full() const final { return true; }

 protected:
  /// Writes the keys of the waiting requests. The smallest key is served first; equal keys (within 1e-12) in order of posting.
  /// @param waiting  their positions, in order of (posted, application)
  virtual void order_by(const bandwidth::Situation& situation,
                        std::span<const std::uint32_t> waiting, std::span<double> keys) = 0;

 private:
  bandwidth::Ranking ranking_{false};
  std::vector<std::uint32_t> begun_, waiting_;
  std::vector<bandwidth::Pending> asked_;
  std::vector<double> keys_;
};

}  // namespace holdfast::machine
