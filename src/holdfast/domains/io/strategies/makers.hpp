#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/io/dedicated.hpp"
#include "holdfast/domains/io/strategy.hpp"

#include <memory>

namespace holdfast::io {

/// The input from which a strategy is made: the reading of the source, and the load (for the default period).
struct Setting {
  const Instance& instance;
  const StrategySpec& spec;
  const Load& load;
};
using Maker = std::unique_ptr<Strategy> (*)(const Setting&);

}  // namespace holdfast::io
