#pragma once

#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/sample.hpp"
#include "holdfast/reproduction/verdict.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace holdfast::reproduction {

/// How many of those that are judged hold.
struct Share {
  std::size_t held = 0;
  std::size_t judged = 0;

  /// Counts a verdict; one without a tolerance is not judged.
  void add(Verdict verdict);
  Share& operator+=(const Share& other);
};

/// What came out of one item.
struct ItemSummary {
  Share published;        ///< numbers with a tolerance around the published one
  Share reference;        ///< numbers with a tolerance around the reference implementation's
  Share statements;       ///< orders, which figures are judged by
  std::size_t known = 0;  ///< numbers and statements out, as the item says they would be
  std::vector<std::string> reasons;  ///< why, each once; only of what did not hold now

  ItemSummary& operator+=(const ItemSummary& other);
};

/// @pre one measure per row of the item
[[nodiscard]] ItemSummary summarise(const Item& item, std::span<const Measured> measured,
                                    double scale);

}  // namespace holdfast::reproduction
