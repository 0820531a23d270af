#pragma once

#include "holdfast/domains/volatile/generator.hpp"
#include "holdfast/domains/volatile/live_state.hpp"

#include <cstdint>
#include <string>

namespace holdfast::volatile_workers {

/// Returns one line for people that names the problem: "10 iterations of 5 tasks on 20 random workers (seed 1), which receive
/// data 2 at a time".
[[nodiscard]] std::string headline(const GeneratorParameters& parameters, std::uint64_t seed);
[[nodiscard]] std::string headline(const Instance& instance);
/// Returns "an iteration of 4 tasks, 14 slots old, on 6 workers, 4 of them up".
[[nodiscard]] std::string headline(const LiveState& state);

}  // namespace holdfast::volatile_workers
