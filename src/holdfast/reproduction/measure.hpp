#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/sample.hpp"

#include <span>
#include <vector>

namespace holdfast::reproduction {

/// Measures every row of an item that is about a campaign; rows that are commands stay empty. One pass over the
/// results. A strategy, metric, parameter or value that the campaign does not have is an error at the row.
/// @param known  domains, to read strategies as users write them (`fixed:1h`)
[[nodiscard]] Result<std::vector<Measured>> measure(
    const Item& item, const Results& results, std::span<const Domain* const> known = domains());

}  // namespace holdfast::reproduction
