#pragma once

#include "holdfast/contract/draw.hpp"
#include "holdfast/domains/sketch/instance.hpp"

namespace holdfast::sketch {

/// Returns the instance with the dates of its failures drawn; without a change if they are given.
[[nodiscard]] Instance generate(const Instance& instance, const Draw& draw);

}  // namespace holdfast::sketch
