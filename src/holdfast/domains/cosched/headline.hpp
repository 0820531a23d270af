#pragma once

#include "holdfast/domains/cosched/generator.hpp"

#include <cstdint>
#include <string>

namespace holdfast::cosched {

/// Returns one line for people that says which problem this is: "100 random applications (seed 1) on 1000 processors, MTBF 100
/// y of each (36 d 12 h together)".
[[nodiscard]] std::string headline(const GeneratorParameters& parameters, std::uint64_t seed);
[[nodiscard]] std::string headline(const Instance& instance);

}  // namespace holdfast::cosched
