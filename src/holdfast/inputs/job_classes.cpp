#include "holdfast/inputs/job_classes.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/traces/text/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast {
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

// A row as a listed class.
Value object_of(const TableRows& rows, std::span<const ClassColumn> columns) {
  Value object = Value::object();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string_view text = rows.raw(i);
    if (text.empty()) continue;
    object.set(columns[i].member, fmt::format("{}{}", text, columns[i].unit));
  }
  return object;
}

// An error in a member of a row, at the line and the column. If the member has no column, the message names it.
Error at_column(Error error, const TableRows& rows, std::span<const ClassColumn> columns) {
  const std::string member = error.where.substr(1);
  const auto column = std::ranges::find(columns, member, &ClassColumn::member);
  if (column == columns.end()) {
    error.message = fmt::format("{}: {}", member, error.message);
    error.where = rows.place();
  } else {
    error.where = rows.place_of(static_cast<std::size_t>(column - columns.begin()));
  }
  return error;
}

// Reads the classes of one question; their names differ.
class Classes {
 public:
  explicit Classes(const ReadJobClass& read) : read_{read} {}

  Status add(const Value& value, std::string where) {
    ObjectReader members(value, std::move(where));
    std::string name = members.text("name");
    if (members.ok() && !names_.insert(name).second) {
      members.refuse("name", fmt::format("found a second class {}, expected names that differ",
                                         in_quotes(name)));
    }
    read_(std::move(name), members);
    return members.finish();
  }
  Status add_file(const std::filesystem::path& path) {
    HOLDFAST_TRY(source, open_input(path));
    HOLDFAST_TRY(rows, TableRows::open_any(LineReader(std::move(source), path.string())));
    HOLDFAST_TRY(columns, columns_of(rows));
    return rows.each([&]() -> Status {
      const Status added = add(object_of(rows, columns), "");
      if (!added) return fail(at_column(added.error(), rows, columns));
      return {};
    });
  }
  [[nodiscard]] bool is_empty() const { return names_.empty(); }

 private:
  const ReadJobClass& read_;
  std::set<std::string> names_;
};

}  // namespace

Status each_job_class(const Value& value, std::string_view where,
                      const std::filesystem::path& directory, const ReadJobClass& read) {
  Classes classes(read);
  if (const std::string* path = value.string()) {
    const Status found = classes.add_file((directory / *path).lexically_normal());
    if (!found) return fail(of_field(std::string(where), found.error()));
  } else if (const Value::Array* items = value.array_items()) {
    for (std::size_t i = 0; i < items->size(); ++i) {
      HOLDFAST_CHECK(classes.add((*items)[i], pointer_to(where, i)));
    }
  } else {
    return fail(ErrorCode::bad_value, std::string(where),
                fmt::format("found {}, expected the path of a file or a list of classes",
                            value.described()));
  }
  if (!classes.is_empty()) return {};
  return fail(ErrorCode::bad_value, std::string(where), "found no class, expected at least one");
}

}  // namespace holdfast
