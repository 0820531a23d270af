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

/// What is meant where a question leaves something open.
namespace holdfast {

/// Returns the strategies that `simulate` runs on this document where none is named, as a list to be parsed.
[[nodiscard]] std::string default_strategies(const Domain& domain, const Value& document);

/// Returns which of several strategies the others are compared with: the domain's usual baseline where it runs, else the last one
/// named; none of a single one.
[[nodiscard]] std::optional<std::size_t> baseline_of(const Domain& domain,
                                                     std::span<const StrategySpec> strategies);

/// Returns the strategies of a list, with parameters that hold for all of them; one that none of them has is refused.
/// @param text    as on the command line
/// @param shared  those parameters, by name
/// @param rules   that the program brings: what "custom:NAME" may name
[[nodiscard]] Result<std::vector<StrategySpec>> ask_strategies(const Domain& domain,
                                                               std::string_view text,
                                                               const Value& shared,
                                                               std::span<const OwnRule> rules = {});
/// Returns the same where only one may be named. An empty text is the recommended one.
[[nodiscard]] Result<StrategySpec> ask_strategy(const Domain& domain, std::string_view text,
                                                const Value& shared,
                                                std::span<const OwnRule> rules = {});

}  // namespace holdfast
