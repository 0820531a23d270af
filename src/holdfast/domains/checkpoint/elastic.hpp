#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"

namespace holdfast::checkpoint {

/// Reads how fast a job is on fewer nodes: "linear", [[nodes, speed], ...], or "16:0.5,32:1", as it is typed.
[[nodiscard]] Status read_speed(const Value& value, const std::string& where, SparePlatform& out);

/// Checks the rules of a job that goes on with fewer nodes. Errors name the field as a JSON pointer.
[[nodiscard]] Status check_elastic(const Instance& instance);

}  // namespace holdfast::checkpoint
