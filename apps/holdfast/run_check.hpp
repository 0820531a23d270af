#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/simulate.hpp"
#include "holdfast/contract/domain.hpp"

#include <cstdint>

namespace holdfast::cli {

/// Runs every scenario again, one after the other, and has each checked by the domain's validator. A run that does
/// not obey the model is an error; so is a domain that offers no such check (usage).
/// @param scenarios  how many were run
[[nodiscard]] Status check_runs(const Domain& domain, const SimulateRequest& request,
                                std::uint64_t scenarios);

}  // namespace holdfast::cli
