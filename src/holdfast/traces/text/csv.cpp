#include "holdfast/traces/text/csv.hpp"

#include "holdfast/base/csv_cell.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/traces/text/words.hpp"

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
    } else if (const std::size_t end =
                   delimiter == ' ' ? i + 1
                                    : std::min(line.find_first_not_of(' ', i + 1), line.size());
               end == line.size() || line[end] == delimiter) {
      return end;
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
    std::size_t end = 0, quote = begin;
    while (delimiter != ' ' && quote < line.size() && line[quote] == ' ') ++quote;
    if (quote < line.size() && line[quote] == '"') {
      const std::size_t stored = storage.size();
      HOLDFAST_TRY(behind, unquote(line, quote + 1, storage, delimiter));
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

bool header_has(std::string_view head, std::string_view columns) {
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  const std::vector<std::string_view> wanted = split(columns, ',');
  for (const std::string_view line : split(head, '\n')) {
    std::string_view text = trim(line);
    if (text.empty()) continue;
    const bool is_comment = text.front() == '#';
    if (is_comment) text.remove_prefix(1);
    const std::size_t mark = text.find_first_of(",\t|");
    std::vector<std::string_view> names;
    std::string storage;
    if (mark == text.npos) {
      split_words(text, names);
    } else if (!split_csv(text, names, storage, text[mark])) {
      return false;
    }
    for (std::string_view& name : names) name = trim(name);
    const bool has_all = std::ranges::all_of(
        wanted, [&](std::string_view one) { return std::ranges::find(names, one) != names.end(); });
    if (has_all || !is_comment) return has_all;
  }
  return false;
}

std::string csv_field(std::string_view text) {
  const bool reads_back = text.find('#') == std::string_view::npos && trim(text) == text;
  return reads_back ? csv_cell(text) : quoted_csv_cell(text);
}

}  // namespace holdfast
