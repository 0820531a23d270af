#pragma once

#include "holdfast/domains/capacity/instance_io.hpp"
#include "holdfast/domains/capacity/live_state.hpp"
#include "holdfast/domains/capacity/load.hpp"

#include <cstdint>
#include <string>

namespace holdfast::capacity {

/// Returns one line for people that says which problem this is: "20 000 uniform jobs (seed 1), 13 334 of them in the window of
/// 14 d, on 16 to 32 machines of 24 cores: load 108 %".
/// @param instance  a drawn instance, or the fixed one
[[nodiscard]] std::string headline(const Problem& problem, const Instance& instance,
                                   const WindowLoad& load, std::uint64_t seed);

/// Returns "a job of 8 cores and 1 h 30 min, 6 of 8 machines of 24 cores alive, 3 jobs running".
[[nodiscard]] std::string headline(const LiveState& state);

}  // namespace holdfast::capacity
