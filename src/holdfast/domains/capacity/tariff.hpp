#pragma once

#include "holdfast/domains/capacity/cluster_state.hpp"

#include <cstdint>
#include <span>

/// What machine-hours cost, in money or in grams of carbon dioxide. Rates are steps in increasing order of time; the first one
/// also holds before its time.
namespace holdfast::capacity {

/// Returns the rate at that time, per machine-hour. @pre there is a rate
[[nodiscard]] double rate_at(std::span<const Rate> rates, std::int64_t time);
/// Returns what one machine costs from `begin` to `end`. @pre there is a rate
[[nodiscard]] double cost_of(std::span<const Rate> rates, std::int64_t begin, std::int64_t end);
/// Returns the rate that is not exceeded during half of the window. @pre there is a rate
[[nodiscard]] double median_rate(std::span<const Rate> rates, const Instance& instance);

/// Returns what a schedule costs: a machine is busy while a job runs on it, and idle at every other time at which it is
/// powered, booting and shutting down included.
///
/// The bound is a fractional greedy: the cheapest machine-hours of the window that hold the same useful work, and every
/// machine-hour that pays instead of costing. A busy machine-hour holds at most `cores` useful core-hours, so no schedule with
/// that goodput has cheaper busy ones.
/// @param useful  core-seconds of the schedule that were not lost
[[nodiscard]] Bill bill_of(const Instance& instance, std::span<const Rate> rates,
                           std::span<const Execution> log, std::int64_t useful);

}  // namespace holdfast::capacity
