#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/text/oddity.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// How a format of traces is described, whatever the kind of its records. The file that reads a format says what it is in
/// a function `FormatOf<Record> NAME_format()`, and formats.cpp has a line for it.
namespace holdfast {

/// What is said of every format.
struct FormatFacts {
  std::string_view name;     ///< "lanl": what --format takes
  std::string_view summary;  ///< one line
  /// Returns true if a file that begins with this text (up to 64 KiB, decompressed) is of this format.
  bool (*recognise)(std::string_view head) = nullptr;
};

/// What the columns and the unit of time of a series of capacity are, where the file does not say it.
struct SeriesQuestion {
  std::string column;  ///< column of a table with a header; "A+B" adds columns, "*" all
  std::optional<double> time_unit;  ///< seconds per unit of time of a table without a header
};

/// What may be asked when the records of a file are read; a reader takes what concerns it.
struct RecordsQuestion {
  std::optional<std::string> system;  ///< keep one system of a failure log
  SeriesQuestion series;              ///< series of a table of capacity
};

/// The names of a kind of records. Each record has a specialisation beside it, with these members:
///
///     kName     "workflow": the kind in the catalog, and the name of its folder
///     kRecords  "a workflow": its records in a message
///     kFile     "a workflow": one file of the kind in a message
///     kPlain    "wfformat": the format that is written where no format is named
template <class Record>
struct KindOf;

/// A format whose files hold a `Record`. This is the form of most kinds; a kind whose readers have to be told more
/// specialises it beside its record, with the same members.
template <class Record>
struct FormatOf {
  FormatFacts facts;
  /// Reads a whole file. Errors name FILE:LINE or a pointer into the document.
  Result<Record> (*read)(LineReader lines) = nullptr;
  /// Hands the text of a file on in parts, and returns what the format has no place for. Null: the format is not written.
  Result<Oddities> (*write)(const Record& records, const TextSink& sink) = nullptr;

  /// Reads a whole file, in the form that every kind has.
  [[nodiscard]] Result<Record> read_all(LineReader lines, const RecordsQuestion&) const {
    return read(std::move(lines));
  }
};

}  // namespace holdfast
