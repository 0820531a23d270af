#pragma once

#include <span>
#include <string>
#include <string_view>

namespace holdfast {

/// Returns the option of a command that somebody probably meant who typed one that it does not have: another word for the same
/// thing (--nodes, --ckpt, --walltime, -n), the start of its name, or a slip of the fingers. Empty if nothing is near.
/// @param names  those that the command has, without dashes
/// @param typed  with its dashes, without a value
[[nodiscard]] std::string meant_option(std::span<const std::string> names, std::string_view typed);

}  // namespace holdfast
