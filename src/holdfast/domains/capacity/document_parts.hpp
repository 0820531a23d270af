#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <string>
#include <string_view>

/// Functions for documents of this domain that several readers share.
namespace holdfast::capacity {

/// Reads a field in whole seconds; a fraction is refused.
std::int64_t read_time(ObjectReader& read, std::string_view name, std::int64_t fallback,
                       const Range& range = {});
/// Reads a job. Without an id of its own, its id is `index`.
[[nodiscard]] Result<Job> read_job(const Value& value, const std::string& where, std::size_t index);
/// Reads `[time, machines]`.
[[nodiscard]] Result<Step> read_step(const Value& value, const std::string& where);
/// Reads profile, cores and distance.
void read_rules(ObjectReader& read, Instance& instance);
/// Reads `notice` and `checkpoint`.
void read_notice(ObjectReader& read, Instance& instance);
/// Reads the list `reference` of lengths and cores, if there is one.
void read_reference_list(ObjectReader& read, Instance& instance);
/// Reads `window`, if there is one: [begin, end) in seconds.
void read_window(ObjectReader& read, std::int64_t& begin, std::int64_t& end);
/// Reads M+ and M-. By default they are the largest and smallest number of machines alive.
void read_machines(ObjectReader& read, Instance& instance);

}  // namespace holdfast::capacity
