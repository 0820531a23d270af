#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/traces/text/table_kind.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// From the beginning of a file to its columns: delimiter, header, and what each column holds.
namespace holdfast {

/// How a line is divided into cells.
struct Dialect {
  enum class By : std::uint8_t { delimiter, blanks, widths, json, pairs };
  By by = By::delimiter;
  char delimiter = ',';
  bool is_opened = false, is_closed = false;  ///< every line begins, or ends, with the delimiter
  std::vector<std::size_t> starts = {};       ///< of columns of fixed width
  std::vector<std::string> names = {};  ///< of the members of JSON objects, or in pairs NAME=VALUE

  /// Divides a line. Views are valid as long as the line and the storage. Errors have no place.
  [[nodiscard]] Status split(std::string_view line, std::vector<std::string_view>& cells,
                             std::string& storage) const;
  /// Returns "commas", "fixed width".
  [[nodiscard]] std::string in_words() const;
};

/// What the cells of a column hold.
struct ColumnForm {
  enum class Of : std::uint8_t { nothing, text, number, duration, date };
  Of of = Of::nothing;
  std::size_t rows = 0, missing = 0, numbers = 0, durations = 0, dates = 0;
  std::size_t commas = 0;  ///< numbers with a comma
  std::size_t clocks = 0;  ///< times of day without a date
  bool has_clock = false;  ///< some of its dates have a time of day
  double largest = 0;      ///< of its numbers, in absolute value
  double smallest = std::numeric_limits<double>::infinity();  ///< of its numbers
  bool is_whole = true;                                       ///< all its numbers are whole
  /// The different texts of its cells in small letters, up to kMostWords.
  std::vector<std::string> words = {};
  static constexpr std::size_t kMostWords = 16;
  std::array<std::size_t, 5> first_of_shape =
      {};                                        ///< line of the first date of each shape; 0: none
  std::size_t proves_day = 0, proves_month = 0;  ///< line of the first date that proves an order
  double step_if_day = 0, step_if_month = 0;     ///< the longest time to the next date, in seconds
  std::size_t falls_if_day = 0, falls_if_month = 0;  ///< dates earlier than the one before
};

/// The beginning of a table, understood.
struct SniffedTable {
  Dialect dialect;
  std::size_t header_line = 0;        ///< number of the line with the names; 0: there is none
  std::size_t first_row = 0;          ///< number of the first line that may hold data
  std::vector<std::string> names;     ///< of the columns; "1", "2" ... if there is no header
  std::vector<ColumnForm> forms;      ///< one for each column
  std::vector<std::string> comments;  ///< lines # before the first row, without their #
  bool has_decimal_comma = false;
  std::size_t rows = 0;  ///< number of rows that were looked at

  /// Returns a column by its name or, if no column has that name, by its number from 1.
  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
};

/// Returns true for a cell that says that there is no value: empty, -, NA, N/A, NULL, None, Unknown, nan, ?.
[[nodiscard]] bool is_missing(std::string_view cell);

/// Returns true for a cell with which a row of totals begins: Total, "Sum:", Average, Summe.
[[nodiscard]] bool begins_totals(std::string_view cell);

/// Returns the number in a cell: with thousands separated by blanks, ', or commas (points, if commas are decimal), with %.
[[nodiscard]] std::optional<double> number_in(std::string_view cell, bool has_decimal_comma);

/// Returns the number of processors in a cell, which may be a fraction: 16, 0.5, or 500m, thousandths as Kubernetes writes them.
[[nodiscard]] std::optional<double> count_in(std::string_view cell, bool has_decimal_comma);

/// Returns the length of time in a cell in seconds: 90 s, 1h30min, h:mm:ss, mm:ss, d-hh:mm:ss, also with a fraction.
[[nodiscard]] std::optional<double> duration_in(std::string_view cell);

/// Returns the time of day in a cell, 8:15, 08:15:30 or 8:15 PM, in seconds and with the smallest part that was written.
[[nodiscard]] std::optional<Instant> clock_in(std::string_view cell);

/// Returns the pairs NAME=VALUE of a line, which are separated by blanks.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> pairs_in(std::string_view line);

/// Divides a line into cells as it looks, finds the header, and looks at what the columns hold.
/// @param head      the beginning of the file
/// @param is_whole  the head is the whole file
/// @param question  what a person said about the header. Errors are placed at "header".
/// @param kind      if it is given, a line with the names of its fields is a header, even if no row follows
[[nodiscard]] Result<SniffedTable> sniff(std::string_view head, bool is_whole,
                                         const TableQuestion& question = {},
                                         const TableKind* kind = nullptr);

/// The objects of a JSON text one after another: an array of objects, objects one after another, or the first array of objects
/// in an object. Nested members are named a.b; texts in a list are joined by commas; other lists are left out.
class JsonRows {
 public:
  explicit JsonRows(std::string_view text);
  /// Returns the next complete object, as its text; empty at the end.
  std::string_view next();
  /// Reads an object into names and texts.
  [[nodiscard]] static Result<std::vector<std::pair<std::string, std::string>>> members(
      std::string_view object);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// Returns a text that is in UTF-16, with a byte order mark, in UTF-8; any other text as it is.
[[nodiscard]] Result<LineReader> in_utf8(LineReader lines);

/// Returns a text of Latin-1 in UTF-8.
[[nodiscard]] std::string from_latin_1(std::string_view text);

}  // namespace holdfast
