#include "holdfast/traces/text/sniff.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/text/dialect.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t kMostSniffed = 10'000;  // that are looked at
constexpr std::size_t kMostColumns = 4096;

/// Looks at the cells of one column, one after another.
class FormBuilder {
 public:
  void add(std::string_view cell, std::size_t line, bool has_decimal_comma) {
    ++form_.rows;
    if (clock_in(cell)) ++form_.clocks;
    if (is_missing(cell)) {
      ++form_.missing;
      return;
    }
    add_word(cell);
    if (const auto number = number_in(cell, has_decimal_comma)) {
      ++form_.numbers;
      if (is_whole_date(cell)) ++compact_;
      if (cell.find(',') != cell.npos) ++form_.commas;
      form_.largest = std::max(form_.largest, std::abs(*number));
      form_.smallest = std::min(form_.smallest, *number);
      form_.is_whole = form_.is_whole && *number == std::trunc(*number);
    } else if (duration_in(cell) || lower_case(cell) == "inf") {
      ++form_.durations;
    } else if (const auto date = read_written_date(cell, DayOrder::unknown)) {
      add_date(cell, *date, line);
    }
  }

  ColumnForm finish() {
    using Of = ColumnForm::Of;
    const std::size_t held = form_.rows - form_.missing;
    const auto is_most = [&](std::size_t count) { return count > 0 && count * 10 >= held * 9; };
    form_.of = held == 0                                  ? Of::nothing
               : is_most(form_.dates) || compact_ == held ? Of::date
               : is_most(form_.numbers)                   ? Of::number
               : is_most(form_.numbers + form_.durations) ? Of::duration
                                                          : Of::text;
    return form_;
  }

 private:
  /// Returns true for a date in digits alone, 20250301.
  static bool is_whole_date(std::string_view cell) {
    constexpr std::size_t kShortest = 8, kLongest = 14;
    return cell.size() >= kShortest && cell.size() <= kLongest && read_written_date(cell);
  }

  void add_word(std::string_view cell) {
    if (form_.words.size() == ColumnForm::kMostWords) return;
    std::string word = lower_case(cell);
    if (std::ranges::find(form_.words, word) == form_.words.end())
      form_.words.push_back(std::move(word));
  }

  void add_date(std::string_view cell, const WrittenDate& date, std::size_t line) {
    ++form_.dates;
    form_.has_clock = form_.has_clock || date.instant.resolution < kClockDay;
    std::size_t& first = form_.first_of_shape[static_cast<std::size_t>(date.shape)];
    if (first == 0) first = line;
    if (date.shape != DateShape::slashed) return;
    if (date.proven == DayOrder::day_first && form_.proves_day == 0) form_.proves_day = line;
    if (date.proven == DayOrder::month_first && form_.proves_month == 0) form_.proves_month = line;
    for (const bool is_day : {true, false}) {
      const auto read =
          read_written_date(cell, is_day ? DayOrder::day_first : DayOrder::month_first);
      if (!read) continue;
      double& before = is_day ? latest_day_ : latest_month_;
      if (read->instant.seconds < before) ++(is_day ? form_.falls_if_day : form_.falls_if_month);
      double& step = is_day ? form_.step_if_day : form_.step_if_month;
      if (std::isfinite(before)) step = std::max(step, std::abs(read->instant.seconds - before));
      before = read->instant.seconds;
    }
  }

  ColumnForm form_;
  std::size_t compact_ = 0;  // numbers that may be dates
  double latest_day_ = -std::numeric_limits<double>::infinity();
  double latest_month_ = -std::numeric_limits<double>::infinity();
};

class Sniffer {
 public:
  Sniffer(std::string_view head, bool is_whole, const TableQuestion& question,
          const TableKind* kind)
      : head_{head}, is_whole_{is_whole}, question_{question}, kind_{kind} {}

  Result<SniffedTable> run() {
    const std::size_t first = head_.find_first_not_of(" \t\r\n");
    if (first != head_.npos && (head_[first] == '{' || head_[first] == '[')) {
      HOLDFAST_CHECK(take_objects());
    } else if (take_lines(); is_pairs()) {
      take_pairs();
    } else {
      out_.dialect =
          question_.is_words ? Dialect{.by = Dialect::By::blanks} : dialect_of(lines_, rule_);
      width_ = width_of(out_.dialect);
      if (question_.is_exact) prefer_blanks();
      HOLDFAST_CHECK(find_header());
    }
    look_at_columns();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::size_t width_of(const Dialect& dialect) const {
    const auto some = std::span(lines_).first(std::min(lines_.size(), kMostForDialect));
    return dialect.by == Dialect::By::widths ? dialect.starts.size()
                                             : usual_width(dialect, some).first;
  }

  /// Names between blanks, above rows of as many words, show that blanks divide the rows, even if they have tabs, too.
  void prefer_blanks() {
    const Dialect blanks{.by = Dialect::By::blanks};
    if (out_.dialect.by != Dialect::By::delimiter || out_.dialect.delimiter != '\t') return;
    const std::string_view header = last_comment_.number > 0 ? last_comment_.text : lines_[0].text;
    const std::size_t names = words_of(header).size();
    if (names == width_ || names != width_of(blanks)) return;
    out_.dialect = blanks;
    width_ = names;
  }

  /// Returns true for a line above a table: of other cells than its rows, or of one or no text and empty cells, as spreadsheets
  /// write titles.
  bool is_title(std::size_t line) {
    const auto cells = cells_of(lines_[line]);
    const auto filled = std::ranges::count_if(cells, [](auto cell) { return !cell.empty(); });
    return filled == 0 || (filled == 1 && cells.size() > 2 && line + 1 < lines_.size());
  }

  /// Takes the names of a line that has one less than the rows, whose first cells are the names of rows (R).
  bool take_names_of_frame(std::size_t first) {
    if (first == 0 || width_ < 3) return false;
    std::vector<std::string_view> cells;
    std::string storage;
    const TableLine& above = lines_[first - 1];
    if (!out_.dialect.split(above.text, cells, storage) || cells.size() + 1 != width_) return false;
    for (std::string_view& cell : cells) cell = trim(cell);
    if (std::ranges::any_of(cells, [](auto cell) { return cell.empty() || is_typed(cell); }))
      return false;
    out_.names.emplace_back("row");
    out_.names.insert(out_.names.end(), cells.begin(), cells.end());
    out_.header_line = above.number;
    return true;
  }

  /// Takes the names of a line that divides them by blanks, above rows that do not.
  bool take_names_above(std::size_t first) {
    const TableLine& above = first > 0 ? lines_[first - 1] : last_comment_;
    const auto names = words_of(above.text);
    if (names.size() < 2 || names.size() != width_ || std::ranges::any_of(names, is_typed)) {
      return false;
    }
    out_.names.assign(names.begin(), names.end());
    out_.header_line = above.number;
    if (first == 0) out_.comments.pop_back();
    return true;
  }

  void take_lines() {
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < head_.size() && lines_.size() < kMostSniffed;) {
      const std::size_t end = head_.find('\n', begin);
      if (end == head_.npos && !is_whole_) break;
      std::string_view line = head_.substr(begin, end == head_.npos ? end : end - begin);
      begin = end == head_.npos ? head_.size() : end + 1;
      if (line.ends_with('\r')) line.remove_suffix(1);
      number += pass_open_quotes(line, begin);
      if (find_not_utf8(line) != line.npos) line = recoded_.emplace_back(from_latin_1(line));
      ++number;
      const std::string_view text = trim(line);
      if (text.empty()) continue;
      const bool is_comment = text.front() == '#' || text.front() == '%';
      if (is_comment && lines_.empty()) {
        out_.comments.emplace_back(trim(text.substr(1)));
        last_comment_ = {number, text.substr(1)};
      } else if (is_rule(line)) {
        if (rule_.empty()) rule_ = line;
      } else if (text.front() != '#') {
        lines_.push_back({number, line});
      }
    }
  }

  /// Extends a line of names that has a line break inside quotes to the end of the quotes, and returns the number of lines that
  /// it takes up.
  std::size_t pass_open_quotes(std::string_view& line, std::size_t& begin) {
    constexpr std::size_t kMostLines = 8;
    const auto is_open = [](std::string_view text) {
      return std::ranges::count(text, '"') % 2 == 1;
    };
    if (!lines_.empty() || !is_open(line)) return 0;
    std::string whole(line);
    std::size_t next = begin;
    for (std::size_t passed = 1; passed <= kMostLines && next < head_.size(); ++passed) {
      const std::size_t end = std::min(head_.find('\n', next), head_.size());
      std::string_view more = head_.substr(next, end - next);
      if (more.ends_with('\r')) more.remove_suffix(1);
      whole += fmt::format(" {}", more);
      next = std::min(end + 1, head_.size());
      if (is_open(whole)) continue;
      line = recoded_.emplace_back(std::move(whole));
      begin = next;
      return passed;
    }
    return 0;
  }

  Status take_objects() {
    out_.dialect.by = Dialect::By::json;
    JsonRows rows(head_);
    for (std::size_t number = 1; lines_.size() < kMostSniffed; ++number) {
      const std::string_view object = rows.next();
      if (object.empty()) break;
      lines_.push_back({number, object});
      auto members = JsonRows::members(object);
      if (!members) return fail(ErrorCode::bad_format, {}, members.error().text());
      take_names(*members);
    }
    name_members();
    return {};
  }

  /// Returns true if each line has at least three pairs NAME=VALUE, and begins with one.
  [[nodiscard]] bool is_pairs() const {
    constexpr std::size_t kFewest = 3, kSome = 20;
    const auto some = std::span(lines_).first(std::min(lines_.size(), kSome));
    return !some.empty() && std::ranges::all_of(some, [](const TableLine& line) {
      const std::string_view first = line.text.substr(0, line.text.find_first_of(" \t,;|"));
      return first.find('=') != first.npos && pairs_in(line.text).size() >= kFewest;
    });
  }

  void take_pairs() {
    out_.dialect.by = Dialect::By::pairs;
    for (const TableLine& line : lines_) take_names(pairs_in(line.text));
    name_members();
    out_.first_row = lines_.front().number;
  }

  void take_names(const std::vector<std::pair<std::string, std::string>>& members) {
    for (const auto& [name, text] : members) {
      if (std::ranges::find(out_.names, name) != out_.names.end()) continue;
      if (out_.names.size() < kMostColumns) out_.names.push_back(name);
    }
  }

  void name_members() {
    out_.dialect.names = out_.names;
    width_ = out_.names.size();
    out_.header_line = out_.names.empty() ? 0 : 1;
  }

  /// Returns the cells of a line, trimmed; none if it does not have the usual number of them.
  std::span<const std::string_view> cells_of(const TableLine& line) {
    if (!out_.dialect.split(line.text, cells_, storage_)) return {};
    if (kind_ != nullptr && kind_->is_ragged && cells_.size() > width_) cells_.resize(width_);
    if (cells_.size() != width_) return {};
    for (std::string_view& cell : cells_) cell = trim(cell);
    return cells_;
  }

  static bool is_typed(std::string_view cell) {
    return number_in(cell, false) || number_in(cell, true) || duration_in(cell) ||
           read_written_date(cell);
  }

  /// Returns true if the line may hold names: none of its cells is a value.
  bool may_be_header(const TableLine& line) {
    const auto cells = cells_of(line);
    return !cells.empty() && std::ranges::none_of(cells, is_typed);
  }

  /// Returns true if some of the lines from there on hold a value.
  bool has_values_from(std::size_t begin) {
    for (std::size_t i = begin; i < lines_.size(); ++i) {
      const auto cells = cells_of(lines_[i]);
      if (std::ranges::any_of(cells, is_typed)) return true;
    }
    return false;
  }

  /// Returns true if a cell is the name of a field of the kind.
  bool names_fields(const TableLine& line) {
    if (kind_ == nullptr) return false;
    const auto cells = cells_of(line);
    return std::ranges::any_of(kind_->fields, [&](const TableField& field) {
      return std::ranges::find(cells, field.name) != cells.end();
    });
  }

  /// Returns true for a second line of names: units of the columns, "(MW)", some of which have none, above rows of values.
  bool is_of_units(const TableLine& line) {
    if (!question_.header.empty() || !may_be_header(line) || !has_values_from(1)) return false;
    const auto cells = cells_of(line);
    return std::ranges::all_of(cells,
                               [](auto cell) {
                                 return cell.empty() || cell.ends_with(')') || cell.ends_with(']');
                               }) &&
           std::ranges::any_of(cells, [](auto cell) { return !cell.empty(); });
  }
  void take_units(const TableLine& line) {
    const auto cells = cells_of(line);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!cells[i].empty()) out_.names[i] += fmt::format(" {}", cells[i]);
    }
  }

  void name_columns(const TableLine& line) {
    for (const std::string_view cell : cells_of(line)) out_.names.emplace_back(cell);
    out_.header_line = line.number;
  }

  Status find_header() {
    if (width_ > kMostColumns || lines_.empty()) width_ = 0;
    std::size_t first = 0;
    if (question_.header.empty() || question_.header == "none") {
      while (first < lines_.size() && is_title(first)) ++first;
      const bool has_note = last_comment_.number > 0 && may_be_header(last_comment_);
      const bool is_sure = question_.is_exact && !has_note;
      if (question_.header.empty() && first < lines_.size() && may_be_header(lines_[first]) &&
          (is_sure || names_fields(lines_[first]) || has_values_from(first + 1))) {
        name_columns(lines_[first++]);
      } else if (question_.header.empty() && has_note) {
        name_columns(last_comment_);
        out_.comments.pop_back();
      } else if (question_.header.empty() && !take_names_above(first)) {
        take_names_of_frame(first);
      }
    } else {
      const auto number = parse_integer(question_.header);
      const auto line = std::ranges::find_if(lines_, [&](const TableLine& one) {
        return number && std::cmp_equal(*number, one.number);
      });
      if (line == lines_.end() || cells_of(*line).empty()) {
        return fail(ErrorCode::bad_value, "header",
                    fmt::format("found {}, expected none, or the number of a line of the table",
                                in_quotes(question_.header)));
      }
      name_columns(*line);
      first = static_cast<std::size_t>(line - lines_.begin()) + 1;
    }
    if (out_.header_line > 0 && first < lines_.size() && is_of_units(lines_[first]))
      take_units(lines_[first++]);
    for (std::size_t i = out_.names.size(); i < width_; ++i)
      out_.names.push_back(std::to_string(i + 1));
    lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(first));
    while (!question_.is_exact && lines_.size() > 1 && ends_in_totals()) lines_.pop_back();
    out_.first_row = lines_.empty() ? 0 : lines_.front().number;
    return {};
  }

  /// Returns true if the last line holds totals of the ones above it.
  bool ends_in_totals() {
    const std::string_view line = trim(lines_.back().text);
    const auto cells = cells_of(lines_.back());
    const auto first = std::ranges::find_if(cells, [](auto cell) { return !cell.empty(); });
    return first == cells.end() ? begins_totals(line) : begins_totals(*first);
  }

  std::vector<ColumnForm> forms(bool has_decimal_comma) {
    std::vector<FormBuilder> builders(width_);
    out_.rows = 0;
    for (const TableLine& line : lines_) {
      const auto cells = cells_of(line);
      if (cells.empty() || std::ranges::equal(cells, out_.names)) continue;
      ++out_.rows;
      for (std::size_t i = 0; i < width_; ++i) {
        builders[i].add(cells[i], line.number, has_decimal_comma);
      }
    }
    std::vector<ColumnForm> out;
    for (FormBuilder& builder : builders) out.push_back(builder.finish());
    return out;
  }

  /// Returns true if points stand between thousands: in a table with semicolons and dates such as 01.03.2025 each number with a
  /// point has three digits behind it.
  bool has_points_of_thousands() {
    const auto has_dotted = [](const ColumnForm& form) {
      return form.first_of_shape[static_cast<std::size_t>(DateShape::dotted)] > 0;
    };
    if (out_.dialect.by != Dialect::By::delimiter || out_.dialect.delimiter != ';' ||
        std::ranges::none_of(out_.forms, has_dotted)) {
      return false;
    }
    std::size_t groups = 0;
    for (const TableLine& line : lines_) {
      for (const std::string_view cell : cells_of(line)) {
        if (cell.find('.') == cell.npos || !number_in(cell, false)) continue;
        if (!number_in(cell, true)) return false;
        ++groups;
      }
    }
    return groups > 0;
  }

  void look_at_columns() {
    out_.forms = forms(false);
    const bool has_comma =
        !(out_.dialect.by == Dialect::By::delimiter && out_.dialect.delimiter == ',') &&
        out_.dialect.by != Dialect::By::json && out_.dialect.by != Dialect::By::pairs &&
        std::ranges::any_of(lines_, [](const TableLine& line) {
          return line.text.find(',') != std::string_view::npos;
        });
    if (!has_comma) {
      if (!has_points_of_thousands()) return;
      out_.has_decimal_comma = true;
      out_.forms = forms(true);
      return;
    }
    auto with_commas = forms(true);
    const auto sum = [](const std::vector<ColumnForm>& all, std::size_t ColumnForm::*count) {
      std::size_t out = 0;
      for (const ColumnForm& form : all) out += form.*count;
      return out;
    };
    if (sum(with_commas, &ColumnForm::numbers) < sum(out_.forms, &ColumnForm::numbers)) return;
    if (sum(with_commas, &ColumnForm::commas) == 0) return;
    out_.has_decimal_comma = true;
    out_.forms = std::move(with_commas);
  }

  std::string_view head_;
  bool is_whole_;
  const TableQuestion& question_;
  const TableKind* kind_;
  SniffedTable out_;
  std::vector<TableLine> lines_;
  std::deque<std::string> recoded_;  // lines of Latin-1, in UTF-8
  TableLine last_comment_{0, {}};
  std::string_view rule_;
  std::size_t width_ = 0;
  std::vector<std::string_view> cells_;
  std::string storage_;
};

}  // namespace

std::optional<std::size_t> SniffedTable::column(std::string_view name) const {
  const auto at =
      std::ranges::find_if(names, [&](const std::string& one) { return trim(one) == trim(name); });
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  const auto number = parse_integer(name);
  if (!number || *number < 1 || *number > std::ssize(names)) return std::nullopt;
  return static_cast<std::size_t>(*number - 1);
}

Result<SniffedTable> sniff(std::string_view head, bool is_whole, const TableQuestion& question,
                           const TableKind* kind) {
  return Sniffer(head, is_whole, question, kind).run();
}

}  // namespace holdfast
