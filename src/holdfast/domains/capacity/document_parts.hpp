#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <string>
#include <string_view>

/// The parts that documents of this domain share.
namespace holdfast::capacity {

/// Whole seconds under a name; a fraction is refused.
std::int64_t read_time(ObjectReader& read, std::string_view name, std::int64_t fallback,
                       const Range& range = {});
[[nodiscard]] Result<Job> read_job(const Value& value, const std::string& where, std::size_t index);
/// `[time, machines]`
[[nodiscard]] Result<Step> read_step(const Value& value, const std::string& where);
/// Profile, cores and distance.
void read_rules(ObjectReader& read, Instance& instance);
/// `notice` and `checkpoint`.
void read_notice(ObjectReader& read, Instance& instance);
/// The list `reference` of lengths and cores, where there is one.
void read_reference_list(ObjectReader& read, Instance& instance);
/// `window`, if there is one: [begin, end).
void read_window(ObjectReader& read, std::int64_t& begin, std::int64_t& end);
/// M+ and M-: by default the largest and smallest number alive.
void read_machines(ObjectReader& read, Instance& instance);

}  // namespace holdfast::capacity
