#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/domains/capacity/instance.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// The parts that documents of this domain share.
namespace holdfast::capacity {

inline constexpr auto kProfiles = std::to_array<std::string_view>({"default", "author"});
/// How a series becomes a number of machines.
inline constexpr auto kRules = std::to_array<std::string_view>({"count", "share", "inverse"});

/// The last second, 3e7 years: so far times and lengths are whole as a double, and add up in 64 bits.
inline constexpr double kLatest = 1e15;
/// Machines, and seconds between two changes, that a run can hold and add up.
inline constexpr Range kMachines{.minimum = 1, .maximum = kMostMachines};
inline constexpr Range kPeriod{.minimum = 1, .maximum = kLatest};

/// Whole seconds under a name; a fraction is refused.
std::int64_t read_time(ObjectReader& read, std::string_view name, std::int64_t fallback,
                       const Range& range = {});
[[nodiscard]] Result<Job> read_job(const Value& value, const std::string& where, std::size_t index);
/// `[time, machines]`
[[nodiscard]] Result<Step> read_step(const Value& value, const std::string& where);
/// Profile and distance.
void read_rules(ObjectReader& read, Instance& instance);
/// The list `reference` of lengths and cores, where there is one.
void read_reference_list(ObjectReader& read, Instance& instance);
/// `window`, where there is one: [begin, end).
void read_window(ObjectReader& read, std::int64_t& begin, std::int64_t& end);
/// M+ and M-: by default the largest and smallest number alive.
void read_machines(ObjectReader& read, Instance& instance);

}  // namespace holdfast::capacity
