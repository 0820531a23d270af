#include "holdfast/traces/text/table_rows.hpp"

#include "holdfast/base/limits.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace holdfast {
namespace {

/// Returns the time of day in a cell, which may be the number of an hour: of its end where the hours go from 1 to 24.
std::optional<Instant> clock_of(std::string_view cell, const ColumnForm& form) {
  constexpr double kLastHour = 24;
  if (form.of != ColumnForm::Of::number) return clock_in(cell);
  const auto hour = number_in(cell, false);
  const bool is_end = form.smallest >= 1 && form.largest == kLastHour;
  if (!hour || *hour < (is_end ? 1 : 0) || *hour > kLastHour) return std::nullopt;
  return Instant{.seconds = kClockHour * (is_end ? *hour - 1 : *hour),
                 .is_date = true,
                 .resolution = kClockHour};
}

/// Returns true for a text that seems to be a date, with a month or other words that are not known.
bool has_words(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const bool is_ascii = std::ranges::none_of(text, [](char c) { return (c & 0x80) != 0; });
  for (std::size_t i = 1; i < text.size(); ++i) {
    const bool is_word = is_letter(text[i]) && is_letter(text[i - 1]);
    if (is_word || !is_ascii) return text.find_first_of("0123456789") != text.npos;
  }
  return false;
}

std::string expected_of(CellKind kind, std::string_view text, bool is_exact) {
  const std::string_view other_forms =
      has_words(text) ? ", 01.03.2024 10:00 or 1 Mar 2024 10:00" : "";
  switch (kind) {
    case CellKind::count:
      if (!is_exact) return "a number of processors";
      [[fallthrough]];
    case CellKind::whole:
      return "a whole number of at most 2^53";
    case CellKind::duration:
      return "a duration";
    case CellKind::time:
      return fmt::format("seconds or a date such as 2024-03-01T10:00{}", other_forms);
    case CellKind::date:
      return has_words(text) ? fmt::format("a date such as 2024-03-01T10:00{}", other_forms)
                             : "a date";
    case CellKind::number:
    case CellKind::text:
      break;
  }
  return "a number";
}

}  // namespace

Result<TableRows> TableRows::open(TraceText text, const TableKind& kind) {
  std::shared_ptr<const TableReading> reading = std::move(text.reading);
  const std::string name = text.lines.name();
  if (reading == nullptr || reading->kind != &kind) {
    HOLDFAST_TRY(head, text.lines.head(kSniffedHead));
    auto found = understood(head, head.size() < kSniffedHead, kind, text.table);
    if (!found) {
      Error error = std::move(found).error();
      if (error.where.empty() || text.table.is_exact) error.where = name;
      return fail(std::move(error));
    }
    reading = std::make_shared<TableReading>(std::move(*found));
  }
  if (reading->table.names.empty()) {
    return fail(ErrorCode::bad_format, name, "found no header row, expected names of columns");
  }
  if (!reading->lacking.empty()) {
    Error error{.code = ErrorCode::bad_format, .where = name, .message = {}};
    error.message = fmt::format("found columns {}, expected one for {}",
                                join(reading->table.names, ", "), join(reading->lacking, " and "));
    error.remedy = {"columns", remedy(*reading)};
    return fail(std::move(error));
  }
  if (reading->trouble) {
    Error error = *reading->trouble;
    if (error.where.empty()) error.where = name;
    return fail(std::move(error));
  }
  TableRows out(std::move(text.lines), std::move(reading));
  if (out.reading_->table.dialect.by == Dialect::By::json) {
    HOLDFAST_TRY(all, out.lines_.rest(kMostJson));
    out.document_ = std::make_unique<std::string>(std::move(all));
    out.objects_.emplace(*out.document_);
  }
  return out;
}

Result<TableRows> TableRows::open_site(TraceText text, const TableKind& kind,
                                       std::string_view columns, bool has_header) {
  std::string named;
  for (const std::string_view one : split(columns, ',')) {
    if (one.empty()) continue;
    const bool is_alone = one.find('=') == one.npos;
    const std::string_view name =
        is_alone && one.ends_with('?') ? one.substr(0, one.size() - 1) : one;
    named += fmt::format("{}{}{}{}", named.empty() ? "" : ",", is_alone ? name : "",
                         is_alone ? "=" : "", one);
  }
  return open(std::move(text).with(named, has_header), kind);
}

Result<TableRows> TableRows::open_any(LineReader lines) {
  static constexpr TableKind kAny{.records = "rows", .fields = {}};
  return open_site(std::move(lines), kAny, "");
}

Result<bool> TableRows::next_line() {
  if (objects_) {
    line_ = objects_->next();
    ++object_;
    return !line_.empty();
  }
  for (;;) {
    HOLDFAST_TRY(more, lines_.next(line_));
    if (!more) return false;
    if (lines_.number() < reading_->table.first_row) continue;
    const std::size_t first = line_.find_first_not_of(" \t");
    if (first != line_.npos && line_[first] != '#') return true;
  }
}

Status TableRows::split_line() {
  const Dialect& dialect = reading_->table.dialect;
  const auto has_high_bit = [](char c) { return (c & 0x80) != 0; };
  if (std::ranges::any_of(line_, has_high_bit) && find_not_utf8(line_) != line_.npos) {
    joined_ = from_latin_1(line_);
    line_ = joined_;
    ++recoded_;
  }
  auto divided = dialect.split(line_, cells_, storage_);
  // Quotes may go over several lines; only then is the rest of the text still to come.
  constexpr std::size_t kLongestRow = std::size_t{1} << 20;
  while (!divided && !objects_ &&
         divided.error().message.find("inside quotes") != std::string::npos) {
    if (line_.data() != joined_.data()) joined_ = line_;
    std::string_view following;
    HOLDFAST_TRY(more, lines_.next(following));
    if (!more || joined_.size() + following.size() > kLongestRow) break;
    joined_ += "\n";
    joined_ += following;
    line_ = joined_;
    divided = dialect.split(line_, cells_, storage_);
  }
  if (!divided) return fail(in_file(place(), std::move(divided).error()));
  return {};
}

// A text that begins with ~ is to be part of the cell, in any case; | separates several of which one is enough.
bool TableRows::is_wanted() const {
  return std::ranges::all_of(reading_->where, [&](const auto& one) {
    const std::string_view cell = trim(cells_[one.first]);
    if (!one.second.starts_with('~')) return cell == one.second;
    const std::vector<std::string_view> parts = split(std::string_view(one.second).substr(1), '|');
    return std::ranges::any_of(parts, [&](std::string_view part) {
      return lower_case(cell).find(lower_case(trim(part))) != std::string::npos;
    });
  });
}

/// Returns true if a cell is of the form that the cells of its column have.
bool TableRows::is_of_form(std::size_t column) const {
  using Of = ColumnForm::Of;
  const std::string_view text = cell(column);
  const Of of = reading_->table.forms[column].of;
  if (of == Of::text || of == Of::nothing) return true;
  if (of == Of::date) return read_written_date(text).has_value();
  return number_in(text, reading_->table.has_decimal_comma) ||
         (of == Of::duration && duration_in(text));
}

/// Returns true for a row that begins as one of totals, and whose first values are none of its columns.
bool TableRows::is_of_totals() const {
  if (reading_->question.is_exact || objects_ || cells_.empty()) return false;
  const auto first = std::ranges::find_if(cells_, [](auto cell) { return !trim(cell).empty(); });
  if (first == cells_.end() || !begins_totals(trim(*first))) return false;
  if (cells_.size() != reading_->table.names.size()) return true;
  for (std::size_t i = 0; i < reading_->fields.size(); ++i) {
    const FieldReading& read = reading_->fields[i];
    if (!read.column || reading_->kind->fields[i].is == CellKind::text) continue;
    const bool may_lack = reading_->kind->fields[i].need == 0 && cell(*read.column).empty();
    if (!may_lack && !is_of_form(*read.column)) return true;
  }
  return false;
}

Status TableRows::each(const std::function<Status()>& take) {
  for (;;) {
    HOLDFAST_TRY(more, next());
    if (!more) return {};
    HOLDFAST_CHECK(take());
  }
}

Result<bool> TableRows::next() {
  const SniffedTable& table = reading_->table;
  for (;;) {
    HOLDFAST_TRY(more, next_line());
    if (!more) return false;
    if (line_.find_first_not_of("-=+| :") == line_.npos) continue;      // a rule
    if (line_.starts_with('(') && line_.ends_with(" rows)")) continue;  // as psql ends a table
    HOLDFAST_CHECK(split_line());
    if (cells_.size() > 1 && !objects_ && !reading_->question.is_exact &&
        line_.size() < 2 * cells_.size() &&
        std::ranges::all_of(cells_, [](auto cell) { return trim(cell).empty(); })) {
      ++empty_;
      continue;
    }
    if (is_of_totals()) {
      ++totals_;
      continue;
    }
    if (reading_->kind->is_ragged) cells_.resize(table.names.size());
    if (cells_.size() != table.names.size()) {
      return fail(
          ErrorCode::bad_format, place(),
          fmt::format("found {}, expected {}{}", counted(cells_.size(), "field"),
                      table.names.size(), table.header_line > 0 ? " as in the header" : ""));
    }
    const auto is_name = [](std::string_view cell, std::string_view name) {
      return trim(cell) == name;
    };
    if (table.header_line > 0 && cells_[0].ends_with(table.names[0]) && !objects_ &&
        std::ranges::equal(cells_, table.names, is_name)) {
      ++headers_;
    } else if (is_wanted()) {
      return true;
    } else {
      ++unwanted_;
    }
  }
}

std::string_view TableRows::cell(std::size_t column) const {
  const std::string_view text = raw(column);
  return is_missing(text) ? std::string_view{} : text;
}

std::string_view TableRows::text(std::size_t field) const {
  return has(field) ? raw(*of(field).column) : std::string_view{};
}

Result<std::optional<double>> TableRows::refuse(std::size_t column,
                                                std::string_view expected) const {
  return fail(ErrorCode::bad_value, place_of(column),
              fmt::format("found {}, expected {}", in_quotes(raw(column)), expected));
}

Result<std::optional<double>> TableRows::number(std::size_t column) const {
  const std::string_view text = cell(column);
  if (text.empty()) return std::optional<double>{};
  const auto value = number_in(text, reading_->table.has_decimal_comma);
  if (!value) return refuse(column, "a number");
  return std::optional<double>{*value};
}

Result<std::optional<double>> TableRows::duration(std::size_t column) const {
  for (const FieldReading& read : reading_->fields) {
    const auto field = static_cast<std::size_t>(&read - reading_->fields.data());
    if (read.column == column) return value(field);
  }
  const std::string_view text = cell(column);
  if (text.empty()) return std::optional<double>{};
  auto found = number_in(text, reading_->table.has_decimal_comma);
  const auto unit = unit_in_name(reading_->table.names[column]);
  if (found && unit) *found *= unit->first;
  if (!found) found = duration_in(text);
  if (!found || !std::isfinite(*found)) return refuse(column, "a duration");
  return found;
}

Result<std::optional<double>> TableRows::value(std::size_t field) const {
  if (!has(field)) return std::optional<double>{};
  constexpr double kMostWhole = 9007199254740992.0;  // 2^53: doubles are exact up to there
  const std::size_t column = *of(field).column;
  const CellKind is = reading_->kind->fields[field].is;
  const std::string_view text = cell(column);
  if (text.empty()) return std::optional<double>{};
  auto found = number_in(text, reading_->table.has_decimal_comma);
  if (found) *found *= of(field).factor;
  if (!found && is == CellKind::duration) found = duration_in(text);
  const bool is_exact = reading_->question.is_exact;
  if (is == CellKind::count && !is_exact) {
    found = count_in(text, reading_->table.has_decimal_comma);
    if (found) found = std::ceil(*found);
  }
  const bool is_bad_whole = found && (is == CellKind::whole || is == CellKind::count) &&
                            (*found != std::trunc(*found) || std::abs(*found) > kMostWhole);
  if (!found || is_bad_whole || !std::isfinite(*found))
    return refuse(column, expected_of(is, text, is_exact));
  return found;
}

Status TableRows::take_time(const Instant& instant, std::string_view place) {
  if (is_dated_ && *is_dated_ != instant.is_date) {
    return fail(ErrorCode::bad_value, std::string(place),
                instant.is_date ? "found a date, expected seconds as in the rows before"
                                : "found a number, expected a date as in the rows before");
  }
  is_dated_ = instant.is_date;
  if (instant.is_date) resolution_ = std::min(resolution_, instant.resolution);
  return {};
}

Status TableRows::add_clock(std::size_t field, Instant& date) const {
  const auto column = of(field).clock;
  if (!column || cell(*column).empty()) return {};
  const auto clock = clock_of(cell(*column), reading_->table.forms[*column]);
  if (!clock) return fail(refuse(*column, "a time of day such as 08:15").error());
  date.seconds += clock->seconds;
  date.resolution = clock->resolution;
  // An end that is earlier in the day than its begin is on the next day.
  const auto begin = of(field).begin_clock ? clock_in(cell(*of(field).begin_clock)) : std::nullopt;
  if (begin && clock->seconds < begin->seconds) date.seconds += kClockDay;
  return {};
}

Result<std::optional<Instant>> TableRows::time(std::size_t field) {
  if (!has(field)) return std::optional<Instant>{};
  const std::size_t column = *of(field).column;
  const std::string_view text = cell(column);
  if (text.empty()) return std::optional<Instant>{};
  Instant out;
  const bool is_mostly_dates = reading_->table.forms[column].of == ColumnForm::Of::date;
  const auto written = is_mostly_dates ? read_written_date(text, of(field).order) : std::nullopt;
  if (written) {
    out = written->instant;
    HOLDFAST_CHECK(add_clock(field, out));
  } else if (const auto number = number_in(text, reading_->table.has_decimal_comma)) {
    out.seconds = *number * of(field).factor;
    out.is_date = of(field).is_unix || of(field).is_serial;
    if (of(field).is_serial) {
      constexpr double kDaysTo1970 = 25569;
      out.seconds = std::round(out.seconds - kDaysTo1970 * kClockDay);
      out.resolution = 1;
    } else if (out.is_date) {  // to the microsecond, as dates are written
      constexpr double kMicros = 1e6, kYear10000 = 253402300800.0;
      if (!(std::abs(out.seconds) < kYear10000))
        out.seconds = std::numeric_limits<double>::infinity();
      out.seconds = std::round(out.seconds * kMicros) / kMicros;
      out.resolution = of(field).factor;
    }
  } else if (const auto date = read_written_date(text, of(field).order)) {
    out = date->instant;
  } else {
    auto refused = refuse(column, expected_of(reading_->kind->fields[field].is, text, true));
    return fail(std::move(refused).error());
  }
  const CellKind is = reading_->kind->fields[field].is;
  if (!std::isfinite(out.seconds) || (is == CellKind::date && !out.is_date))
    return fail(refuse(column, expected_of(is, text, true)).error());
  if (is_dated_ == out.is_date && (!out.is_date || out.resolution >= resolution_)) return out;
  HOLDFAST_CHECK(take_time(out, place(field)));
  return out;
}

Result<double> TableRows::known_time(std::size_t field) {
  HOLDFAST_TRY(instant, time(field));
  if (instant) return instant->seconds;
  return fail(ErrorCode::bad_value, place(field),
              fmt::format("found {}, expected {}", in_quotes(text(field)),
                          expected_of(reading_->kind->fields[field].is, text(field), true)));
}

std::string TableRows::place() const {
  if (!objects_ && lines_.number() == 0 && reading_->table.header_line > 0)  // before the first row
    return fmt::format("{}:{}", lines_.name(), reading_->table.header_line);
  return objects_ ? fmt::format("{}: object {}", lines_.name(), object_) : lines_.place();
}

std::string TableRows::place(std::size_t field) const {
  return place_of(*of(field).column);
}

std::string TableRows::place_of(std::size_t column) const {
  return fmt::format("{}: {}", place(), reading_->table.names[column]);
}

std::string_view TableRows::raw(std::size_t column) const {
  return trim(cells_[column]);
}

void TableRows::tell(Oddities& out) const {
  if (!reading_->is_plain()) out.set_reading(reading_->head_line());
  out.add("headers that are repeated between rows", headers_, "left out");
  out.add("rows that were not asked for", unwanted_, "left out");
  out.add("rows of totals", totals_, "left out");
  out.add("rows without a value", empty_, "left out");
  out.add("lines that are not UTF-8", recoded_, "read as Latin-1");
}

}  // namespace holdfast
