#pragma once

#include "holdfast/domains/moldable/generator.hpp"

#include <cstdint>
#include <string>

namespace holdfast::moldable {

/// Returns one line for people that says which problem this is: "500 random jobs (communication model, seed 1) on 7500
/// processors, a silent error every 115 d 18 h of work".
[[nodiscard]] std::string headline(const GeneratorParameters& parameters, std::uint64_t seed);
[[nodiscard]] std::string headline(const Instance& instance);

}  // namespace holdfast::moldable
