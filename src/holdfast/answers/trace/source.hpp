#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/field.hpp"
#include "holdfast/contract/verb.hpp"
#include "holdfast/traces/failures/lifetimes.hpp"
#include "holdfast/traces/formats.hpp"
#include "holdfast/traces/records.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The options that several verbs of `holdfast trace` share, as structs and as table rows. Times, units and names are kept as
/// they were typed, because the allowed values depend on the file.
namespace holdfast {

/// The file, and how to read it.
struct TraceSource {
  std::string file;
  std::string read_as;  ///< kind or format; empty: recognise it
  TableQuestion table;  ///< what a person says about a table
  std::string cause;    ///< of the failures that count; empty: all
  std::optional<std::string> system;
  std::string nodes;     ///< file that lists all nodes of a failure log; empty: none
  std::string observed;  ///< period in which its failures were recorded; empty: as the log says

  /// Opens the file and recognises its format. Errors about the options name them and count as a wrong command line.
  [[nodiscard]] Result<OpenTrace> open(const Request& request) const;
  /// Returns what a person says about a table, with the cause.
  [[nodiscard]] TableQuestion asked_table() const;
  /// Returns the options about a table that were given, with their values.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> table_options() const;
  /// Reads an opened failure log.
  [[nodiscard]] Result<FailureLog> read_log(const FormatOf<FailureLog>& of, TraceText lines) const;
  /// Adds what the options say about a log: its nodes, its period.
  [[nodiscard]] Status complete(FailureLog& log) const;
  /// Returns an error of a reader, with the name of the file if the error lacks it.
  [[nodiscard]] Error placed(Error error) const;
};

/// Facts about a capacity table that the table itself does not state.
struct SeriesOptions {
  std::string column;
  std::string time_unit;

  [[nodiscard]] Result<SeriesQuestion> question() const;
};

/// How a log becomes lifetimes.
struct LifetimeOptions {
  std::string merge;
  std::string since;
  std::string unit;
  std::string from;
  std::string to;

  [[nodiscard]] Result<LifetimeQuery> query() const;
  /// Returns every option with its text.
  [[nodiscard]] std::array<std::pair<const char*, const std::string*>, 5> options() const;
};

/// A whole trace in memory.
struct WholeTrace {
  TraceRecords records;
  const Format* format = nullptr;  ///< the format of the file
  std::string note = {};           ///< how a table was read, if that had to be guessed or told
};

/// Reads all of a trace. Errors about options name them; other errors name the file.
[[nodiscard]] Result<WholeTrace> read_trace(const TraceSource& source, const SeriesOptions& series,
                                            const Request& request);

/// Says in an answer how a table was read, if that had to be guessed or told: as its head line, and under `read_as`.
void say_reading(const std::string& file, const TableReading* reading, Answer& answer);

/// Returns "outages of length 0 (2): left out".
[[nodiscard]] std::string in_one_line(const Oddity& oddity);

/// Returns an error about a field as an error about the option with that name: "/merge" or "merge" becomes "--merge", exit
/// status 2.
[[nodiscard]] Error as_option_error(Error error);

/// Return the names of the kinds, and of the formats that can be written, separated by commas, for help texts.
[[nodiscard]] std::string kind_names();
[[nodiscard]] std::string writable_names();

/// Returns the positional arguments of a verb whose options have a member `source`.
template <class Options>
const Fields<Options>& trace_file() {
  static const auto kRows =
      std::to_array<Field<Options>>({{.name = "file",
                                      .summary = "a trace, compressed or not; - is standard input",
                                      .member = member<&Options::source, &TraceSource::file>,
                                      .is_required = true,
                                      .value_name = "FILE"}});
  static const Fields<Options> kFields(kRows);
  return kFields;
}

/// Returns the rows for the options of a member `source`.
template <class Options>
std::array<Field<Options>, 10> source_rows() {
  static const std::string kFormat =
      "kind of the file, or its format (default: recognised from its contents): " + kind_names();
  constexpr auto kTable = &TraceSource::table;
  return {
      {{.name = "read_as",
        .summary = kFormat,
        .member = member<&Options::source, &TraceSource::read_as>,
        .value_name = "NAME"},
       {.name = "columns",
        .summary = "table: columns of its fields, by name or number, such as "
                   "node=Host,down=Failed,up='Back at'",
        .member = member<&Options::source, kTable, &TableQuestion::columns>,
        .value_name = "FIELD=COLUMN,..."},
       {.name = "column_unit",
        .summary = "table: units of times that are numbers, such as down=ms,run=h",
        .member = member<&Options::source, kTable, &TableQuestion::column_unit>,
        .value_name = "FIELD=UNIT,..."},
       {.name = "where",
        .summary = "table: read the rows with this text in a column, such as fuel=Solar, or "
                   "fuel=~solar|wind with one of these as a part",
        .member = member<&Options::source, kTable, &TableQuestion::where>,
        .value_name = "COLUMN=TEXT,..."},
       {.name = "cause",
        .summary = "failure log: only failures whose cause contains this text (in any case; | "
                   "separates several)",
        .member = member<&Options::source, &TraceSource::cause>,
        .value_name = "TEXT"},
       {.name = "dates",
        .summary = "table: order in dates such as 03/01/2025, dmy or mdy",
        .member = member<&Options::source, kTable, &TableQuestion::dates>,
        .value_name = "dmy|mdy"},
       {.name = "header",
        .summary = "table: number of the line with the names of the columns, or none",
        .member = member<&Options::source, kTable, &TableQuestion::header>,
        .value_name = "LINE|none"},
       {.name = "system",
        .summary = "system of the log, if it has several",
        .member = member<&Options::source, &TraceSource::system>,
        .value_name = "NAME"},
       {.name = "nodes",
        .summary = "failure log: file that lists all nodes, so that those without a row count as "
                   "never failed (names, n[001-100], sinfo, scontrol show node, CSV, JSON), or "
                   "their number",
        .member = member<&Options::source, &TraceSource::nodes>,
        .value_name = "FILE"},
       {.name = "observed",
        .summary = "failure log that does not say so: the period in which failures were recorded "
                   "(default: from the first to the last event)",
        .member = member<&Options::source, &TraceSource::observed>,
        .value_name = "FROM,TO"}}};
}

/// Returns the rows of source_rows(), and those for a verb whose options also have a member `series`.
template <class Options>
std::array<Field<Options>, 12> source_and_series_rows() {
  return joined(
      source_rows<Options>(),
      std::array<Field<Options>, 2>{
          {{.name = "column",
            .summary =
                "series of capacity with several columns: one of them, A+B for a sum, * for all",
            .member = member<&Options::series, &SeriesOptions::column>,
            .value_name = "NAME"},
           {.name = "time_unit",
            .summary = "series of capacity without a unit of time: its unit, 1s, 1h or 1ms",
            .member = member<&Options::series, &SeriesOptions::time_unit>,
            .value_name = "DURATION"}}});
}

}  // namespace holdfast
