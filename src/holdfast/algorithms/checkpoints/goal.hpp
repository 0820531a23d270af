#pragma once

#include <cstdint>

namespace holdfast::checkpoints {

/// The quantity that a plan maximises until the next failure.
enum class Goal : std::uint8_t {
  share,  ///< expected work per expected time, the share of the time saved before the failure: NextStep
  work,  ///< expected work alone: NextFailure
};

}  // namespace holdfast::checkpoints
