#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/description.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/sample.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::reproduction {

/// Says how many draws each number is measured from: the first scenarios of each instance, or the first instances where each has one
/// scenario.
struct Draws {
  std::uint64_t all = 0;                 ///< of the campaign
  std::vector<std::uint64_t> rows = {};  ///< of each row; empty: all for every row

  [[nodiscard]] std::uint64_t of(std::size_t row) const { return rows.empty() ? all : rows[row]; }
};

/// Returns all draws of a campaign for every row.
[[nodiscard]] Draws all_draws(const Description& campaign);

/// Returns how many draws of each strategy the rows need at each position of the design: position * strategies + strategy.
[[nodiscard]] Result<std::vector<std::uint64_t>> needed_draws(
    const Item& item, const Description& campaign, const Draws& draws,
    std::span<const Domain* const> known = domains());

/// Measures every row of an item that belongs to a campaign; rows with commands stay empty. It reads the results once. A
/// strategy, metric, parameter or value that the campaign does not have is an error at the row.
/// @param known  domains, used to read strategies as users write them (`fixed:1h`)
[[nodiscard]] Result<std::vector<Measured>> measure(
    const Item& item, const Results& results, const Draws& draws,
    std::span<const Domain* const> known = domains());

}  // namespace holdfast::reproduction
