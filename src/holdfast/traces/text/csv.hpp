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

/// Splits one line at commas into `fields`. Fields may stand in double quotes ("a ""b"", c"); their
/// text is then kept in `storage`. The views live as long as both. Errors carry no place.
[[nodiscard]] Status split_csv(std::string_view line, std::vector<std::string_view>& fields,
                               std::string& storage);

/// True where the first line that is not blank and no comment (#) is a header with all these columns.
[[nodiscard]] bool csv_header_has(std::string_view head, std::span<const std::string_view> columns);

/// A text as a field of a CSV row (csv_cell), in quotes also where our readers would take it for a comment or trim it.
[[nodiscard]] std::string csv_field(std::string_view text);

/// Rows of a CSV file with a header row, one at a time: constant memory.
class CsvReader {
 public:
  struct Options {
    bool comments =
        false;  ///< lines that start with # are skipped and kept in comments() up to the header
  };

  /// Reads up to and including the header.
  [[nodiscard]] static Result<CsvReader> open(LineReader lines, Options options);
  [[nodiscard]] static Result<CsvReader> open(LineReader lines) {
    return open(std::move(lines), {});
  }

  [[nodiscard]] std::span<const std::string> header() const { return header_; }
  /// Comment lines that stood before the header, without their #.
  [[nodiscard]] std::span<const std::string> comments() const { return comments_; }
  /// Position of a column; nothing where the header has none of that name.
  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
  /// The same, absence being an error that lists the columns that are missing from `names`.
  [[nodiscard]] Result<std::vector<std::size_t>> columns(
      std::span<const std::string_view> names) const;

  /// The next row that is not blank; false at the end. A row with more or fewer fields than the
  /// header is an error.
  Result<bool> next();
  /// Field of the current row, valid until next().
  [[nodiscard]] std::string_view operator[](std::size_t column) const { return fields_[column]; }
  /// The whole line of the current row.
  [[nodiscard]] std::string_view line() const { return line_; }
  /// "FILE:LINE" or "FILE:LINE: COLUMN".
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

/// Returns the number in a cell of the current row, from 0 to 1e15; nothing where the cell is empty. An error names the
/// cell.
[[nodiscard]] Result<std::optional<double>> optional_number(const CsvReader& rows,
                                                            std::size_t column);

}  // namespace holdfast
