#pragma once

#include "holdfast/contract/draw.hpp"
#include "holdfast/domains/machine/instance.hpp"

namespace holdfast::machine {

/// The instance with a list of its jobs: where they are drawn, the first `count` of them. With its failures drawn up to
/// the horizon, where that is wanted. @pre a horizon, where failures are wanted
[[nodiscard]] Instance generate(const Instance& instance, const Draw& draw, std::int64_t count,
                                bool fixes_failures);

}  // namespace holdfast::machine
