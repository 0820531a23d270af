#pragma once

#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/io/dedicated.hpp"
#include "holdfast/domains/io/strategy.hpp"

#include <memory>

namespace holdfast::io {

/// What a strategy is made from: the reading of the source, and the load (for the default period).
struct Setting {
  const Instance& instance;
  const StrategySpec& spec;
  const Load& load;
};
using Maker = std::unique_ptr<Strategy> (*)(const Setting&);

std::unique_ptr<Strategy> make_fair_share(const Setting&);
std::unique_ptr<Strategy> make_fcfs(const Setting&);
std::unique_ptr<Strategy> make_greedy_yield(const Setting&);
std::unique_ptr<Strategy> make_greedy_com(const Setting&);
std::unique_ptr<Strategy> make_look_ahead(const Setting&);
std::unique_ptr<Strategy> make_periodic(const Setting&);
std::unique_ptr<Strategy> make_set10(const Setting&);
std::unique_ptr<Strategy> make_best_next_event(const Setting&);
std::unique_ptr<Strategy> make_as_given(const Setting&);

}  // namespace holdfast::io
