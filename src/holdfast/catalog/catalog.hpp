#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/domain.hpp"

#include <span>
#include <string_view>

namespace holdfast {

/// Returns every domain of the project, in the order in which help texts list them.
[[nodiscard]] std::span<const Domain* const> domains();

/// Returns the domain with that name among those given. The error (unknown_name, without place) ends with "did you mean ...?".
[[nodiscard]] Result<const Domain*> find_domain(std::string_view name,
                                                std::span<const Domain* const> known = domains());

}  // namespace holdfast
