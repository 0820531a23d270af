#pragma once

#include "holdfast/contract/draw.hpp"
#include "holdfast/domains/machine/instance.hpp"

namespace holdfast::machine {

/// Returns the instance with a list of its jobs; if jobs are drawn, with the first `count` of them. If failures are wanted,
/// they are drawn up to the horizon. @pre there is a horizon if failures are wanted
[[nodiscard]] Instance generate(const Instance& instance, const Draw& draw, std::int64_t count,
                                bool fixes_failures);

}  // namespace holdfast::machine
