#include "holdfast/traces/text/csv.hpp"

#include "holdfast/base/csv_cell.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Reads a quoted field, which starts at `begin` after the opening quote; its text is appended to `storage`.
Result<std::size_t> unquote(std::string_view line, std::size_t begin, std::string& storage,
                            char delimiter) {
  for (std::size_t i = begin; i < line.size(); ++i) {
    if (line[i] != '"') {
      storage += line[i];
    } else if (i + 1 < line.size() && line[i + 1] == '"') {
      storage += line[i++];
    } else if (i + 1 == line.size() || line[i + 1] == delimiter) {
      return i + 1;
    } else {
      return fail(ErrorCode::bad_format, {}, "found text behind a closing quote, expected a comma");
    }
  }
  return fail(ErrorCode::bad_format, {},
              "found the end of the line inside quotes, expected a closing quote");
}

}  // namespace

Status split_csv(std::string_view line, std::vector<std::string_view>& fields, std::string& storage,
                 char delimiter) {
  fields.clear();
  storage.clear();
  storage.reserve(line.size());  // it never grows beyond that, so views into it stay valid
  std::size_t begin = 0;
  for (;;) {
    std::size_t end = 0;
    if (begin < line.size() && line[begin] == '"') {
      const std::size_t stored = storage.size();
      HOLDFAST_TRY(behind, unquote(line, begin + 1, storage, delimiter));
      fields.push_back(from_csv_cell(std::string_view(storage).substr(stored)));
      end = behind;
    } else {
      end = std::min(line.find(delimiter, begin), line.size());
      fields.push_back(from_csv_cell(line.substr(begin, end - begin)));
    }
    if (end == line.size()) return {};
    begin = end + 1;
  }
}

bool csv_header_has(std::string_view head, std::span<const std::string_view> columns) {
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  for (const std::string_view line : split(head, '\n')) {
    const std::string_view text = trim(line);
    if (text.empty() || text.front() == '#') continue;
    std::vector<std::string_view> names;
    std::string storage;
    if (!split_csv(text, names, storage)) return false;
    return std::ranges::all_of(columns, [&](std::string_view wanted) {
      return std::ranges::any_of(names,
                                 [&](std::string_view name) { return trim(name) == wanted; });
    });
  }
  return false;
}

std::string csv_field(std::string_view text) {
  const bool reads_back = text.find('#') == std::string_view::npos && trim(text) == text;
  return reads_back ? csv_cell(text) : quoted_csv_cell(text);
}

Result<CsvReader> CsvReader::open(LineReader lines, Options options) {
  CsvReader reader{std::move(lines), options};
  for (;;) {
    HOLDFAST_TRY(more, reader.lines_.next(reader.line_));
    if (!more) {
      return fail(ErrorCode::bad_format, reader.place(),
                  "found no header row, expected names of columns");
    }
    if (reader.lines_.number() == 1 && reader.line_.starts_with(kByteOrderMark)) {
      reader.line_.remove_prefix(kByteOrderMark.size());
    }
    if (options.comments && reader.line_.starts_with('#')) {
      reader.comments_.emplace_back(trim(reader.line_.substr(1)));
    } else if (!trim(reader.line_).empty()) {
      break;
    }
  }
  if (auto status = split_csv(reader.line_, reader.fields_, reader.storage_); !status) {
    return fail(in_file(reader.place(), std::move(status).error()));
  }
  for (const std::string_view field : reader.fields_) reader.header_.emplace_back(trim(field));
  return reader;
}

std::optional<std::size_t> CsvReader::column(std::string_view name) const {
  const auto found = std::find(header_.begin(), header_.end(), name);
  if (found == header_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header_.begin());
}

Result<std::vector<std::size_t>> CsvReader::columns(std::span<const std::string_view> names) const {
  std::vector<std::size_t> out;
  std::vector<std::string_view> missing;
  for (const std::string_view name : names) {
    if (const auto position = column(name)) {
      out.push_back(*position);
    } else {
      missing.push_back(name);
    }
  }
  if (missing.empty()) return out;
  return fail(ErrorCode::bad_format, place(),
              fmt::format("found a header without {}, expected columns {}", join(missing, ", "),
                          join(names, ", ")));
}

Result<bool> CsvReader::next() {
  for (;;) {
    HOLDFAST_TRY(more, lines_.next(line_));
    if (!more) return false;
    const bool is_comment = options_.comments && line_.starts_with('#');
    if (!is_comment && !trim(line_).empty()) break;
  }
  if (auto status = split_csv(line_, fields_, storage_); !status) {
    return fail(in_file(place(), std::move(status).error()));
  }
  if (fields_.size() != header_.size()) {
    return fail(ErrorCode::bad_format, place(),
                fmt::format("found {} fields, expected {} as in the header", fields_.size(),
                            header_.size()));
  }
  return true;
}

std::string CsvReader::place(std::size_t column) const {
  return fmt::format("{}: {}", place(), header_[column]);
}

Result<std::optional<double>> optional_number(const CsvReader& rows, std::size_t column) {
  constexpr double kMost = 1e15;
  const std::string_view text = trim(rows[column]);
  if (text.empty()) return std::optional<double>{};
  const auto value = parse_quantity(text, Unit::none);
  if (value && *value >= 0 && *value <= kMost) return std::optional<double>{*value};
  return fail(ErrorCode::bad_value, rows.place(column),
              fmt::format("found {}, expected a number from 0 to 1e15", in_quotes(text)));
}

}  // namespace holdfast
