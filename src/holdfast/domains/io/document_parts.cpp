#include "holdfast/domains/io/document_parts.hpp"

#include "holdfast/domains/io/reading_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace holdfast::io {

Result<double> read_amount(const Value& value, const std::string& where, Unit unit) {
  if (const std::string* text = value.string()) {
    if (const auto plain = parse_quantity(*text, Unit::none)) return *plain;
  }
  return read_quantity(value, where, unit);
}

double amount(ObjectReader& read, std::string_view name, Unit unit,
              std::optional<double> fallback) {
  double out = fallback.value_or(0);
  const auto take = [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(found, read_amount(value, where, unit));
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
  for (const std::string_view name : {"holdfast", "reference", "bound"}) read.ignore(name);
  instance.reading = read_reading(read);
  instance.bandwidth = amount(read, "bandwidth", Unit::bytes_per_second);
  std::vector<double> window;
  read.each("window", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(date, read_amount(value, where, Unit::seconds));
    window.push_back(date);
    return {};
  });
  if (read.ok() && window.size() != 2) {
    read.refuse("window",
                fmt::format("found {} numbers, expected the begin and the end", window.size()));
  }
  if (window.size() == 2) {
    instance.begin = window[0];
    instance.end = window[1];
  }
  return amount(read, "node_bandwidth", Unit::bytes_per_second, 0);
}

}  // namespace holdfast::io
