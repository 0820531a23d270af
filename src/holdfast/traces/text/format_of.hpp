#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/oddity.hpp"
#include "holdfast/traces/text/table_kind.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// The description of a trace format, for records of any kind. The file that reads a format describes it in a function
/// `FormatOf<Record> NAME_format()`, and formats.cpp has a line for it.
namespace holdfast {

/// The facts that every format has.
struct FormatFacts {
  std::string_view name;     ///< "lanl": the name for --format
  std::string_view summary;  ///< one line
  /// Returns true if a file that begins with this text (up to 64 KiB, decompressed) is of this format.
  bool (*recognise)(std::string_view head) = nullptr;
  /// Or the columns that show it, separated by commas: a file whose header has all of them is of this format.
  std::string_view columns = {};
  /// The fields of a format whose files are tables, for tables with columns of other names. Null: the format is no such table.
  const TableKind* table = nullptr;
  bool takes_columns =
      false;  ///< the reader uses TableQuestion::columns, although the files are no tables

  [[nodiscard]] bool is_of(std::string_view head) const {
    return recognise != nullptr ? recognise(head) : header_has(head, columns);
  }
};

/// The meaning of columns and the unit of time of a capacity series, if the file does not state them.
struct SeriesQuestion {
  std::string column;  ///< column of a table with a header; "A+B" adds columns, "*" all
  std::optional<double> time_unit;  ///< seconds per unit of time of a table without a header
  std::string nodes =
      {};  ///< file with all nodes, or their number, for the outages of a log that names only some
};

/// The questions that may be asked when the records of a file are read. Each reader uses the ones that concern it.
struct RecordsQuestion {
  std::optional<std::string> system;  ///< keep one system of a failure log
  SeriesQuestion series;              ///< series of a table of capacity
};

/// The names of a kind of records. Each kind of record defines a specialisation with these members:
///
///     kName     "workflow": the kind in the catalog, and the name of its folder
///     kRecords  "a workflow": its records, for messages
///     kFile     "a workflow": one file of this kind, for messages
///     kPlain    "wfformat": the format that is written if no other format is named
template <class Record>
struct KindOf;

/// A format whose files hold a `Record`. Most kinds use this form. A kind whose readers need more arguments specialises it next
/// to its record, with the same members.
template <class Record>
struct FormatOf {
  FormatFacts facts;
  /// Reads a whole file. Errors name FILE:LINE or a pointer into the document.
  std::function<Result<Record>(TraceText text)> read = {};
  /// Hands on the text of a file in parts, and returns the information that the format cannot hold. Null: the format is not
  /// written.
  Result<Oddities> (*write)(const Record& records, const TextSink& sink) = nullptr;

  /// Reads a whole file, with the same arguments for every kind.
  [[nodiscard]] Result<Record> read_all(TraceText text, const RecordsQuestion&) const {
    return read(std::move(text));
  }
};

}  // namespace holdfast
