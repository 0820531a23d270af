#pragma once

#include "holdfast/domains/io/generator.hpp"
#include "holdfast/domains/io/live_state.hpp"
#include "holdfast/domains/io/workload.hpp"

#include <cstdint>
#include <string>

namespace holdfast::io {

/// Returns one line for people that says which problem this is: "60 random applications (seed 1) that ask for 80 % of the
/// bandwidth".
[[nodiscard]] std::string headline(const GeneratorParameters& parameters, std::uint64_t seed);
[[nodiscard]] std::string headline(const WorkloadParameters& parameters, std::uint64_t seed);
[[nodiscard]] std::string headline(const Instance& instance);
[[nodiscard]] std::string headline(const LiveState& state);

}  // namespace holdfast::io
