#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/traces/text/oddity.hpp"
#include "holdfast/traces/text/table_reading.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// The rows of a table of any form, one at a time and in constant memory, with values by field. Fields are numbers: their
/// places in TableKind::fields.
class TableRows {
 public:
  /// Opens a table, finds its columns if that has not been done, and refuses one that lacks what the kind needs. Errors name the
  /// file, or are placed at a field of TableQuestion.
  [[nodiscard]] static Result<TableRows> open(TraceText text, const TableKind& kind);

  /// Opens a table of one site, whose columns are the fields of its kind. @param columns  as TraceText::with(), or names alone
  [[nodiscard]] static Result<TableRows> open_site(TraceText text, const TableKind& kind,
                                                   std::string_view columns,
                                                   bool has_header = true);

  /// Opens a table with a header and any columns.
  [[nodiscard]] static Result<TableRows> open_any(LineReader lines);

  /// Reads the next row that is asked for; returns false at the end. A row with other cells than the header is an error.
  Result<bool> next();
  /// Calls take() for each row that is left.
  Status each(const std::function<Status()>& take);

  /// Returns true if the table has a column for the field.
  [[nodiscard]] bool has(std::size_t field) const { return of(field).column.has_value(); }
  /// Returns the text of a field, trimmed and valid until next(), even if it says that there is no value; empty if there is no
  /// column.
  [[nodiscard]] std::string_view text(std::size_t field) const;
  /// Returns the value of a field in its unit; nothing if there is no column or no value.
  Result<std::optional<double>> value(std::size_t field) const;
  /// Returns the time of a field; nothing if there is no column or no value. It is an error if the table has both dates and
  /// numbers of seconds.
  Result<std::optional<Instant>> time(std::size_t field);
  /// Returns the time of a field, which must be there.
  Result<double> known_time(std::size_t field);
  /// Returns any cell of the row, trimmed; empty if it says that there is no value.
  [[nodiscard]] std::string_view cell(std::size_t column) const;
  /// Returns the number in any cell; nothing if it says that there is no value.
  Result<std::optional<double>> number(std::size_t column) const;
  /// Returns the length of time in any cell, in seconds; a number is in the unit that the column's name states.
  Result<std::optional<double>> duration(std::size_t column) const;

  [[nodiscard]] const TableReading& reading() const { return *reading_; }
  /// Returns the values of a note "# key: value" before the table, in order.
  [[nodiscard]] std::span<const std::string> comments() const { return reading_->table.comments; }
  /// Returns true if the times of the rows so far are dates.
  [[nodiscard]] bool is_dated() const { return is_dated_.value_or(false); }
  /// Returns the smallest part of a date that was written so far, in seconds; 0 for numbers.
  [[nodiscard]] double resolution() const { return is_dated() ? resolution_ : 0; }
  /// Checks a time that is not in the rows, as time() does.
  Status take_time(const Instant& instant, std::string_view place);

  /// Returns the text of any cell, trimmed.
  [[nodiscard]] std::string_view raw(std::size_t column) const;
  /// Returns the names of the columns.
  [[nodiscard]] std::span<const std::string> names() const { return reading_->table.names; }
  /// Returns the place of a cell for an error.
  [[nodiscard]] std::string place_of(std::size_t column) const;
  /// Returns the whole line of the row, and the place of the row, or of one of its fields, for an error.
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] std::string place() const;
  [[nodiscard]] std::string place(std::size_t field) const;
  /// Adds what was unusual about the table, and how it was read.
  void tell(Oddities& out) const;

 private:
  TableRows(LineReader lines, std::shared_ptr<const TableReading> reading)
      : lines_{std::move(lines)}, reading_{std::move(reading)} {}

  [[nodiscard]] const FieldReading& of(std::size_t field) const { return reading_->fields[field]; }
  Result<bool> next_line();
  Status split_line();
  [[nodiscard]] bool is_wanted() const;
  [[nodiscard]] bool is_of_totals() const;
  [[nodiscard]] bool is_of_form(std::size_t column) const;
  Status add_clock(std::size_t field, Instant& date) const;
  Result<std::optional<double>> refuse(std::size_t column, std::string_view expected) const;

  LineReader lines_;
  std::shared_ptr<const TableReading> reading_;
  std::unique_ptr<std::string> document_;  ///< all of a JSON file
  std::optional<JsonRows> objects_;
  std::size_t object_ = 0;
  std::string_view line_;
  std::string joined_;  ///< a row whose quotes go over several lines, or of another encoding
  std::vector<std::string_view> cells_;
  std::string storage_;
  std::optional<bool> is_dated_;
  double resolution_ = 86400;
  std::int64_t headers_ = 0, unwanted_ = 0, recoded_ = 0, totals_ = 0, empty_ = 0;
};

}  // namespace holdfast
