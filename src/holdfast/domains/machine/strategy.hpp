#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"
#include "holdfast/domains/machine/periods.hpp"

#include <memory>

namespace holdfast::machine {

/// What a job does while its checkpoint request waits for bandwidth.
enum class Waiting : std::uint8_t {
  blocking,  ///< it stalls
  working,   ///< it keeps working, and saves what it has done when the transfer begins
};

/// A strategy of this domain for one run: when jobs ask for checkpoints, what they do until they get bandwidth, and who gets
/// how much bandwidth.
struct Strategy {
  std::unique_ptr<bandwidth::Strategy> sharing;
  Waiting waiting = Waiting::blocking;
  PeriodRule period;
  bool ignores_others = false;  ///< true: the rates may add up to more than the file system has
};

}  // namespace holdfast::machine
