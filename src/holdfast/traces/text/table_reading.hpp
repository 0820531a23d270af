#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/traces/text/sniff.hpp"
#include "holdfast/traces/text/table_kind.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// From the columns of a table to the fields of a record: what was read as what, and what would say the same.
namespace holdfast {

/// Where the values of one field are.
struct FieldReading {
  std::optional<std::size_t> column = {};
  double factor = 1;                   ///< seconds, or units of the field, per number of the column
  std::string unit = {};               ///< that factor as a text, if it is not 1: "ms"
  DayOrder order = DayOrder::unknown;  ///< of the dates
  std::optional<std::size_t> clock = {};  ///< column of the times of day that belong to the dates
  /// Column of the time of day at which what ends then began, on that date or the day before.
  std::optional<std::size_t> begin_clock = {};
  bool is_unix = false;    ///< milliseconds or microseconds since 1970, which are dates
  bool is_serial = false;  ///< days since 30 December 1899, which are dates of a spreadsheet
  bool is_asked = false;   ///< a person named the column
};

/// How a table is read as a kind of records.
struct TableReading {
  SniffedTable table;
  const TableKind* kind = nullptr;
  std::vector<FieldReading> fields;  ///< one for each of the kind
  std::vector<std::pair<std::size_t, std::string>>
      where;  ///< columns and the text of the rows to read
  std::vector<std::string>
      lacking;  ///< needed fields without a column, alternatives joined by "or"
  /// Fields without a column, and columns left that could be theirs by what they hold, each in the order of the fields.
  std::vector<std::pair<std::size_t, std::size_t>> offers = {};
  std::size_t unmet = 0;              ///< number of needed fields without a column or an offer
  std::size_t found = 0;              ///< number of fields with a column
  bool has_strangers = false;         ///< some columns show that the table is of another kind
  std::optional<Error> trouble = {};  ///< why the dates of a column cannot be read
  TableQuestion question;             ///< what a person said

  [[nodiscard]] bool is_complete() const { return lacking.empty() && !has_strangers; }
  /// Returns true if the table is one that Holdfast itself might have written: nothing was guessed.
  [[nodiscard]] bool is_plain() const;
  /// Returns the names of the columns that no field uses.
  [[nodiscard]] std::vector<std::string> unused() const;
  /// Returns "node = hostname, down = failed_at in ms", of the fields whose columns have other names or other units.
  [[nodiscard]] std::string in_words() const;
  /// Returns the same as a head line: "outages (node = hostname, down = failed_at; cells between ';')".
  [[nodiscard]] std::string head_line() const;
  /// Returns the value of --columns that would say the same: "node=hostname,down=failed_at". @param has_offers  with the offers
  [[nodiscard]] std::string columns(bool has_offers = false) const;
  /// Returns the same as an object: kind, columns, units, delimiter, header, dates, where.
  [[nodiscard]] Value document() const;
};

/// Finds the columns of a kind of records in a table. A table that lacks some is no error: `lacking` says so. Errors are placed
/// at "columns", "column_unit", "where" or "dates".
[[nodiscard]] Result<TableReading> understood(SniffedTable table, const TableKind& kind,
                                              const TableQuestion& question);

/// Sniffs a text, in which a line with names of the kind's fields is a header, and finds the columns of a kind.
[[nodiscard]] Result<TableReading> understood(std::string_view head, bool is_whole,
                                              const TableKind& kind, const TableQuestion& question);

/// Returns a value of `columns` that would give the kind what it lacks, as far as the cells let guess: "node=Knoten,down=Ausfall".
[[nodiscard]] std::string remedy(const TableReading& reading);

/// The size of the head from which a table is understood, in bytes.
inline constexpr std::size_t kSniffedHead = std::size_t{1} << 20;

}  // namespace holdfast
