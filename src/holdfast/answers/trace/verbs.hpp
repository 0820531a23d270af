#pragma once

#include "holdfast/contract/verb.hpp"

#include <span>

namespace holdfast {

/// Returns the verbs of `holdfast trace`: info, convert, slice and fit. They read a file from the real world and may write one.
[[nodiscard]] std::span<const Verb> trace_verbs();

}  // namespace holdfast
