#pragma once

#include "holdfast/domains/machine/instance.hpp"

#include <cstdint>
#include <string>

namespace holdfast::machine {

/// Returns "18 endless jobs on 17235 nodes, a file system of 80 GB/s, MTBF 2.03 y of each (1 h 2 min together)".
[[nodiscard]] std::string headline(const Instance& instance, std::uint64_t seed);

}  // namespace holdfast::machine
