#include "holdfast/base/text.hpp"
#include "holdfast/traces/availability/outage_history.hpp"
#include "holdfast/traces/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>

namespace holdfast {
namespace {

constexpr std::size_t kHeadSize = std::size_t{1} << 16;

/// A source that first returns the bytes that were read ahead.
class Replayed final : public ByteSource {
 public:
  Replayed(std::string head, std::unique_ptr<ByteSource> rest)
      : head_{std::move(head)}, rest_{std::move(rest)} {}

  Result<std::size_t> read(std::span<char> buffer) override {
    if (begin_ == head_.size()) return rest_->read(buffer);
    const std::size_t count = std::min(buffer.size(), head_.size() - begin_);
    std::copy_n(head_.data() + begin_, count, buffer.data());
    begin_ += count;
    return count;
  }

 private:
  std::string head_;
  std::size_t begin_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

Result<std::string> read_head(ByteSource& source) {
  std::string head(kHeadSize, '\0');
  std::size_t have = 0;
  while (have < head.size()) {
    HOLDFAST_TRY(count, source.read(std::span(head).subspan(have)));
    if (count == 0) break;
    have += count;
  }
  head.resize(have);
  return head;
}

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

/// Refuses files that are not text, with an error that names their type, and drops a byte order mark.
Status check_text(std::string& head, const std::string& file) {
  struct Kind {
    std::string_view begin;
    std::string_view message;
  };
  constexpr auto kKinds = std::to_array<Kind>({
      {"PK\x03\x04", "found a zip archive, expected text or a compressed text: unpack it first"},
      {"\xFF\xFE", "found text in UTF-16, expected UTF-8: convert it (iconv -f UTF-16 -t UTF-8)"},
      {"\xFE\xFF", "found text in UTF-16, expected UTF-8: convert it (iconv -f UTF-16 -t UTF-8)"},
  });
  for (const Kind& kind : kKinds) {
    if (head.starts_with(kind.begin)) {
      return fail(ErrorCode::bad_format, file, std::string(kind.message));
    }
  }
  if (const std::size_t zero = head.find('\0'); zero != std::string::npos) {
    return fail(ErrorCode::bad_format, file,
                fmt::format("found a binary file (byte {} is zero), expected text", zero + 1));
  }
  const std::size_t end = head.find('\r');
  if (end != std::string::npos && end + 1 < head.size() && head.find('\n') == std::string::npos) {
    return fail(ErrorCode::bad_format, file,
                "found lines that end in CR alone, expected LF or CR LF: convert them (tr '\\r' "
                "'\\n')");
  }
  if (head.starts_with("\xEF\xBB\xBF")) head.erase(0, 3);
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

Result<const Format*> recognised_format(std::string_view head, const std::string& file) {
  for (const Format& format : formats()) {
    if (format.recognise(head)) return &format;
  }
  if (head.empty())
    return fail(ErrorCode::bad_format, file, "found an empty file, expected a trace");
  const std::string begin = beginning(head);
  if (begin.empty()) {
    return fail(ErrorCode::bad_format, file, "found nothing but blank lines, expected a trace");
  }
  return fail(ErrorCode::bad_format, file,
              fmt::format("found a file of no known kind, beginning with {}, expected one of {} "
                          "(say which with --format)",
                          in_quotes(begin), join(format_names(), ", ")));
}

Status check_format(std::string_view name) {
  if (auto format = named_format(name); !format) return fail(std::move(format).error());
  return {};
}

Result<OpenTrace> recognise(std::unique_ptr<ByteSource> source, std::string name,
                            std::string_view format_name) {
  HOLDFAST_TRY(head, read_head(*source));
  HOLDFAST_CHECK(check_text(head, name));
  HOLDFAST_TRY(format,
               format_name.empty() ? recognised_format(head, name) : named_format(format_name));
  auto replayed = std::make_unique<Replayed>(std::move(head), std::move(source));
  return OpenTrace{format, LineReader{std::move(replayed), std::move(name)}};
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

Result<OpenTrace> open_trace(const std::filesystem::path& path, std::string_view format_name) {
  if (!format_name.empty())
    HOLDFAST_CHECK(check_format(format_name));  // before the file is looked for
  HOLDFAST_TRY(source, open_input(path));
  return recognise(std::move(source), path == "-" ? "standard input" : path.string(), format_name);
}

Result<OpenTrace> open_trace(std::unique_ptr<ByteSource> bytes, std::string name,
                             std::string_view format_name) {
  HOLDFAST_TRY(source, decompressed(std::move(bytes), name));
  return recognise(std::move(source), std::move(name), format_name);
}

namespace {

/// Returns the error of a reader, with the file's name if the reader did not know it.
Error in_trace(const std::filesystem::path& path, Error error) {
  const bool is_placed = error.where.find(path.string()) != std::string::npos;
  return is_placed ? error : in_file(path.string(), std::move(error));
}

/// Opens a file of one kind and reads it with `read`, a function of the format and the lines.
template <class Record, class Read>
Result<Record> read_kind(const std::filesystem::path& path, std::string_view format_name,
                         const Read& read) {
  HOLDFAST_TRY(trace, open_trace(path, format_name));
  const FormatOf<Record>* const format = trace.format->as<Record>();
  if (format == nullptr) {
    return fail(ErrorCode::bad_format, path.string(),
                fmt::format("found {}, expected {}", trace.format->summary, KindOf<Record>::kFile));
  }
  Result<Record> records = read(*format, std::move(trace.lines));
  if (!records) return fail(in_trace(path, std::move(records).error()));
  return records;
}

/// Reads the series of a file or, if it has none, the share in service that follows from its outages.
template <class Record>
Result<CapacitySeries> series_in(const FormatOf<Record>& format, LineReader lines,
                                 const SeriesQuestion& question) {
  if constexpr (std::is_same_v<Record, CapacitySeries>) {
    return format.read(std::move(lines), question);
  }
  if constexpr (requires { format.read_service; }) {
    if (format.read_service != nullptr) return format.read_service(std::move(lines));
  }
  if constexpr (requires(const Record& record) { service_of(record); }) {
    HOLDFAST_TRY(record, format.read_all(std::move(lines), {}));
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
                                    std::optional<std::string> system,
                                    std::string_view format_name) {
  return read_kind<FailureLog>(path, format_name, [&](const auto& format, LineReader lines) {
    return format.read(std::move(lines), std::move(system));
  });
}

Result<AvailabilityRecord> read_availability(const std::filesystem::path& path,
                                             AvailabilityReading reading,
                                             std::string_view format_name) {
  return read_kind<AvailabilityRecord>(
      path, format_name,
      [&](const auto& format, LineReader lines) { return format.read(std::move(lines), reading); });
}

Result<JobLog> read_job_log(const std::filesystem::path& path, std::string_view format_name) {
  return read_kind<JobLog>(path, format_name, [](const auto& format, LineReader lines) {
    return format.read_all(std::move(lines), {});
  });
}

Result<IoLogs> read_io_logs(const std::filesystem::path& path, std::string_view format_name) {
  return read_kind<IoLogs>(path, format_name, [](const auto& format, LineReader lines) {
    return format.read(std::move(lines));
  });
}

Result<CapacitySeries> read_capacity_series(const std::filesystem::path& path,
                                            const SeriesQuestion& question,
                                            std::string_view format_name) {
  HOLDFAST_TRY(trace, open_trace(path, format_name));
  auto series = read_series(std::move(trace), question);
  if (!series) return fail(in_trace(path, std::move(series).error()));
  return series;
}

}  // namespace holdfast
