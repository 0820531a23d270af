#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// Splits one line at commas, or at another delimiter, into `fields`. A field may be in double quotes ("a ""b"", c"); its text is then kept in `storage`.
/// The views are valid as long as the line and the storage. Errors have no place.
[[nodiscard]] Status split_csv(std::string_view line, std::vector<std::string_view>& fields,
                               std::string& storage, char delimiter = ',');

/// Returns true if the first line that is neither blank nor a comment (#) is a header with all these columns.
[[nodiscard]] bool csv_header_has(std::string_view head, std::span<const std::string_view> columns);

/// Returns a text as a field of a CSV row (csv_cell). It is also quoted if our readers would otherwise treat it as a comment or
/// trim it.
[[nodiscard]] std::string csv_field(std::string_view text);

/// A reader of the rows of a CSV file with a header row, one at a time and in constant memory.
class CsvReader {
 public:
  struct Options {
    /// Skip lines that start with #; comments() keeps those before the header.
    bool comments = false;
  };

  /// Opens a file and reads it up to and including its header. A file without a header is an error.
  [[nodiscard]] static Result<CsvReader> open(LineReader lines, Options options);
  [[nodiscard]] static Result<CsvReader> open(LineReader lines) {
    return open(std::move(lines), {});
  }

  /// Returns the names of the columns.
  [[nodiscard]] std::span<const std::string> header() const { return header_; }
  /// Returns the comment lines before the header, without their #.
  [[nodiscard]] std::span<const std::string> comments() const { return comments_; }
  /// Returns the position of a column; nothing if the header does not contain it.
  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
  /// Returns the positions of these columns. The error lists the missing ones.
  [[nodiscard]] Result<std::vector<std::size_t>> columns(
      std::span<const std::string_view> names) const;

  /// Reads the next row that is not blank, and returns false at the end. It is an error if a row has more or fewer fields than
  /// the header.
  Result<bool> next();
  /// Returns a field of the current row, which is valid until next().
  [[nodiscard]] std::string_view operator[](std::size_t column) const { return fields_[column]; }
  /// Returns the whole line of the current row.
  [[nodiscard]] std::string_view line() const { return line_; }
  /// Returns the place of the current row for an error: "FILE:LINE" or, for one of its fields, "FILE:LINE: COLUMN".
  [[nodiscard]] std::string place() const { return lines_.place(); }
  [[nodiscard]] std::string place(std::size_t column) const;

 private:
  explicit CsvReader(LineReader lines, Options options)
      : lines_{std::move(lines)}, options_{options} {}

  LineReader lines_;
  Options options_;
  std::vector<std::string> header_;
  std::vector<std::string> comments_;
  std::string_view line_;
  std::vector<std::string_view> fields_;
  std::string storage_;
};

/// Returns the number in a cell of the current row, from 0 to 1e15; nothing if the cell is empty. An error names the
/// cell.
[[nodiscard]] Result<std::optional<double>> optional_number(const CsvReader& rows,
                                                            std::size_t column);

}  // namespace holdfast
