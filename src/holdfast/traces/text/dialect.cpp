#include "holdfast/traces/text/dialect.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/traces/text/words.hpp"

#include <algorithm>
#include <map>

namespace holdfast {
namespace {

/// Returns where the groups of dashes of a rule begin; none if it has one group alone.
std::vector<std::size_t> groups_of(std::string_view rule) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < rule.size(); ++i) {
    if (rule[i] != ' ' && (i == 0 || rule[i - 1] == ' ')) out.push_back(i);
  }
  if (rule.find_first_of("|+") != rule.npos || out.size() == 1) out.clear();
  return out;
}

/// Returns where columns begin that are separated by positions at which every line is blank.
/// A column without a name belongs to the one on its left: the time of day of a date.
std::vector<std::size_t> blank_columns(std::span<const TableLine> lines) {
  std::vector<bool> is_used;
  for (const TableLine& line : lines) {
    if (line.text.size() > is_used.size()) is_used.resize(line.text.size());
    for (std::size_t i = 0; i < line.text.size(); ++i) {
      if (line.text[i] != ' ' && line.text[i] != '\t') is_used[i] = true;
    }
  }
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < is_used.size(); ++i) {
    if (is_used[i] && (i == 0 || !is_used[i - 1])) out.push_back(i);
  }
  const std::string_view names = lines.front().text;
  if (names.find_first_of("0123456789") != names.npos) return out;
  for (std::size_t i = out.size(); i-- > 1;) {
    const std::size_t end = i + 1 < out.size() ? out[i + 1] : names.npos;
    const bool has_name =
        out[i] < names.size() &&
        !trim(names.substr(out[i], end == names.npos ? end : end - out[i])).empty();
    if (!has_name) out.erase(out.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return out;
}

/// Returns true for one column of numbers under a name, "ttf (h)" above "12,5", whatever its commas and blanks are.
bool is_one_column(std::span<const TableLine> lines) {
  const auto is_number = [](const TableLine& line) {
    const std::string_view text = trim(line.text);
    return text.find_first_of(" ;\t|") == text.npos &&
           (number_in(text, true) || number_in(text, false));
  };
  if (lines.size() < 2 || lines[0].text.find_first_of(",;\t|") != std::string_view::npos)
    return false;
  const bool is_name = words_of(lines[0].text).size() == 1 || unit_in_name(lines[0].text);
  return is_name && !is_number(lines[0]) && std::ranges::all_of(lines.subspan(1), is_number);
}

}  // namespace

bool is_rule(std::string_view line) {
  constexpr std::size_t kShortest = 3;
  const std::string_view text = trim(line);
  return text.size() >= kShortest && text.find_first_not_of("-=+| :") == text.npos &&
         text.find_first_of("-=") != text.npos &&
         text.find("--") + text.find("==") != 2 * text.npos;
}

std::pair<std::size_t, std::size_t> usual_width(const Dialect& dialect,
                                                std::span<const TableLine> lines) {
  std::map<std::size_t, std::size_t> count_of;
  std::vector<std::string_view> cells;
  std::string storage;
  std::size_t first = 0;
  for (const TableLine& line : lines) {
    if (!dialect.split(line.text, cells, storage)) continue;
    if (first == 0) first = cells.size();
    ++count_of[cells.size()];
  }
  std::pair<std::size_t, std::size_t> out{1, 0};
  for (const auto& [cells_of_line, count] : count_of) {
    const bool is_tie = count == out.second && out.first == first;
    if (cells_of_line > 1 && count >= out.second && !is_tie) out = {cells_of_line, count};
  }
  return out;
}

Dialect dialect_of(std::span<const TableLine> lines, std::string_view rule) {
  if (auto starts = groups_of(rule); !starts.empty()) {
    return {.by = Dialect::By::widths, .starts = std::move(starts)};
  }
  const auto some = lines.first(std::min(lines.size(), kMostForDialect));
  if (is_one_column(some)) return {.delimiter = '\t'};
  Dialect best;
  std::size_t most = 0;
  for (const char delimiter : {'\t', '|', ';', ',', ':'}) {
    const Dialect one{.delimiter = delimiter};
    const auto [width, lines_of_it] = usual_width(one, some);
    constexpr std::size_t kWide = 20;  // colons are in times, too
    const std::size_t count = delimiter == ':' && width < kWide ? 0 : lines_of_it;
    if (count > most) best = one;
    most = std::max(most, count);
  }
  const Dialect blanks{.by = Dialect::By::blanks};
  const std::size_t count = usual_width(blanks, some).second;
  if (count > most) best = blanks;
  constexpr double kMostly = 0.8;
  const auto wanted = kMostly * static_cast<double>(some.size());
  if (best.by == Dialect::By::blanks && static_cast<double>(count) < wanted) {
    if (auto starts = blank_columns(some); starts.size() > 1) {
      return {.by = Dialect::By::widths, .starts = std::move(starts)};
    }
  }
  if (best.by != Dialect::By::delimiter) return best;
  const auto all = [&](auto has) {
    return std::ranges::all_of(some, [&](const TableLine& line) { return has(line.text); });
  };
  best.is_opened = all([&](std::string_view line) { return line.starts_with(best.delimiter); });
  best.is_closed = all([&](std::string_view line) { return line.ends_with(best.delimiter); });
  return best;
}

}  // namespace holdfast
