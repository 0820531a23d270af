#pragma once

#include "holdfast/domains/workflow/instance_io.hpp"

#include <cstdint>
#include <string>

namespace holdfast::workflow {

/// Returns one line for people that says which problem this is: "a seismology workflow of about 2000 tasks (seed 1) on 1000
/// processors, MTBF 1 y of each (8 h 46 min together), checkpoints of 1 min".
[[nodiscard]] std::string headline(const Experiment& experiment, std::uint64_t seed);
[[nodiscard]] std::string headline(const Instance& instance);

}  // namespace holdfast::workflow
