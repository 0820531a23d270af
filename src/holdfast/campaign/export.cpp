#include "holdfast/campaign/export.hpp"

#include "holdfast/base/value.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

/// A file that is written piece by piece under another name, and takes its own when it is complete.
class GrowingFile {
 public:
  static Result<GrowingFile> create(std::filesystem::path path) {
    GrowingFile file(std::move(path));
    file.handle_ = std::fopen(file.partial().c_str(), "wb");
    if (file.handle_ == nullptr) return file.failure();
    return file;
  }
  GrowingFile(GrowingFile&& other) noexcept
      : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, nullptr)) {}
  GrowingFile& operator=(GrowingFile&&) = delete;
  ~GrowingFile() {
    if (handle_ == nullptr) return;
    std::fclose(handle_);
    std::error_code ignored;
    std::filesystem::remove(partial(), ignored);
  }

  Status write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), handle_) != text.size()) return failure();
    return {};
  }
  Status finish() {
    std::FILE* handle = std::exchange(handle_, nullptr);
    if (std::fclose(handle) != 0) return failure();
    std::error_code code;
    std::filesystem::rename(partial(), path_, code);
    if (code) return fail(ErrorCode::io_failure, path_.string(), code.message());
    return {};
  }

 private:
  explicit GrowingFile(std::filesystem::path path) : path_(std::move(path)) {}
  [[nodiscard]] std::filesystem::path partial() const { return path_.string() + ".part"; }
  [[nodiscard]] tl::unexpected<Error> failure() const {
    const int code = errno;
    return fail(ErrorCode::io_failure, path_.string(),
                fmt::format("cannot write: {}; free some space or check the permissions",
                            std::generic_category().message(code)));
  }

  std::filesystem::path path_;
  std::FILE* handle_ = nullptr;
};

using Buffer = fmt::memory_buffer;

void append(Buffer& out, std::string_view text) {
  out.append(text.data(), text.data() + text.size());
}

/// A field of a line of RFC 4180.
void append_field(Buffer& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return append(out, text);
  append(out, "\"");
  for (const char c : text) append(out, c == '"' ? "\"\"" : std::string_view(&c, 1));
  append(out, "\"");
}

/// A swept value as the campaign file has it: a text without quotes, everything else as JSON.
std::string plain(const Value& value) {
  return value.string() != nullptr ? *value.string() : to_compact_json(value);
}

std::string quoted_json(std::string_view text) {
  return to_compact_json(Value(text));
}

/// The parts of a line that do not change from cell to cell, and how lines are put together.
class CsvLines {
 public:
  explicit CsvLines(const Description& description) : description_(description) {}

  void head(Buffer& out) {
    for (const Axis& axis : description_.axes) {
      append_field(out, axis.name);
      append(out, ",");
    }
    append(out, "instance,scenario,strategy,metric,unit,value,completed\n");
    for (const std::string& strategy : description_.strategies) {
      strategies_.push_back(made([&](Buffer& text) { append_field(text, strategy); }));
    }
    for (const StoredMetric& metric : description_.metrics) {
      metrics_.push_back(made([&](Buffer& text) {
        append_field(text, metric.name);
        append(text, ",");
        append_field(text, metric.unit);
      }));
    }
  }
  void begin_point(const std::vector<Value>& values) {
    point_ = made([&](Buffer& text) {
      for (const Value& value : values) {
        append_field(text, plain(value));
        append(text, ",");
      }
    });
  }
  void line(Buffer& out, std::uint64_t instance, std::uint64_t scenario, std::size_t strategy,
            std::size_t metric, double value, bool completed) {
    fmt::format_to(std::back_inserter(out), "{}{},{},{},{},{},{}\n", point_, instance, scenario,
                   strategies_[strategy], metrics_[metric], value, completed ? 1 : 0);
  }
  void foot(Buffer& /*out*/) {}

 private:
  template <class Fill>
  static std::string made(Fill fill) {
    Buffer text;
    fill(text);
    return fmt::to_string(text);
  }

  const Description& description_;
  std::string point_;
  std::vector<std::string> strategies_;
  std::vector<std::string> metrics_;
};

class JsonLines {
 public:
  explicit JsonLines(const Description& description) : description_(description) {}

  void head(Buffer& out) {
    fmt::format_to(std::back_inserter(out),
                   "{{\n  \"holdfast\": {{\"kind\": \"campaign-results\", \"version\": 1}},\n"
                   "  \"name\": {},\n  \"domain\": {},\n  \"seed\": {},\n  \"rows\": [",
                   quoted_json(description_.name), quoted_json(description_.domain),
                   description_.seed);
    for (const std::string& strategy : description_.strategies) {
      strategies_.push_back(quoted_json(strategy));
    }
    for (const StoredMetric& metric : description_.metrics) {
      metrics_.push_back(fmt::format("\"metric\": {}, \"unit\": {}", quoted_json(metric.name),
                                     quoted_json(metric.unit)));
    }
  }
  void begin_point(const std::vector<Value>& values) {
    point_.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
      point_ += fmt::format("{}: {}, ", quoted_json(description_.axes[i].name),
                            to_compact_json(values[i]));
    }
  }
  void line(Buffer& out, std::uint64_t instance, std::uint64_t scenario, std::size_t strategy,
            std::size_t metric, double value, bool completed) {
    fmt::format_to(std::back_inserter(out),
                   "{}\n    {{{}\"instance\": {}, \"scenario\": {}, \"strategy\": {}, {}, "
                   "\"value\": {}, \"completed\": {}}}",
                   is_first_ ? "" : ",", point_, instance, scenario, strategies_[strategy],
                   metrics_[metric], value, completed);
    is_first_ = false;
  }
  void foot(Buffer& out) { append(out, is_first_ ? "]\n}\n" : "\n  ]\n}\n"); }

 private:
  const Description& description_;
  bool is_first_ = true;
  std::string point_;
  std::vector<std::string> strategies_;
  std::vector<std::string> metrics_;
};

template <class Lines>
void append_point(Lines& lines, const PointCells& cells, Buffer& out) {
  for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
    for (std::size_t strategy = 0; strategy < cells.strategies(); ++strategy) {
      const auto cell = cells.cell(draw, strategy);
      if (!cell) continue;
      for (std::size_t metric = 0; metric < cells.metrics(); ++metric) {
        const double value = cell->metrics[metric];
        if (value != value) continue;  // NaN: the metric does not exist
        lines.line(out, draw / cells.scenarios(), draw % cells.scenarios(), strategy, metric, value,
                   cell->completed);
      }
    }
  }
}

template <class Lines>
Status write_lines(const Results& results, GrowingFile& file) {
  Lines lines(results.description());
  Buffer buffer;
  lines.head(buffer);
  HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) {
    lines.begin_point(results.parameters(cells.position()));
    append_point(lines, cells, buffer);
    Status written = file.write({buffer.data(), buffer.size()});
    buffer.clear();
    return written;
  }));
  lines.foot(buffer);
  return file.write({buffer.data(), buffer.size()});
}

}  // namespace

Result<ExportFormat> parse_export_format(std::string_view text, std::string_view where) {
  if (text == "csv") return ExportFormat::csv;
  if (text == "json") return ExportFormat::json;
  return fail(ErrorCode::usage, std::string(where),
              fmt::format("found '{}', expected csv or json", text));
}

Result<std::filesystem::path> export_results(const Results& results, ExportFormat format) {
  const bool is_csv = format == ExportFormat::csv;
  const std::filesystem::path path =
      results.directory() / (is_csv ? "results.csv" : "results.json");
  HOLDFAST_TRY(file, GrowingFile::create(path));
  HOLDFAST_CHECK(is_csv ? write_lines<CsvLines>(results, file)
                        : write_lines<JsonLines>(results, file));
  HOLDFAST_CHECK(file.finish());
  return path;
}

}  // namespace holdfast
