#pragma once

#include "holdfast/domains/taskgraph/generator.hpp"

#include <cstdint>
#include <string>

namespace holdfast::taskgraph {

/// Returns one line for people that says which problem this is: "2500 random tasks (mix model, seed 1) on 512 processors, no
/// silent errors".
[[nodiscard]] std::string headline(const GeneratorParameters& parameters, std::uint64_t seed);
[[nodiscard]] std::string headline(const Instance& instance);

}  // namespace holdfast::taskgraph
