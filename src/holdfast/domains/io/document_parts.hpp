#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/domains/io/instance.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The parts that instances and live states share.
namespace holdfast::io {

/// Refuses two applications of one id.
[[nodiscard]] Status check_ids(const Instance& instance);
/// Returns a quantity with its unit, or a plain number, which in this domain may be a fraction: "1/5".
[[nodiscard]] Result<double> read_amount(const Value& value, const std::string& where, Unit unit,
                                         Range range = {});
/// Returns a list of them.
[[nodiscard]] Result<std::vector<double>> read_amounts(const Value& value, const std::string& where,
                                                       Unit unit);
/// One under a name. @param fallback  if there is none; without it, that is an error
double amount(ObjectReader& read, std::string_view name, Unit unit,
              std::optional<double> fallback = std::nullopt, Range range = {});

/// Bandwidth, window and readings. @returns the bandwidth of a node, 0 if it is not said
double read_system(ObjectReader& read, Instance& instance);
/// Reads all of an application but what it does.
void read_platform(ObjectReader& read, const Instance& instance, double node_bandwidth,
                   Application& out);

}  // namespace holdfast::io
