#pragma once

#include "holdfast/campaign/description.hpp"
#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/measure.hpp"
#include "holdfast/reproduction/sample.hpp"

#include <span>

/// Measuring from as many draws as the verdicts need. A verdict is settled when the missing draws could change it in one of 100 000
/// cases at most; numbers that are not settled get four times as many draws, and at last all of them. Which draws are measured depends
/// on the item alone, so that neither threads nor other items change a number.
namespace holdfast::reproduction {

/// Returns the draws of the first look: few, and all of them for numbers that depend on how many there are.
[[nodiscard]] Draws first_draws(const Item& item, const Description& campaign);

/// Gives more draws to those rows whose verdicts are not settled. @returns true if there are any
[[nodiscard]] bool add_draws(const Item& item, std::span<const Measured> measured, Draws& draws);

}  // namespace holdfast::reproduction
