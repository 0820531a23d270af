#pragma once

#include "holdfast/base/file.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

/// What a kind of tables declares about its columns, and what a person may say about one table.
namespace holdfast {

struct ColumnForm;

/// What the cells of a column are read as.
enum class CellKind : std::uint8_t {
  text,      ///< any text
  whole,     ///< a whole number
  count,     ///< of processors: a whole number, or a fraction (0.5, 500m of Kubernetes), rounded up
  number,    ///< a number
  duration,  ///< seconds: a number in the unit of the column, 90 s, 1:02:03 or 1-12:00:00
  time,      ///< a date, or seconds on the table's own clock
  date,      ///< a date
};

/// A field of a record, and how its column may be called.
struct TableField {
  std::string_view name;  ///< its name in --columns, and in Holdfast's own table of this kind
  CellKind is = CellKind::text;
  /// Other names of its column, separated by blanks and written as plain_name() returns them.
  std::string_view synonyms = {};
  /// Fields with the same number above 0 replace each other: a table needs one of them. 0: optional.
  int need = 0;
  /// What its column must hold, in addition to its kind. Null: anything.
  bool (*holds)(const ColumnForm& form) = nullptr;
};

/// The fields of one kind of tables.
struct TableKind {
  std::string_view records;  ///< what its rows are: "outages"
  std::span<const TableField> fields;
  /// Names of columns, as plain_name() returns them, that show that a table is of another kind.
  std::string_view strangers = {};
  /// True: a column of dates is its first time even if its name says nothing.
  bool takes_any_date = false;
  /// A table without a header that has at least this number of columns has the fields in their order. 0: none has.
  std::size_t in_order = 0;
  bool is_column =
      false;  ///< a column alone is a table, too: of the first field, whatever its name
  bool is_ragged = false;  ///< rows may have more cells than columns, which are left out, or fewer
  bool needs_number = false;  ///< a table needs a column of numbers beside its times
  /// A column of numbers that are not whole, and no lengths of time, shows that a table is of another kind.
  bool is_without_numbers = false;
};

/// What a person says about a table. Everything is text as it was typed; empty: the file shows it.
struct TableQuestion {
  std::string columns;      ///< "down=Ausfall,up='Wieder da',node=3": fields and their columns
  std::string column_unit;  ///< "down=ms,run=h": the units of numbers
  std::string where;        ///< "fuel_type=Solar": the rows to read
  std::string dates;        ///< "dmy" or "mdy": the order of day and month
  std::string header;       ///< "none", or the number of its line
  bool is_words = false;    ///< blanks divide the cells, however many there are
  bool is_exact = false;    ///< a format of one site says so: no column is guessed or needed

  [[nodiscard]] bool is_empty() const {
    return columns.empty() && column_unit.empty() && where.empty() && dates.empty() &&
           header.empty();
  }
  friend bool operator==(const TableQuestion&, const TableQuestion&) = default;
};

/// What a person says about a file.
struct ReadAs {
  std::string name = {};  ///< of a kind ("failures") or a format ("failures-csv"); empty: recognise
  TableQuestion table = {};

  ReadAs() = default;
  ReadAs(std::string_view format) : name{format} {}    // NOLINT(google-explicit-constructor)
  ReadAs(const char* format) : name{format} {}         // NOLINT(google-explicit-constructor)
  ReadAs(const std::string& format) : name{format} {}  // NOLINT(google-explicit-constructor)
  ReadAs(std::string format, TableQuestion question)
      : name{std::move(format)}, table{std::move(question)} {}
};

struct TableReading;

/// The text of an opened trace, as its reader gets it. A reader of something that is no table takes its lines.
struct TraceText {
  LineReader lines;
  TableQuestion table = {};
  /// How the table is read, if that is known already; null: the reader finds it out.
  std::shared_ptr<const TableReading> reading = {};

  TraceText(LineReader text) : lines{std::move(text)} {}  // NOLINT(google-explicit-constructor)
  TraceText(LineReader text, TableQuestion question, std::shared_ptr<const TableReading> how = {})
      : lines{std::move(text)}, table{std::move(question)}, reading{std::move(how)} {}
  [[nodiscard]] const std::string& name() const { return lines.name(); }
  operator LineReader() && { return std::move(lines); }  // NOLINT(google-explicit-constructor)

  /// Returns the text as a table of one site, with these columns and no others.
  /// @param columns  as in TableQuestion, by place if there is no header; one that ends in ? may be missing
  [[nodiscard]] TraceText with(std::string_view columns, bool has_header = true) &&;
};

/// Numbers above this in a column of times are milliseconds since 1970: as seconds they would be later than the year 5138.
inline constexpr double kLeastMilliseconds = 1e11;
/// Numbers in this range in a column of times may be dates of a spreadsheet: days since 30 December 1899, from 2000 to 2050.
inline constexpr double kFirstSerialDate = 36526, kLastSerialDate = 55152;
/// The comment before a table whose numbers are seconds even if they could be other times.
inline constexpr std::string_view kTimesInSeconds = "times in seconds";
/// Returns that comment as a line if a table with this time needs it, otherwise an empty text.
[[nodiscard]] std::string note_of_times(double largest);

/// Returns the name of a column as synonyms write it: small letters and digits only, without a unit in brackets.
[[nodiscard]] std::string plain_name(std::string_view column);

/// Returns the seconds in one unit of time of that name: "ms", "h", "weeks"; nothing for any other text.
[[nodiscard]] std::optional<double> seconds_in(std::string_view unit);

/// Returns the seconds per unit that a column's name states ("elapsed (ms)", "time_s"), and the plain name without that unit.
[[nodiscard]] std::optional<std::pair<double, std::string>> unit_in_name(std::string_view column);

}  // namespace holdfast
