#pragma once

#include <cstdint>

namespace holdfast::checkpoints {

/// The quantity that a plan maximises until the next failure.
enum class Goal : std::uint8_t {
  efficiency,  ///< expected work per expected time: NextStep
  work,        ///< expected work alone: NextFailure
};

}  // namespace holdfast::checkpoints
