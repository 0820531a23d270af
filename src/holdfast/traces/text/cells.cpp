#include "holdfast/base/limits.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/sniff.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Returns the number of bytes of a mark between thousands that begins here: blank, ', no-break space, or `mark`; 0: none.
std::size_t length_of_mark(std::string_view rest, char mark) {
  if (rest.starts_with("\xC2\xA0")) return 2;
  if (rest.starts_with("\xE2\x80\xAF")) return 3;
  return rest.front() == ' ' || rest.front() == '\'' || rest.front() == mark ? 1 : 0;
}

/// Returns the number in the plain notation of programs; nothing if it is not in groups of three digits.
std::optional<std::string> without_marks(std::string_view text, bool has_decimal_comma) {
  std::string out;
  const char point = has_decimal_comma ? ',' : '.';
  std::size_t digits = 0;  // since the last mark
  bool is_grouped = false, is_fraction = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const std::size_t mark =
        is_fraction ? 0 : length_of_mark(text.substr(at), has_decimal_comma ? '.' : ',');
    if (is_digit(c)) {
      ++digits;
      out += c;
    } else if (mark > 0) {
      if (digits == 0 || digits > 3 || (is_grouped && digits != 3)) return std::nullopt;
      is_grouped = true;
      digits = 0;
      at += mark - 1;
    } else {
      if (!is_fraction && is_grouped && digits != 3) return std::nullopt;
      if (c != point && c != '-' && c != '+' && c != 'e' && c != 'E') return std::nullopt;
      is_fraction = is_fraction || c == point || c == 'e' || c == 'E';
      out += c == point ? '.' : c;
    }
  }
  if (!is_fraction && is_grouped && digits != 3) return std::nullopt;
  return out;
}

/// Returns the text of a plain JSON value; nothing for a list or an object.
std::optional<std::string> text_of(const Value& value) {
  if (value.is_null()) return std::string();
  if (value.string() != nullptr) return *value.string();
  if (const bool* flag = value.boolean()) return std::string(*flag ? "true" : "false");
  std::int64_t whole = 0;
  if (value.get_integer(whole)) return std::to_string(whole);
  if (value.is_number()) return to_text(value.number());
  return std::nullopt;
}

using Members = std::vector<std::pair<std::string, std::string>>;

/// Adds the members of a value under a name.
void flatten(const std::string& name, const Value& value, Members& out) {
  if (const auto text = text_of(value)) {
    out.emplace_back(name, *text);
  } else if (const auto* list = value.array_items()) {
    std::string all;
    for (const Value& one : *list) {
      const auto item = text_of(one);
      // Slurm's resources: [{"type": "cpu", "count": 16}, ...]
      const Value* type = item ? nullptr : one.find("type");
      const Value* count = item ? nullptr : one.find("count");
      if (type != nullptr && type->string() != nullptr && count != nullptr) {
        flatten(name + "." + *type->string(), *count, out);
        continue;
      }
      if (!item) return;
      all += (all.empty() ? "" : ",") + *item;
    }
    if (!all.empty() || list->empty()) out.emplace_back(name, std::move(all));
  } else if (const Value* number = value.find("number"); number && value.find("set") != nullptr) {
    const bool* is_set =
        value.find("set")->boolean();  // as Slurm writes numbers that may be absent
    out.emplace_back(name, is_set != nullptr && !*is_set ? "" : text_of(*number).value_or(""));
  } else {
    for (const auto& [key, inner] : *value.members()) flatten(name + "." + key, inner, out);
  }
}

/// Returns a text in UTF-16, which begins with a byte order mark, in UTF-8.
std::string from_utf16(std::string_view text) {
  const bool is_little = text.front() == '\xFF';
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const auto second = static_cast<unsigned char>(text[at + 1]);
    return static_cast<char32_t>(is_little ? first | (second << 8) : second | (first << 8));
  };
  std::string out;
  const auto add = [&](char32_t bits, int shift, unsigned lead) {
    out += static_cast<char>(lead | (bits >> shift));
    for (shift -= 6; shift >= 0; shift -= 6)
      out += static_cast<char>(0x80 | ((bits >> shift) & 0x3F));
  };
  for (std::size_t at = 2; at + 1 < text.size(); at += 2) {
    char32_t point = unit(at);
    if (point >= 0xD800 && point < 0xDC00 && at + 3 < text.size()) {
      point = 0x10000 + ((point - 0xD800) << 10) + (unit(at += 2) & 0x3FF);
    }
    if (point < 0x80)
      add(point, 0, 0);
    else if (point < 0x800)
      add(point, 6, 0xC0);
    else if (point < 0x10000)
      add(point, 12, 0xE0);
    else
      add(point, 18, 0xF0);
  }
  return out;
}

}  // namespace

Result<LineReader> in_utf8(LineReader lines) {
  HOLDFAST_TRY(head, lines.head(64));  // at least a byte order mark
  if (!head.starts_with("\xFF\xFE") && !head.starts_with("\xFE\xFF")) return lines;
  const std::string name = lines.name();
  HOLDFAST_TRY(text, lines.rest(kMostJson));
  return LineReader(open_text(from_utf16(text)), name);
}

std::string from_latin_1(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0 | (byte >> 6));
      out += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> pairs_in(std::string_view line) {
  Members out;
  for (const std::string_view word : words_of(line)) {
    const std::size_t mark = word.find('=');
    if (mark != word.npos && mark > 0)
      out.emplace_back(word.substr(0, mark), word.substr(mark + 1));
  }
  return out;
}

std::string plain_name(std::string_view column) {
  std::string out;
  int depth = 0;
  for (const std::string_view what : {"parameter_", "parameters."}) {  // of hyperfine
    if (column.starts_with(what)) column.remove_prefix(what.size());
  }
  for (const char c : lower_case(column)) {
    if (c == '(' || c == '[') ++depth;
    const bool is_letter = (c >= 'a' && c <= 'z') || (c & 0x80) != 0;
    if (depth == 0 && (is_letter || is_digit(c))) out += c;
    if ((c == ')' || c == ']') && depth > 0) --depth;
  }
  return out;
}

std::optional<double> seconds_in(std::string_view unit) {
  constexpr double kMonth = 86400 * 30.4375;  // the mean of a calendar's
  if (unit == "month" || unit == "months" || unit == "monate" || unit == "mois") return kMonth;
  const bool has_number = !unit.empty() && is_digit(unit.front());  // "30d"
  const std::string one = (has_number ? "" : "1") + std::string(unit);
  if (unit.empty() || parse_quantity(one, Unit::none)) return std::nullopt;  // "e5", "0"
  const auto seconds = parse_quantity(one, Unit::seconds);
  return seconds && *seconds > 0 ? std::optional(*seconds) : std::nullopt;
}

std::optional<std::pair<double, std::string>> unit_in_name(std::string_view column) {
  if (lower_case(column).find("power") != column.npos) return std::nullopt;  // W is no week
  const std::size_t open = column.find_first_of("([");
  const std::size_t close = column.find_first_of(")]", open);
  if (close != column.npos) {
    const std::string unit = lower_case(trim(column.substr(open + 1, close - open - 1)));
    if (const auto factor = seconds_in(unit)) return std::pair(*factor, plain_name(column));
  }
  const std::size_t mark = column.find_last_of("_ .");
  if (mark == column.npos || mark == 0) return std::nullopt;
  const auto factor = seconds_in(lower_case(column.substr(mark + 1)));
  return factor ? std::optional(std::pair(*factor, plain_name(column.substr(0, mark))))
                : std::nullopt;
}

bool is_missing(std::string_view cell) {
  constexpr auto kWords = std::to_array<std::string_view>(
      {"-", "?", "na", "n/a", "#n/a", "null", "none", "unknown", "nan", "nil", "--", "n/e", "n.a.",
       "ongoing", "still down", "not yet", "offen"});
  constexpr std::size_t kLongest = 10;
  if (cell.empty() || cell.starts_with("0000-00-00")) return true;
  if (cell.size() > kLongest || is_digit(cell.front())) return false;
  return std::ranges::find(kWords, lower_case(cell)) != kWords.end();
}

bool begins_totals(std::string_view cell) {
  constexpr auto kWords = std::to_array<std::string_view>(
      {"total",        "totals",  "sum",   "summe", "gesamt", "insgesamt", "grand",
       "subtotal",     "average", "avg",   "mean",  "median", "mittel",    "mittelwert",
       "durchschnitt", "moyenne", "somme", "media", "suma",   "min",       "max"});
  constexpr std::size_t kLongest = 64;
  if (cell.empty() || cell.size() > kLongest) return false;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (!is_letter(cell.front())) return false;
  const auto end = std::ranges::find_if_not(cell, is_letter);
  const auto size = static_cast<std::size_t>(end - cell.begin());
  if (size < cell.size() && cell[size] != ' ' && cell[size] != ':') return false;
  return std::ranges::find(kWords, lower_case(cell.substr(0, size))) != kWords.end();
}

std::optional<Instant> clock_in(std::string_view cell) {
  constexpr std::size_t kLongest = 20;
  if (cell.size() > kLongest || cell.find(':') == cell.npos || !is_digit(cell[0]))
    return std::nullopt;
  const auto on_a_day = read_written_date(fmt::format("1970-01-01 {}", cell));
  if (!on_a_day || on_a_day->instant.seconds >= kClockDay) return std::nullopt;
  return on_a_day->instant;
}

namespace {

/// Returns the watts, or watt hours, in a cell such as "12.5 kW".
std::optional<double> power_in(std::string_view cell, bool has_decimal_comma) {
  constexpr auto kUnits = std::to_array<std::pair<std::string_view, double>>(
      {{"W", 1}, {"kW", 1e3}, {"MW", 1e6}, {"GW", 1e9}});
  const std::size_t end = cell.find_last_of("0123456789");
  if (end == cell.npos) return std::nullopt;
  std::string_view unit = trim(cell.substr(end + 1));
  if (unit.ends_with('h')) unit.remove_suffix(1);
  const auto found = std::ranges::find(kUnits, unit, &std::pair<std::string_view, double>::first);
  const auto number = number_in(cell.substr(0, end + 1), has_decimal_comma);
  return found == kUnits.end() || !number ? std::nullopt : std::optional(*number * found->second);
}

}  // namespace

std::optional<double> number_in(std::string_view cell, bool has_decimal_comma) {
  if (!has_decimal_comma) {
    if (const auto plain = finite_number(cell)) return plain;
  }
  constexpr std::size_t kLongest = 64;
  if (cell.ends_with('%')) cell = trim(cell.substr(0, cell.size() - 1));
  if (cell.ends_with('W') || cell.ends_with("Wh")) return power_in(cell, has_decimal_comma);
  if (cell.starts_with('+')) cell.remove_prefix(1);
  if (cell.size() > kLongest || cell.find_first_of(kDigits) == cell.npos) return std::nullopt;
  const auto plain = without_marks(cell, has_decimal_comma);
  return plain ? finite_number(*plain) : std::nullopt;
}

std::optional<double> count_in(std::string_view cell, bool has_decimal_comma) {
  constexpr double kThousandth = 1e-3;
  const bool is_small = cell.size() > 1 && cell.ends_with('m') && is_digit(cell[cell.size() - 2]);
  const auto number = number_in(cell.substr(0, cell.size() - is_small), has_decimal_comma);
  return number && is_small ? std::optional(*number * kThousandth) : number;
}

std::optional<double> duration_in(std::string_view cell) {
  if (cell.empty() || !is_digit(cell.front())) return std::nullopt;
  double fraction = 0;
  const std::size_t colon = cell.find(':');
  if (colon == cell.npos) {
    const std::size_t minutes = cell.find('m');
    if (minutes != cell.npos && minutes + 2 < cell.size() && cell.ends_with('s') &&
        is_digit(cell[minutes + 1])) {  // 0m10.500s, as the shell prints
      const auto whole = finite_number(cell.substr(0, minutes));
      const auto seconds = finite_number(cell.substr(minutes + 1, cell.size() - minutes - 2));
      if (whole && seconds && *whole >= 0) return *whole * 60 + *seconds;
    }
    const auto value = parse_quantity(cell, Unit::seconds);
    return value && *value >= 0 ? std::optional(*value) : std::nullopt;
  }
  if (const std::size_t point = cell.find('.', colon); point != cell.npos) {
    const auto part = finite_number("0" + std::string(cell.substr(point)));
    if (!part) return std::nullopt;
    fraction = *part;
    cell = cell.substr(0, point);
  }
  const bool has_days = cell.find('-') != cell.npos;
  std::string text(cell);
  if (!has_days && text.find(':', colon + 1) == text.npos) text = "0:" + text;  // mm:ss
  if (text.find(':') == 1 && text.front() == '0' && text.size() == 6) text.insert(2, "0");
  const auto value = parse_quantity(text, Unit::seconds);
  return value ? std::optional(*value + fraction) : std::nullopt;
}

Status Dialect::split(std::string_view line, std::vector<std::string_view>& cells,
                      std::string& storage) const {
  if (by == By::blanks) {
    split_words(line, cells);
    return {};
  }
  if (by == By::widths) {
    cells.clear();
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const std::size_t begin = std::min(i == 0 ? 0 : starts[i], line.size());
      const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : line.npos;
      cells.push_back(trim(line.substr(begin, end == line.npos ? end : end - begin)));
    }
    return {};
  }
  if (by == By::json || by == By::pairs) {
    Members found;
    if (by == By::pairs) {
      found = pairs_in(line);
    } else {
      HOLDFAST_TRY(members, JsonRows::members(line));
      found = std::move(members);
    }
    storage.clear();
    std::vector<std::pair<std::size_t, std::size_t>> places(names.size());
    for (const auto& [name, text] : found) {
      const auto at = std::ranges::find(names, name);
      if (at == names.end()) continue;
      places[static_cast<std::size_t>(at - names.begin())] = {storage.size(), text.size()};
      storage += text;
    }
    cells.clear();
    for (const auto& [begin, size] : places) {
      cells.push_back(std::string_view(storage).substr(begin, size));
    }
    return {};
  }
  if (is_opened && line.starts_with(delimiter)) line.remove_prefix(1);
  if (is_closed && line.ends_with(delimiter)) line.remove_suffix(1);
  return split_csv(line, cells, storage, delimiter);
}

std::string Dialect::in_words() const {
  switch (by) {
    case By::blanks:
      return "blanks";
    case By::widths:
      return "columns of fixed width";
    case By::json:
      return "JSON";
    case By::pairs:
      return "NAME=VALUE";
    case By::delimiter:
      break;
  }
  return delimiter == '\t' ? "tabs" : fmt::format("'{}'", delimiter);
}

JsonRows::JsonRows(std::string_view text) : text_{text} {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return;
  at_ = first + (text[first] == '[' ? 1 : 0);
  if (text[first] != '{') return;
  const std::string_view object = next();
  const std::size_t following = text.find_first_not_of(" \t\r\n,", at_);
  at_ = first;
  if (!object.empty() && following != text.npos) return;  // one object after another
  // One object: its first list of objects, outside of texts.
  bool is_text = false;
  for (std::size_t i = first; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      is_text = !is_text;
    else if (text[i] == '[' && !is_text) {
      const std::size_t inner = text.find_first_not_of(" \t\r\n", i + 1);
      if (inner == text.npos || text[inner] != '{') continue;
      at_ = inner;
      return;
    }
  }
}

std::string_view JsonRows::next() {
  const std::size_t begin = text_.find_first_not_of(" \t\r\n,", at_);
  if (begin == text_.npos || text_[begin] != '{') return {};
  int depth = 0;
  bool is_text = false;
  for (std::size_t i = begin; i < text_.size(); ++i) {
    const char c = text_[i];
    if (is_text && c == '\\')
      ++i;
    else if (c == '"')
      is_text = !is_text;
    else if (!is_text && (c == '{' || c == '['))
      ++depth;
    else if (!is_text && (c == '}' || c == ']') && --depth == 0) {
      at_ = i + 1;
      return text_.substr(begin, at_ - begin);
    }
  }
  at_ = text_.size();
  return {};
}

Result<Members> JsonRows::members(std::string_view object) {
  HOLDFAST_TRY(value, parse_json(object));
  Members out;
  if (value.members() == nullptr) return out;
  for (const auto& [key, inner] : *value.members()) flatten(key, inner, out);
  return out;
}

}  // namespace holdfast
