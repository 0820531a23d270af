#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/domain.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The strategies and the baseline that a user asks for, with defaults for what was not given.
namespace holdfast {

/// Returns the strategies that `simulate` runs on this document if none is named, as a text to be parsed.
[[nodiscard]] std::string default_strategies(const Domain& domain, const Value& document);

/// Returns the strategy with which the others are compared: the domain's baseline if it runs, otherwise the last one named.
/// None if there is only one strategy.
[[nodiscard]] std::optional<std::size_t> baseline_of(const Domain& domain,
                                                     std::span<const StrategySpec> strategies);

/// Returns the strategies of a list, with parameters that hold for all of them. A parameter that none of them has is refused.
/// @param text    the list, as on the command line
/// @param shared  the common parameters, by name
/// @param rules   the rules of the program, which "custom:NAME" can name
[[nodiscard]] Result<std::vector<StrategySpec>> ask_strategies(const Domain& domain,
                                                               std::string_view text,
                                                               const Value& shared,
                                                               std::span<const OwnRule> rules = {});
/// Returns one strategy, for verbs that accept only one. An empty text means the usual one for the document.
[[nodiscard]] Result<StrategySpec> ask_strategy(const Domain& domain, std::string_view text,
                                                const Value& document, const Value& shared,
                                                std::span<const OwnRule> rules = {});

}  // namespace holdfast
