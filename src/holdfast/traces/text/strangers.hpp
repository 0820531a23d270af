#pragma once

#include <string_view>

namespace holdfast {

/// Returns what a text is that no reader takes, and what to do instead: "Slurm's queue (squeue), expected ...". Empty if it is
/// none of those that are known.
[[nodiscard]] std::string_view known_stranger(std::string_view head);

}  // namespace holdfast
