#pragma once

#include "holdfast/contract/domain.hpp"
#include "holdfast/domains/sketch/instance.hpp"

namespace holdfast::sketch {

/// The instance with its failures drawn, from the start for `duration` seconds.
/// @pre instance.mtbf > 0, duration > 0
[[nodiscard]] Instance generate(const Instance& instance, const Draw& draw, double duration);

}  // namespace holdfast::sketch
