#pragma once

#include "holdfast/base/reader.hpp"
#include "holdfast/domains/io/instance.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Functions for documents that instances and live states share.
namespace holdfast::io {

/// Refuses two applications with the same id.
[[nodiscard]] Status check_ids(const Instance& instance);
/// Returns a quantity with its unit, or a plain number. In this domain a number may be a fraction: "1/5".
[[nodiscard]] Result<double> read_amount(const Value& value, const std::string& where, Unit unit,
                                         Range range = {});
/// Returns a list of such quantities.
[[nodiscard]] Result<std::vector<double>> read_amounts(const Value& value, const std::string& where,
                                                       Unit unit);
/// Reads the quantity with that name. @param fallback  value if it is missing; without a fallback that is an error
double amount(ObjectReader& read, std::string_view name, Unit unit,
              std::optional<double> fallback = std::nullopt, Range range = {});

/// Reads bandwidth, window and readings. @returns the bandwidth of a node, or 0 if it is not given
double read_system(ObjectReader& read, Instance& instance);
/// Reads everything about an application except its phases.
void read_platform(ObjectReader& read, const Instance& instance, double node_bandwidth,
                   Application& out);

}  // namespace holdfast::io
