#include "holdfast/domains/io/document_parts.hpp"

#include "holdfast/base/name_index.hpp"
#include "holdfast/domains/io/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace holdfast::io {

Result<double> read_amount(const Value& value, const std::string& where, Unit unit, Range range) {
  if (const std::string* text = value.string()) {
    if (const auto plain = parse_quantity(*text, Unit::none)) {
      return read_quantity(Value(*plain), where, unit, range);
    }
  }
  return read_quantity(value, where, unit, range);
}

Result<std::vector<double>> read_amounts(const Value& value, const std::string& where, Unit unit) {
  const Value::Array* items = value.array_items();
  if (items == nullptr) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("found {}, expected an array", value.described()));
  }
  std::vector<double> out;
  for (std::size_t i = 0; i < items->size(); ++i) {
    HOLDFAST_TRY(one, read_amount((*items)[i], pointer_to(where, i), unit));
    out.push_back(one);
  }
  return out;
}

double amount(ObjectReader& read, std::string_view name, Unit unit, std::optional<double> fallback,
              Range range) {
  double out = fallback.value_or(0);
  const auto take = [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(found, read_amount(value, where, unit, range));
    out = found;
    return {};
  };
  fallback ? read.with(name, take) : read.required(name, take);
  return out;
}

void read_platform(ObjectReader& read, const Instance& instance, double node_bandwidth,
                   Application& out) {
  out.id = read.text_or("id", std::to_string(instance.applications.size()));
  out.nodes = read.number_or("nodes", 1);
  out.bandwidth = node_bandwidth > 0 && !read.has("bandwidth")
                      ? std::min(out.nodes * node_bandwidth, instance.bandwidth)
                      : amount(read, "bandwidth", Unit::bytes_per_second, instance.bandwidth);
  out.release = amount(read, "release", Unit::seconds, instance.begin);
  out.progress = amount(read, "progress", Unit::seconds, 0);
}

double read_system(ObjectReader& read, Instance& instance) {
  for (const std::string_view name : {"reference", "bound"}) read.ignore(name);
  instance.reading = read_reading(read);
  instance.bandwidth = amount(read, "bandwidth", Unit::bytes_per_second, std::nullopt, positive());
  read.required("window", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(window, read_amounts(value, where, Unit::seconds));
    if (window.size() != 2) {
      return fail(ErrorCode::bad_value, where,
                  fmt::format("found {} numbers, expected the begin and the end", window.size()));
    }
    instance.begin = window[0];
    instance.end = window[1];
    return {};
  });
  return amount(read, "node_bandwidth", Unit::bytes_per_second, 0, positive());
}

Status check_ids(const Instance& instance) {
  const auto& applications = instance.applications;
  const NameIndex ids(applications.size(),
                      [&](std::size_t i) -> std::string_view { return applications[i].id; });
  return ids.check_different("/applications");
}

}  // namespace holdfast::io
