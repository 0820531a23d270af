#include "holdfast/base/limits.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/traces/availability/outage_history.hpp"
#include "holdfast/traces/failures/node_list.hpp"
#include "holdfast/traces/formats.hpp"
#include "holdfast/traces/text/strangers.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>

namespace holdfast {
namespace {

/// What recognisers of single formats look at.
constexpr std::size_t kRecognisedHead = std::size_t{1} << 16;

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  names.reserve(formats().size());
  for (const Format& format : formats()) names.push_back(format.name);
  return names;
}

Result<const Format*> named_format(std::string_view name) {
  for (const Format& format : formats()) {
    if (format.name == name) return &format;
  }
  const auto names = format_names();
  return fail(ErrorCode::unknown_name, "format",
              fmt::format("found no format {}, {}", in_quotes(name), suggestion(name, names)));
}

/// Refuses files that are not text, with an error that says what they are and what makes a text of them.
Status check_text(std::string_view head, const std::string& file) {
  struct Kind {
    std::size_t at;
    std::string_view begin;
    std::string_view message;
  };
  using namespace std::string_view_literals;
  constexpr auto kKinds = std::to_array<Kind>({
      {30, "[Content_Types].xml"sv,
       "a workbook of Excel, expected text: save the sheet as CSV, or libreoffice --convert-to csv "
       "FILE"},
      {30, "mimetypeapplication/vnd.oasis"sv,
       "a workbook of Calc, expected text: save the sheet as CSV, or libreoffice --convert-to csv "
       "FILE"},
      {0, "PK\x03\x04"sv, "a zip archive, expected text or a compressed text: unpack it first"},
      {0, "PAR1"sv,
       "a Parquet file, expected text: python3 -c \"import pandas; "
       "pandas.read_parquet('FILE').to_csv('FILE.csv', index=False)\""},
      {0, "SQLite format 3"sv,
       "a SQLite database, expected text: sqlite3 -header -csv FILE 'select * from TABLE'"},
      {0, "\x89HDF"sv, "an HDF5 file, expected text: h5dump -d /DATASET -o FILE.txt FILE"},
      {8, "75d\0"sv,
       "a Darshan log, expected its text: darshan-dxt-parser FILE, or darshan-parser FILE"},
      {257, "ustar"sv, "a tar archive, expected one text: tar -xf FILE"},
      {0, "ARROW1"sv,
       "a Feather (Arrow) file, expected text: python3 -c \"import pandas; "
       "pandas.read_feather('FILE').to_csv('FILE.csv', index=False)\""},
      {0, "ORC"sv,
       "an ORC file, expected text: python3 -c \"import pandas; "
       "pandas.read_orc('FILE').to_csv('FILE.csv', index=False)\""},
      {0, "Obj\x01"sv, "an Avro file, expected text: avro-tools tojson FILE"},
      {0, "\x93NUMPY"sv,
       "an array of numpy, expected text: python3 -c \"import numpy; "
       "numpy.savetxt('FILE.csv', numpy.load('FILE'), delimiter=',')\""},
      {0, "\x80\x04\x95"sv,
       "a pickle of Python, expected text: write it with to_csv() where it was made"},
      {0, "CDF\x01"sv, "a netCDF file, expected text: ncdump -v VARIABLE FILE"},
      {0, "CDF\x02"sv, "a netCDF file, expected text: ncdump -v VARIABLE FILE"},
      {0, "X\n\0\0"sv, "data of R, expected text: write.csv(readRDS('FILE'), 'FILE.csv')"},
      {0, "RDX3\n"sv, "data of R, expected text: write.csv(get(load('FILE')), 'FILE.csv')"},
      {0, "\xD0\xCF\x11\xE0"sv,
       "a workbook of Excel, expected text: save the sheet as CSV, or libreoffice --convert-to csv "
       "FILE"},
      {0, "%PDF"sv, "a PDF, expected the table that it was made of: as CSV"},
      {0, "7z\xBC\xAF"sv, "a 7z archive, expected text or a compressed text: 7z x FILE"},
      {0, "version https://git-lfs"sv,
       "a Git LFS pointer, expected the file that it stands for: git lfs pull"},
  });
  for (const Kind& kind : kKinds) {
    if (head.size() < kind.at || !head.substr(kind.at).starts_with(kind.begin)) continue;
    return fail(ErrorCode::bad_format, file, fmt::format("found {}", kind.message));
  }
  if (const std::size_t zero = head.find('\0'); zero != std::string::npos) {
    const auto is_zero_at = [&](std::size_t odd) {  // every second byte, and no other
      constexpr std::size_t kSome = 8;
      for (std::size_t i = 0; i < kSome && i < head.size(); ++i) {
        if ((head[i] == '\0') != (i % 2 == odd)) return false;
      }
      return true;
    };
    for (const std::size_t odd : {std::size_t{0}, std::size_t{1}}) {
      if (!is_zero_at(odd)) continue;
      return fail(ErrorCode::bad_format, file,
                  fmt::format("found a text in UTF-16 without a byte order mark, expected UTF-8: "
                              "iconv -f UTF-16{} -t UTF-8 FILE",
                              odd == 0 ? "BE" : "LE"));
    }
    return fail(ErrorCode::bad_format, file,
                fmt::format("found a binary file (byte {} is zero), expected text", zero + 1));
  }
  const std::size_t end = head.find('\r');
  if (end != std::string::npos && end + 1 < head.size() && head.find('\n') == std::string::npos) {
    return fail(ErrorCode::bad_format, file,
                "found lines that end in CR alone, expected LF or CR LF: convert them (tr '\\r' "
                "'\\n')");
  }
  return {};
}

/// Returns the beginning of a text for a message: at most 40 characters of its first line that is not blank.
std::string beginning(std::string_view head) {
  constexpr std::size_t kMostCharacters = 40;
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  std::string text(trim(head.substr(first, head.find_first_of("\r\n", first) - first)));
  if (text.size() > kMostCharacters) text = text.substr(0, kMostCharacters) + "...";
  std::ranges::replace_if(
      text, [](char c) { return (c >= 0 && c < ' ') || c == '\x7F'; }, '?');
  return text;
}

using Readings = std::vector<std::pair<const Format*, TableReading>>;

/// Returns true for the error of a kind that has no such field.
bool is_of_no_field(const Error& error) {
  return error.where == "columns" && error.message.starts_with("found no field");
}

/// Returns the table as each kind of tables would read it, the nearest first.
Result<Readings> readings_of(const SniffedTable& table, const TableQuestion& question,
                             const FormatFilter& accepts) {
  Readings out;
  std::optional<Error> first_error;
  for (const Format& format : formats()) {
    if (format.table == nullptr || !accepts(format)) continue;
    auto reading = understood(table, *format.table, question);
    if (reading)
      out.emplace_back(&format, std::move(*reading));
    else if (!first_error || is_of_no_field(*first_error))
      first_error = std::move(reading).error();
  }
  if (out.empty() && first_error) return fail(std::move(*first_error));
  std::ranges::stable_sort(out, [](const auto& a, const auto& b) {
    const auto rank = [](const TableReading& reading) {
      // Columns of numbers may be anything; those of dates and texts tell which kind is near.
      const auto telling = std::ranges::count_if(reading.offers, [&](const auto& offer) {
        const ColumnForm::Of of = reading.table.forms[offer.second].of;
        return of == ColumnForm::Of::date || of == ColumnForm::Of::text;
      });
      const bool is_complete = reading.is_complete();
      return std::tuple(reading.has_strangers, !is_complete, reading.unmet,
                        is_complete ? 0 : -telling, -static_cast<std::ptrdiff_t>(reading.found),
                        reading.lacking.size());
    };
    return rank(a.second) < rank(b.second);
  });
  return out;
}

/// Returns "3 columns (Knoten, Ausfall, Wieder da), 25 rows, 2 of dates".
std::string in_words(const SniffedTable& table) {
  std::vector<std::string> names;
  for (const std::string& name : table.names) names.push_back(printable(name));
  constexpr std::size_t kMostNames = 12;
  const bool is_long = names.size() > kMostNames;
  if (is_long) names.resize(kMostNames);
  const auto dates = std::ranges::count(table.forms, ColumnForm::Of::date, &ColumnForm::of);
  return fmt::format("{} ({}{}){}, {}", counted(table.names.size(), "column"), join(names, ", "),
                     is_long ? ", ..." : "",
                     dates > 0 ? fmt::format(", {} of dates", dates) : std::string(),
                     counted(table.rows, "row"));
}

/// Returns true if a text is a table, and not prose: it has values, without which nothing is a trace.
bool is_table(const SniffedTable& table) {
  const bool has_values = std::ranges::any_of(table.forms, [](const ColumnForm& form) {
    return form.of != ColumnForm::Of::text && form.of != ColumnForm::Of::nothing;
  });
  return table.names.size() > 1 && table.rows > 0 && has_values;
}

/// Returns what is wrong with a table in which no value is understood, but whose first line names a time of some kind of records.
std::optional<std::string> unread_time(const SniffedTable& table, std::string_view head) {
  if (table.header_line > 0 || table.rows < 2) return std::nullopt;
  TableQuestion question;
  question.header = std::to_string(table.first_row);
  auto named = sniff(head, true, question);
  if (!named) return std::nullopt;
  for (const Format& format : formats()) {
    if (format.table == nullptr) continue;
    for (const TableField& field : format.table->fields) {
      if (field.is != CellKind::time && field.is != CellKind::date) continue;
      for (std::size_t column = 0; column < named->names.size(); ++column) {
        const auto words = words_of(field.synonyms);
        const std::string plain = plain_name(named->names[column]);
        const bool is_it = plain == field.name || std::ranges::find(words, plain) != words.end();
        const ColumnForm& form = named->forms[column];
        if (!is_it || form.of != ColumnForm::Of::text) continue;
        return fmt::format(
            "found {} in column {}, which should be the time {} of {}, expected a date such as "
            "2024-03-01T10:00, 01.03.2024 10:00 or 1 Mar 2024 10:00",
            in_quotes(form.words.front()), in_quotes(named->names[column]), in_quotes(field.name),
            format.table->records);
      }
    }
  }
  return std::nullopt;
}

/// Returns the refusal of a file that no format recognises: how it looks, and the nearest kind of tables.
Error unknown_file(std::string_view head, const SniffedTable* table, const Readings& nearest,
                   const std::string& file) {
  Error error{.code = ErrorCode::bad_format, .where = file, .message = {}};
  const std::string begin = beginning(head);
  if (head.empty()) {
    error.message = "found an empty file, expected a trace";
  } else if (begin.empty()) {
    error.message = "found nothing but blank lines, expected a trace";
  } else if (const auto trouble = table ? unread_time(*table, head) : std::nullopt) {
    error.message = *trouble;
  } else if (table == nullptr || !is_table(*table) || nearest.empty()) {
    error.message =
        fmt::format("found a file of no known kind, beginning with {}, expected a trace or a table",
                    in_quotes(begin));
  } else {
    const auto& [format, reading] = nearest.front();
    error.message = fmt::format("found {}, expected a trace; nearest is {}: which column is {}?",
                                in_words(*table), format->name, join(reading.lacking, ", which "));
    if (reading.lacking.empty()) {
      error.message = fmt::format("found {}, which may be {} or something else", in_words(*table),
                                  reading.kind->records);
      error.remedy = {"read_as", std::string(format->kind())};
    } else {
      error.remedy = {"columns", remedy(reading)};
    }
  }
  return error;
}

/// A format, and how it reads a table.
struct Recognised {
  const Format* format;
  std::shared_ptr<const TableReading> reading = {};
};

/// Returns a format that is known already, with the way in which it reads the table.
Result<Recognised> as_it_reads(const Format& format, std::string_view head,
                               const TableQuestion& question) {
  if (format.table == nullptr) return Recognised{&format};
  HOLDFAST_TRY(reading, understood(head, head.size() < kSniffedHead, *format.table, question));
  return Recognised{&format, std::make_shared<TableReading>(std::move(reading))};
}

const Format* exactly(std::string_view head, const FormatFilter& accepts) {
  for (const Format& format : formats()) {
    if (accepts(format) && format.is_of(head.substr(0, kRecognisedHead))) return &format;
  }
  return nullptr;
}

Result<Recognised> recognised_format(std::string_view head, const std::string& file,
                                     const TableQuestion& question, const FormatFilter& accepts,
                                     const FormatFilter& all, bool is_kind_named) {
  const bool is_asked = !question.columns.empty() || !question.header.empty();
  if (const Format* found = is_asked ? exactly(head, accepts) : nullptr;
      found != nullptr && found->takes_columns) {
    return Recognised{found};
  }
  if (!is_asked) {
    const Format* found = exactly(head, accepts);
    if (found == nullptr) found = exactly(head, all);
    if (found != nullptr) return as_it_reads(*found, head, question);
    const std::string_view stranger = known_stranger(head);
    if (!stranger.empty() && !is_kind_named)
      return fail(ErrorCode::bad_format, file, fmt::format("found {}", stranger));
  }
  const bool is_whole = head.size() < kSniffedHead;
  auto table = sniff(head, is_whole, question);
  if (!table && !table.error().where.empty()) return fail(std::move(table).error());
  Readings nearest;
  if (table && table->rows > 0) {
    HOLDFAST_TRY(readings, readings_of(*table, question, accepts));
    const bool is_unique = readings.size() < 2 || !readings[1].second.is_complete() ||
                           readings[1].second.found < readings[0].second.found;
    if (!readings.empty() && readings[0].second.is_complete() && is_unique) {
      return Recognised{readings[0].first,
                        std::make_shared<TableReading>(std::move(readings[0].second))};
    }
    nearest = std::move(readings);
  }
  if (is_asked) {
    if (const Format* found = exactly(head, accepts)) return as_it_reads(*found, head, question);
  }
  return fail(unknown_file(head, table ? &*table : nullptr, nearest, file));
}

/// Returns true if the name is that of a kind.
bool is_kind(std::string_view name) {
  return std::ranges::any_of(formats(),
                             [&](const Format& format) { return format.kind() == name; });
}

Status check_format(std::string_view name) {
  if (name.empty() || is_kind(name)) return {};
  if (auto format = named_format(name); !format) return fail(std::move(format).error());
  return {};
}

Result<OpenTrace> recognise(std::unique_ptr<ByteSource> source, std::string name, const ReadAs& as,
                            const FormatFilter& accepts) {
  HOLDFAST_TRY(lines, in_utf8(LineReader(std::move(source), name)));
  HOLDFAST_TRY(head, lines.head(kSniffedHead));
  HOLDFAST_CHECK(check_text(head, name));
  if (!as.name.empty() && !is_kind(as.name)) {
    HOLDFAST_TRY(format, named_format(as.name));
    HOLDFAST_TRY(named, as_it_reads(*format, head, as.table));
    return OpenTrace{format, {std::move(lines), as.table, std::move(named.reading)}};
  }
  const FormatFilter all = [&](const Format& format) {
    return as.name.empty() || format.kind() == as.name;
  };
  const bool has_wish = static_cast<bool>(accepts) && as.name.empty();
  HOLDFAST_TRY(found, recognised_format(head, name, as.table, has_wish ? accepts : all, all,
                                        !as.name.empty()));
  return OpenTrace{found.format, {std::move(lines), as.table, std::move(found.reading)}};
}

}  // namespace

Status check_columns(const Format& format, const SeriesQuestion& question) {
  const auto* const series = format.as<CapacitySeries>();
  if ((series != nullptr && series->has_columns) || question.column.empty() ||
      question.column == "*") {
    return {};
  }
  return fail(ErrorCode::bad_value, "column",
              fmt::format("found {}, expected none: format {} has no columns to choose from",
                          in_quotes(question.column), format.name));
}

Result<OpenTrace> open_trace(const std::filesystem::path& path, const ReadAs& as,
                             const FormatFilter& accepts) {
  HOLDFAST_CHECK(check_format(as.name));  // before the file is looked for
  HOLDFAST_TRY(source, open_input(path));
  return recognise(std::move(source), path == "-" ? "standard input" : path.string(), as, accepts);
}

Result<OpenTrace> open_trace(std::unique_ptr<ByteSource> bytes, std::string name, const ReadAs& as,
                             const FormatFilter& accepts) {
  HOLDFAST_CHECK(check_format(as.name));
  HOLDFAST_TRY(source, decompressed(std::move(bytes), name));
  return recognise(std::move(source), std::move(name), as, accepts);
}

namespace {

/// Returns the error of a reader, with the file's name if the reader did not know it.
Error in_trace(const std::filesystem::path& path, Error error) {
  const bool is_placed = error.where.find(path.string()) != std::string::npos;
  return is_placed ? error : in_file(path.string(), std::move(error));
}

/// Reads an open file of one kind with `read`, a function of the format and the lines.
template <class Record, class Read>
Result<Record> records_in(const std::filesystem::path& path, OpenTrace trace, const Read& read) {
  const Format& found = *trace.format;
  const FormatOf<Record>* const format = found.as<Record>();
  if (format == nullptr) {
    return fail(ErrorCode::bad_format, path.string(),
                fmt::format("found {}, expected {}", found.summary, KindOf<Record>::kFile));
  }
  Result<Record> records = read(*format, std::move(trace.lines));
  if (!records) return fail(in_trace(path, std::move(records).error()));
  return records;
}

/// Opens a file of one kind and reads it.
template <class Record, class Read>
Result<Record> read_kind(const std::filesystem::path& path, const ReadAs& as, const Read& read) {
  HOLDFAST_TRY(trace, open_trace(path, as, formats_of<Record>()));
  return records_in<Record>(path, std::move(trace), read);
}

/// Reads the series of a file or, if it has none, the share in service that follows from its outages.
template <class Record>
Result<CapacitySeries> series_in(const FormatOf<Record>& format, TraceText lines,
                                 const SeriesQuestion& question) {
  if constexpr (std::is_same_v<Record, CapacitySeries>) {
    return format.read(std::move(lines), question);
  }
  if constexpr (requires { format.read_service; }) {
    if (format.read_service != nullptr) return format.read_service(std::move(lines));
  }
  if constexpr (requires(const Record& record) { service_of(record); }) {
    HOLDFAST_TRY(record, format.read_all(std::move(lines), {}));
    if constexpr (std::is_same_v<Record, FailureLog>) {
      if (!question.nodes.empty()) {
        auto counted = count_given_nodes(record, question.nodes);
        if (!counted) return fail(ErrorCode::bad_value, "nodes", counted.error().text());
      }
    }
    return service_of(record);
  }
  return fail(ErrorCode::bad_format, "",
              fmt::format("found {}, expected a series of capacity, outages or availability",
                          format.facts.summary));
}

Result<CapacitySeries> read_series(OpenTrace trace, const SeriesQuestion& question) {
  HOLDFAST_CHECK(check_columns(*trace.format, question));
  return std::visit(
      [&](const auto& format) { return series_in(format, std::move(trace.lines), question); },
      trace.format->of);
}

}  // namespace

Result<FailureLog> read_failure_log(const std::filesystem::path& path,
                                    std::optional<std::string> system, const ReadAs& as) {
  return read_kind<FailureLog>(path, as, [&](const auto& format, TraceText lines) {
    return format.read(std::move(lines), std::move(system));
  });
}

Result<AvailabilityRecord> read_availability(const std::filesystem::path& path,
                                             AvailabilityReading reading, const ReadAs& as) {
  return read_kind<AvailabilityRecord>(path, as, [&](const auto& format, TraceText lines) {
    return format.read(std::move(lines), reading);
  });
}

Result<JobLog> read_job_log(const std::filesystem::path& path, const ReadAs& as) {
  return read_kind<JobLog>(path, as, [](const auto& format, TraceText lines) {
    return format.read_all(std::move(lines), {});
  });
}

Result<IoLogs> read_io_logs(const std::filesystem::path& path, const ReadAs& as) {
  return read_kind<IoLogs>(
      path, as, [](const auto& format, TraceText lines) { return format.read(std::move(lines)); });
}

Result<WorkflowRun> read_workflow_run(const std::filesystem::path& path, const ReadAs& as) {
  return read_kind<WorkflowRun>(
      path, as, [](const auto& format, TraceText lines) { return format.read(std::move(lines)); });
}

Result<SpeedupTable> read_run_times(const std::filesystem::path& path, const ReadAs& as) {
  const auto read = [](const auto& format, TraceText lines) {
    return format.read(std::move(lines));
  };
  HOLDFAST_TRY(trace, open_trace(path, as, formats_of<SpeedupTable, WorkflowRun>()));
  if (trace.format->as<WorkflowRun>() == nullptr)
    return records_in<SpeedupTable>(path, std::move(trace), read);
  HOLDFAST_TRY(run, records_in<WorkflowRun>(path, std::move(trace), read));
  SpeedupTable out = run_times_of(run);
  if (!out.empty()) return out;
  return fail(ErrorCode::bad_format, path.string(),
              "found a workflow without a task of known cores and run time, expected run times by "
              "number of processors");
}

Result<CapacitySeries> read_capacity_series(const std::filesystem::path& path,
                                            const SeriesQuestion& question, const ReadAs& as) {
  HOLDFAST_TRY(trace, open_trace(path, as, [](const Format& format) {
                 return format.as<CapacitySeries>() != nullptr ||
                        format.as<FailureLog>() != nullptr ||
                        format.as<AvailabilityRecord>() != nullptr;
               }));
  auto series = read_series(std::move(trace), question);
  if (!series) return fail(in_trace(path, std::move(series).error()));
  return series;
}

}  // namespace holdfast
