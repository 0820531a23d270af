#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/sample.hpp"

#include <span>
#include <vector>

namespace holdfast::reproduction {

/// Measures every row of an item that belongs to a campaign; rows with commands stay empty. It reads the results once. A
/// strategy, metric, parameter or value that the campaign does not have is an error at the row.
/// @param known  domains, used to read strategies as users write them (`fixed:1h`)
[[nodiscard]] Result<std::vector<Measured>> measure(
    const Item& item, const Results& results, std::span<const Domain* const> known = domains());

}  // namespace holdfast::reproduction
