#pragma once

#include "holdfast/contract/draw.hpp"
#include "holdfast/domains/sketch/instance.hpp"

namespace holdfast::sketch {

/// The instance with the dates of its failures drawn; as it is where they are given.
[[nodiscard]] Instance generate(const Instance& instance, const Draw& draw);

}  // namespace holdfast::sketch
