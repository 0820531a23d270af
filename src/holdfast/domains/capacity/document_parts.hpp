#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Functions for documents of this domain that several readers share.
namespace holdfast::capacity {

/// Reads a field in whole seconds; a fraction is refused.
std::int64_t read_time(ObjectReader& read, std::string_view name, std::int64_t fallback,
                       const Range& range = {});
/// Reads a name, or a list of names.
[[nodiscard]] std::vector<std::string> read_names(ObjectReader& read, std::string_view name);
/// Reads the fields of a job, beside which the object may have others.
[[nodiscard]] Result<Job> read_job_fields(ObjectReader& read, std::size_t index);
/// Reads a job. Without an id of its own, its id is `index`.
[[nodiscard]] Result<Job> read_job(const Value& value, const std::string& where, std::size_t index);
/// Reads `[time, machines]`.
[[nodiscard]] Result<Step> read_step(const Value& value, const std::string& where);
/// Reads `[[time, rate per machine-hour], ...]`.
[[nodiscard]] Result<std::vector<Rate>> read_rates(const Value::Array& rows,
                                                   const std::string& where);
/// Reads profile, cores and distance.
void read_rules(ObjectReader& read, Instance& instance);
/// Reads `machine_sizes`, if there is one: "80x24,40x8" or [{"machines": 80, "cores": 24}, ...], safest first. The instance gets
/// these machines. Returns their number, with which `machines` and `cores` of the document have to agree.
std::optional<std::int64_t> read_sizes(ObjectReader& read, Instance& instance);
/// Writes it, where machines differ in size.
void write_sizes(const Instance& instance, Value& document);
/// Reads `price`, `carbon` and `objective` of a live state.
void read_tariffs(ObjectReader& read, Instance& instance);
/// Writes them, where they are given.
void write_tariffs(const Instance& instance, Value& document);
/// Reads `notice`, `notice_recall`, `notice_precision`, `requeue_delay`, `boot`, `shutdown` and `checkpoint`.
void read_notice(ObjectReader& read, Instance& instance);
/// Reads the list `reference` of lengths and cores, if there is one.
void read_reference_list(ObjectReader& read, Instance& instance);
/// Write such lists.
[[nodiscard]] Value reference_value(std::span<const ReferenceJob> reference);
[[nodiscard]] Value steps_value(std::span<const Step> steps);
[[nodiscard]] Value rates_value(std::span<const Rate> rates);
/// Reads `window`, if there is one: [begin, end) in seconds.
void read_window(ObjectReader& read, std::int64_t& begin, std::int64_t& end);
/// Reads M+ and M-. By default they are the largest and smallest number of machines alive.
void read_machines(ObjectReader& read, Instance& instance);

}  // namespace holdfast::capacity
