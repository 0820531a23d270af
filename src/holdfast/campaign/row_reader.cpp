#include "holdfast/campaign/row_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace holdfast {
namespace {

using StoredKind = Statement::Kind;

/// Returns a value for messages. Texts and bytes are only described, because they may be long or harm a terminal.
std::string shown(const Statement& statement, int column) {
  switch (statement.kind(column)) {
    case StoredKind::nothing:
      return "nothing";
    case StoredKind::integer:
      return fmt::format("{}", statement.integer(column));
    case StoredKind::real:
      return fmt::format("{}", statement.real(column));
    case StoredKind::text:
      return "a text";
    case StoredKind::bytes:
      break;
  }
  return fmt::format("{} bytes", statement.text(column).size());
}

}  // namespace

std::uint64_t RowReader::count(int column, std::string_view name, std::uint64_t least,
                               std::uint64_t most) {
  const std::int64_t value = statement_.integer(column);
  const bool is_right = statement_.kind(column) == StoredKind::integer && value >= 0 &&
                        static_cast<std::uint64_t>(value) >= least &&
                        static_cast<std::uint64_t>(value) <= most;
  if (is_right) return static_cast<std::uint64_t>(value);
  const bool is_open = most == std::numeric_limits<std::int64_t>::max();
  refuse_value(column, name,
               is_open ? fmt::format("a whole number of at least {}", least)
                       : fmt::format("a whole number from {} to {}", least, most));
  return 0;
}

double RowReader::real(int column, std::string_view name) {
  const StoredKind kind = statement_.kind(column);
  const double value = statement_.real(column);
  const bool is_number =
      (kind == StoredKind::real || kind == StoredKind::integer) && std::isfinite(value);
  if (is_number || kind == StoredKind::nothing) return value;
  refuse_value(column, name, "a finite number or nothing");
  return std::numeric_limits<double>::quiet_NaN();
}

std::string_view RowReader::text(int column, std::string_view name) {
  const StoredKind kind = statement_.kind(column);
  if (kind == StoredKind::text || kind == StoredKind::bytes) return statement_.text(column);
  refuse_value(column, name, "a text");
  return {};
}

void RowReader::refuse(std::string what) {
  if (error_.empty()) error_ = std::move(what);
}

void RowReader::refuse_value(int column, std::string_view name, std::string_view expected) {
  refuse(fmt::format("found {} as {}, expected {}", shown(statement_, column), name, expected));
}

Status RowReader::status() const {
  if (ok()) return {};
  return damaged_row(file_, table_, row_, error_);
}

tl::unexpected<Error> damaged_row(const std::string& file, std::string_view table, std::int64_t row,
                                  std::string_view what) {
  const bool has_cells = table == "cells" || table == "blocks";
  const std::string remedy =
      has_cells
          ? fmt::format(
                "to compute {} again, remove the row (sqlite3 FILE 'DELETE FROM {} WHERE rowid = "
                "{}') and run the campaign again",
                table == "cells" ? "this cell" : "its cells", table, row)
          : "run the campaign again in another directory (--output), or in this one with --force";
  return fail(ErrorCode::bad_format, file,
              fmt::format("table {}, row {}: {}; {}", table, row, what, remedy));
}

}  // namespace holdfast
