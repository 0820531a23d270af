#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/io/dedicated.hpp"
#include "holdfast/domains/io/strategy.hpp"

#include <memory>

namespace holdfast::io {

/// What a strategy is made from: the instance with its reading of the source, the specification, and the load, from which the
/// default period follows.
struct Setting {
  const Instance& instance;
  const StrategySpec& spec;
  const Load& load;
};
/// A function that makes a strategy.
using Maker = std::unique_ptr<Strategy> (*)(const Setting&);

}  // namespace holdfast::io
