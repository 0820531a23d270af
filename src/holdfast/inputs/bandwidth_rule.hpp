#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"
#include "holdfast/contract/strategy_spec.hpp"

#include <memory>
#include <span>

namespace holdfast {

/// A function that returns a number for a rule, taken from an operation; a flag is 0 or 1.
using OfPending = double (*)(const bandwidth::Pending& request);

// The numbers that are given once per decision, and those asked for. They are the same wherever operations share a file system.
inline constexpr DecisionField kToldNow = {
    .name = "now", .summary = "date of the decision", .unit = Unit::seconds, .per_item = false};
inline constexpr DecisionField kToldBandwidth = {.name = "bandwidth_total",
                                                 .summary = "bandwidth of the file system",
                                                 .unit = Unit::bytes_per_second,
                                                 .per_item = false};
inline constexpr DecisionField kToldLeft = {.name = "left",
                                            .summary = "time until the window ends",
                                            .unit = Unit::seconds,
                                            .per_item = false};
inline constexpr DecisionField kAskedRates = {
    .name = "rates",
    .summary =
        "rates until the next event: each at most its bandwidth, together at most bandwidth_total",
    .unit = Unit::bytes_per_second};

/// Returns the strategy for a caller's rule that shares bandwidth (bandwidth::Strategy and DecidesByRule). The rule may leave
/// bandwidth unused; handing out more than there is ends the run.
/// @param table  told: one field for each of `per_item`, then kToldNow, kToldBandwidth, kToldLeft; asked: kAskedRates
/// @param per_item  functions in the order of the table; both outlive the strategy
[[nodiscard]] std::unique_ptr<bandwidth::Strategy> make_bandwidth_rule(
    const StrategySpec& spec, const DecisionTable& table, std::span<const OfPending> per_item);

}  // namespace holdfast
