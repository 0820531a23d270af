#include "holdfast/campaign/export.hpp"

#include "holdfast/base/csv_cell.hpp"
#include "holdfast/base/new_file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/campaign/export_sqlite.hpp"
#include "holdfast/campaign/typed_columns.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <vector>

namespace holdfast {
namespace {

using Buffer = fmt::memory_buffer;

void append(Buffer& out, std::string_view text) {
  out.append(text.data(), text.data() + text.size());
}

void append_field(Buffer& out, std::string_view text) {
  append(out, csv_cell(text));
}

/// Returns a value as a cell: a text without quotes, null as an empty cell, everything else as JSON.
std::string plain(const Value& value) {
  if (value.is_null()) return "";
  return value.string() != nullptr ? *value.string() : to_compact_json(value);
}

std::string quoted_json(std::string_view text) {
  return to_compact_json(Value(text));
}

/// A writer of lines, which keeps the parts that do not change from cell to cell.
class CsvLines {
 public:
  CsvLines(const Description& description, std::span<const TypedColumn> columns)
      : description_(description), columns_(columns) {}

  void head(Buffer& out) {
    for (const TypedColumn& column : columns_) {
      append_field(out, column.name);
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
      for (const TypedColumn& column : columns_) {
        append_field(text, plain(column.value(values)));
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
  std::span<const TypedColumn> columns_;
  std::string point_;
  std::vector<std::string> strategies_;
  std::vector<std::string> metrics_;
};

class JsonLines {
 public:
  JsonLines(const Description& description, std::span<const TypedColumn> columns)
      : description_(description), columns_(columns) {}

  void head(Buffer& out) {
    fmt::format_to(std::back_inserter(out),
                   "{{\n  \"holdfast\": {{\"kind\": \"campaign-results\", \"version\": 2}},\n"
                   "  \"name\": {},\n  \"domain\": {},\n  \"seed\": {},\n  \"parameters\": {},\n"
                   "  \"rows\": [",
                   quoted_json(description_.name), quoted_json(description_.domain),
                   description_.seed, to_compact_json(told_columns()));
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
    for (const TypedColumn& column : columns_) {
      point_ +=
          fmt::format("{}: {}, ", quoted_json(column.name), to_compact_json(column.value(values)));
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
  [[nodiscard]] Value told_columns() const {
    Value out = Value::array();
    for (const TypedColumn& column : columns_) {
      out.push(Value::object({{"column", column.name},
                              {"parameter", column.parameter},
                              {"unit", symbol(column.unit)}}));
    }
    return out;
  }

  const Description& description_;
  std::span<const TypedColumn> columns_;
  bool is_first_ = true;
  std::string point_;
  std::vector<std::string> strategies_;
  std::vector<std::string> metrics_;
};

template <class Lines>
Status write_point(Lines& lines, const PointCells& cells, Buffer& out, NewFile& file) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  for (std::size_t draw = 0; draw < cells.draws(); ++draw) {
    for (std::size_t strategy = 0; strategy < cells.strategies(); ++strategy) {
      const auto cell = cells.cell(draw, strategy);
      if (!cell) continue;
      for (std::size_t metric = 0; metric < cells.metrics(); ++metric) {
        const double value = cells.metric(draw, strategy, metric);
        if (value != value) continue;  // NaN: the metric has no value
        lines.line(out, draw / cells.scenarios(), draw % cells.scenarios(), strategy, metric, value,
                   cell->completed);
      }
    }
    if (out.size() < kPiece && draw + 1 < cells.draws()) continue;
    HOLDFAST_CHECK(file.write({out.data(), out.size()}));
    out.clear();
  }
  return {};
}

template <class Lines>
Status write_lines(const Results& results, std::span<const TypedColumn> columns, NewFile& file) {
  Lines lines(results.description(), columns);
  Buffer buffer;
  lines.head(buffer);
  HOLDFAST_CHECK(results.for_each_point([&](const PointCells& cells) {
    lines.begin_point(results.parameters(cells.position()));
    return write_point(lines, cells, buffer, file);
  }));
  lines.foot(buffer);
  return file.write({buffer.data(), buffer.size()});
}

std::string_view name_of(ExportFormat format) {
  switch (format) {
    case ExportFormat::csv:
      return "results.csv";
    case ExportFormat::json:
      return "results.json";
    case ExportFormat::sqlite:
      break;
  }
  return "cells.sqlite";
}

}  // namespace

Result<ExportFormat> parse_export_format(std::string_view text, std::string_view where) {
  if (text == "csv") return ExportFormat::csv;
  if (text == "json") return ExportFormat::json;
  if (text == "sqlite") return ExportFormat::sqlite;
  return fail(ErrorCode::usage, std::string(where),
              fmt::format("found {}, expected csv, json or sqlite", in_quotes(text)));
}

Result<std::filesystem::path> export_results(const Results& results, ExportFormat format,
                                             std::span<const Parameter> fields) {
  const std::filesystem::path path = results.directory() / name_of(format);
  HOLDFAST_TRY(file, NewFile::create(path, Links::refused));
  const std::vector<TypedColumn> columns = typed_columns(results.description().axes, fields);
  switch (format) {
    case ExportFormat::csv:
      HOLDFAST_CHECK(write_lines<CsvLines>(results, columns, file));
      break;
    case ExportFormat::json:
      HOLDFAST_CHECK(write_lines<JsonLines>(results, columns, file));
      break;
    case ExportFormat::sqlite:
      if (file.unfinished().empty())
        return fail(ErrorCode::io_failure, path.string(), "found no regular file; remove it");
      HOLDFAST_CHECK(write_sqlite(results, file.unfinished()));
      break;
  }
  HOLDFAST_CHECK(file.finish());
  return path;
}

}  // namespace holdfast
