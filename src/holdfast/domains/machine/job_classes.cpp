#include "holdfast/domains/machine/job_classes.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/traces/text/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace holdfast::machine {
namespace {

/// A column of a file: the member of a listed class to which it corresponds, and the unit of numbers without a unit.
struct ClassColumn {
  std::string_view name;
  std::string_view member;
  std::string_view unit;
};
constexpr auto kClassColumns = std::to_array<ClassColumn>({
    {"name", "name", ""},
    {"nodes", "nodes", ""},
    {"cores", "cores", ""},
    {"walltime", "walltime", ""},
    {"walltime_h", "walltime", "h"},
    {"input", "input", ""},
    {"input_GB", "input", "GiB"},
    {"output", "output", ""},
    {"output_GB", "output", "GiB"},
    {"checkpoint", "checkpoint", ""},
    {"checkpoint_GB", "checkpoint", "GiB"},
    {"recovery", "recovery", ""},
    {"recovery_GB", "recovery", "GiB"},
    {"share", "share", ""},
    {"running", "running", ""},
});

Result<JobClass> read_class(const Value& value, const std::string& where, double cores_per_node) {
  ObjectReader read(value, where);
  JobClass out;
  out.name = read.text("name");
  if (read.has("cores")) {
    if (read.has("nodes")) {
      read.refuse("cores", "found both 'nodes' and 'cores', expected one of them");
    }
    constexpr double kMostCores = 1e15;
    const double cores =
        read.number("cores", {.minimum = 0, .maximum = kMostCores, .above_minimum = true});
    if (read.ok()) out.nodes = static_cast<std::int64_t>(std::ceil(cores / cores_per_node));
  } else {
    out.nodes = read.integer("nodes", at_least(1));
  }
  out.walltime = read.seconds_or("walltime", 0, positive());
  out.input = read.quantity_or("input", Unit::bytes, 0, non_negative());
  out.output = read.quantity_or("output", Unit::bytes, 0, non_negative());
  out.checkpoint = read.quantity("checkpoint", Unit::bytes, non_negative());
  out.recovery = read.optional_quantity("recovery", Unit::bytes, non_negative());
  out.share = read.number_or("share", 0, positive());
  out.running = read.optional_quantity("running", Unit::none, positive());
  HOLDFAST_CHECK(read.finish());
  return out;
}

// The columns of a file in the order of its header.
Result<std::vector<ClassColumn>> columns_of(const TableRows& rows) {
  std::vector<ClassColumn> out;
  for (const std::string& name : rows.names()) {
    const auto column = std::find_if(kClassColumns.begin(), kClassColumns.end(),
                                     [&name](const ClassColumn& one) { return one.name == name; });
    if (column == kClassColumns.end()) {
      std::vector<std::string_view> known;
      for (const ClassColumn& one : kClassColumns) known.push_back(one.name);
      return fail(ErrorCode::bad_format, rows.place(),
                  fmt::format("unknown column {}; {}", in_quotes(name), suggestion(name, known)));
    }
    const auto same = std::find_if(out.begin(), out.end(), [column](const ClassColumn& one) {
      return one.member == column->member;
    });
    if (same != out.end()) {
      return fail(ErrorCode::bad_format, rows.place(),
                  fmt::format("found both {} and {}, expected one of them", in_quotes(same->name),
                              in_quotes(name)));
    }
    out.push_back(*column);
  }
  return out;
}

// Reads a row as a listed class; an error names the line and the column.
Result<JobClass> read_row(const TableRows& rows, std::span<const ClassColumn> columns,
                          double cores_per_node) {
  Value object = Value::object();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string_view text = rows.raw(i);
    if (text.empty()) continue;
    object.set(columns[i].member, fmt::format("{}{}", text, columns[i].unit));
  }
  auto one = read_class(object, "", cores_per_node);
  if (one) return one;
  Error error = std::move(one).error();
  std::string place = rows.place();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (error.where == pointer_to("", columns[i].member)) place = rows.place_of(i);
  }
  // If the member has no column, the message names it.
  if (place == rows.place()) {
    error.message = fmt::format("{}: {}", std::string_view(error.where).substr(1), error.message);
  }
  return fail(error.code, std::move(place), std::move(error.message));
}

Result<std::vector<JobClass>> read_class_file(const std::filesystem::path& path,
                                              double cores_per_node) {
  HOLDFAST_TRY(source, open_input(path));
  HOLDFAST_TRY(rows, TableRows::open_any(LineReader(std::move(source), path.string())));
  HOLDFAST_TRY(columns, columns_of(rows));
  std::vector<JobClass> out;
  HOLDFAST_CHECK(rows.each([&]() -> Status {
    HOLDFAST_TRY(one, read_row(rows, columns, cores_per_node));
    out.push_back(std::move(one));
    return {};
  }));
  return out;
}

}  // namespace

Result<std::vector<JobClass>> read_job_classes(const Value& value, std::string_view where,
                                               const std::filesystem::path& directory,
                                               double cores_per_node) {
  std::vector<JobClass> out;
  if (const std::string* path = value.string()) {
    HOLDFAST_TRY(found, read_class_file((directory / *path).lexically_normal(), cores_per_node));
    out = std::move(found);
  } else if (const Value::Array* items = value.array_items()) {
    for (std::size_t i = 0; i < items->size(); ++i) {
      HOLDFAST_TRY(one, read_class((*items)[i], pointer_to(where, i), cores_per_node));
      out.push_back(std::move(one));
    }
  } else {
    return fail(ErrorCode::bad_value, std::string(where),
                fmt::format("found {}, expected the path of a file or a list of classes",
                            value.described()));
  }
  if (out.empty()) {
    return fail(ErrorCode::bad_value, std::string(where), "found no class, expected at least one");
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto same = std::find_if(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const JobClass& one) { return one.name == out[i].name; });
    if (same != out.begin() + static_cast<std::ptrdiff_t>(i)) {
      return fail(ErrorCode::bad_value, pointer_to(pointer_to(where, i), "name"),
                  fmt::format("found a second class {}, expected names that differ",
                              in_quotes(out[i].name)));
    }
  }
  return out;
}

Value classes_value(std::span<const JobClass> classes) {
  Value out = Value::array();
  for (const JobClass& one : classes) {
    Value object = Value::object({{"name", one.name}, {"nodes", one.nodes}});
    if (one.walltime > 0) object.set("walltime", one.walltime);
    object.set("input", one.input);
    object.set("output", one.output);
    object.set("checkpoint", one.checkpoint);
    if (one.recovery) object.set("recovery", *one.recovery);
    if (one.share > 0) object.set("share", one.share);
    if (one.running) object.set("running", *one.running);
    out.push(std::move(object));
  }
  return out;
}

}  // namespace holdfast::machine
