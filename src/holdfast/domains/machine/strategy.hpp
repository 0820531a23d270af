#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"
#include "holdfast/domains/machine/periods.hpp"

#include <memory>

namespace holdfast::machine {

/// What a job does while its request for a checkpoint waits for bandwidth.
enum class Waiting : std::uint8_t {
  blocking,  ///< it stalls
  working,   ///< it works on; what it has done when the transfer begins is what is saved
};

/// A strategy of this domain, fresh for one run: when jobs ask for checkpoints, what they do until they get them, and
/// who gets how much bandwidth.
struct Strategy {
  std::unique_ptr<bandwidth::Strategy> sharing;
  Waiting waiting = Waiting::blocking;
  PeriodRule period;
  bool ignores_others = false;  ///< rates may add up to more than the file system has
};

}  // namespace holdfast::machine
