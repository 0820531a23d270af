#include "holdfast/traces/text/column_times.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace holdfast {
namespace {

constexpr double kLeastMicroseconds = 1e14, kLeastNanoseconds = 1e17;
constexpr std::string_view kSpreadsheet = "excel";  // the unit of dates that are numbers

/// Returns true if the numbers of a column may be dates of a spreadsheet as well as seconds: days from 2000 to 2050 with a
/// fraction, or under a name that says that they are dates.
bool may_be_serial(const ColumnForm& form, std::string_view name) {
  if (form.of != ColumnForm::Of::number || form.smallest < kFirstSerialDate ||
      form.largest > kLastSerialDate) {
    return false;
  }
  return !form.is_whole || name.find("date") != name.npos || name.find("datum") != name.npos ||
         name.find("fecha") != name.npos;
}

/// Returns "ms" for 1e-3; empty for seconds.
std::string name_of_unit(double factor) {
  constexpr auto kNames = std::to_array<std::pair<double, std::string_view>>({{1, ""},
                                                                              {1e-3, "ms"},
                                                                              {1e-6, "us"},
                                                                              {1e-9, "ns"},
                                                                              {60, "min"},
                                                                              {3600, "h"},
                                                                              {86400, "d"},
                                                                              {2629800, "months"}});
  const auto found = std::ranges::find(kNames, factor, &std::pair<double, std::string_view>::first);
  return found == kNames.end() ? exact_text(factor, Unit::seconds) : std::string(found->second);
}

class TimeSettler {
 public:
  explicit TimeSettler(TableReading& out) : out_{out} {}

  Status run() {
    for (std::size_t i = 0; i < fields().size(); ++i) {
      auto settled = settle_unit(i);
      if (!settled && !out_.trouble) out_.trouble = std::move(settled).error();
    }
    HOLDFAST_CHECK(take_units());
    ask_about_serials();
    return {};
  }

 private:
  [[nodiscard]] std::span<const TableField> fields() const { return out_.kind->fields; }

  Status settle_unit(std::size_t i) {
    FieldReading& read = out_.fields[i];
    if (!read.column || !is_timed(fields()[i].is)) return {};
    const ColumnForm& form = out_.table.forms[*read.column];
    const bool has_some_dates = form.of == ColumnForm::Of::text && form.dates > 0;
    if (form.of == ColumnForm::Of::date || has_some_dates) return settle_dates(read, form);
    const std::string& name = out_.table.names[*read.column];
    const std::string plain = plain_name(name);
    const auto own_unit = seconds_in(plain);
    if (const auto unit = unit_in_name(name)) {
      read.factor = unit->first;
    } else if (own_unit && plain.size() > 1) {  // "weeks"
      read.factor = *own_unit;
    } else if (fields()[i].is == CellKind::time && form.largest > kLeastMilliseconds &&
               std::ranges::find(out_.table.comments, kTimesInSeconds) ==
                   out_.table.comments.end()) {
      read.factor = form.largest > kLeastNanoseconds    ? 1e-9
                    : form.largest > kLeastMicroseconds ? 1e-6
                                                        : 1e-3;
    }
    if (fields()[i].is == CellKind::time && form.largest > kLeastMilliseconds) {
      read.is_unix = read.factor < 1;
    }
    read.unit = name_of_unit(read.factor);
    return {};
  }

  Status settle_dates(FieldReading& read, const ColumnForm& form) const {
    const std::string& name = out_.table.names[*read.column];
    std::vector<std::size_t> lines;
    for (const std::size_t line : form.first_of_shape) {
      if (line > 0) lines.push_back(line);
    }
    if (lines.size() > 1) {
      return fail(ErrorCode::bad_format, {},
                  fmt::format("found dates of two forms in column {}, first in lines {} and {}, "
                              "expected one form",
                              in_quotes(name), lines[0], lines[1]));
    }
    if (form.first_of_shape[static_cast<std::size_t>(DateShape::slashed)] == 0) return {};
    if (!out_.question.dates.empty()) {
      read.order = out_.question.dates == "dmy" ? DayOrder::day_first : DayOrder::month_first;
      return {};
    }
    if (form.proves_day > 0 && form.proves_month > 0) {
      return fail(ErrorCode::bad_format, {},
                  fmt::format("found a day first in line {} and a month first in line {} of "
                              "column {}, expected one order",
                              form.proves_day, form.proves_month, in_quotes(name)));
    }
    const auto is_proven = [&](std::size_t proof, std::size_t against, std::size_t falls,
                               std::size_t others_fall, double step, double others_step) {
      if (proof > 0 || against > 0) return proof > 0;
      if (falls == 0 && others_fall > 0) return true;
      // What is sampled comes in even steps, not in days of one month and months of one day.
      constexpr double kUneven = 20;
      return out_.kind->takes_any_date && falls == others_fall && step > 0 &&
             others_step > kUneven * step;
    };
    const bool is_day = is_proven(form.proves_day, form.proves_month, form.falls_if_day,
                                  form.falls_if_month, form.step_if_day, form.step_if_month);
    const bool is_month = is_proven(form.proves_month, form.proves_day, form.falls_if_month,
                                    form.falls_if_day, form.step_if_month, form.step_if_day);
    if (is_day == is_month) {
      return fail(ErrorCode::bad_value, "dates",
                  fmt::format("found nothing, expected dmy or mdy: the dates of column {} may have "
                              "the day or the month first",
                              in_quotes(name)));
    }
    read.order = is_day ? DayOrder::day_first : DayOrder::month_first;
    return {};
  }

  Status take_units() {
    HOLDFAST_TRY(pairs, named_values(out_.question.column_unit, "column_unit"));
    for (const auto& [name, unit] : pairs) {
      HOLDFAST_TRY(field, field_called(out_, name, "column_unit"));
      FieldReading& read = out_.fields[field];
      const bool is_date =
          fields()[field].is == CellKind::time || fields()[field].is == CellKind::date;
      read.is_serial = unit == kSpreadsheet && is_date;
      const auto factor = read.is_serial ? std::optional(kClockDay) : seconds_in(unit);
      if (!factor || !is_timed(fields()[field].is)) {
        return fail(ErrorCode::bad_value, "column_unit",
                    fmt::format("found {} for {}, expected a unit of time such as ms, s, min or h "
                                "for a field that is a time, or {} for dates of a spreadsheet that "
                                "are numbers",
                                in_quotes(unit), name, kSpreadsheet));
      }
      read.factor = *factor;
      read.unit = unit;
      has_unit_.insert(field);
    }
    return {};
  }

  /// Numbers that may be seconds or dates of a spreadsheet are read if a person says which.
  void ask_about_serials() {
    const auto& notes = out_.table.comments;
    if (out_.question.is_exact || std::ranges::find(notes, kTimesInSeconds) != notes.end()) return;
    for (std::size_t i = 0; i < fields().size(); ++i) {
      const FieldReading& read = out_.fields[i];
      if (!read.column || fields()[i].is != CellKind::time || read.factor != 1) continue;
      const ColumnForm& form = out_.table.forms[*read.column];
      if (has_unit_.contains(i) || out_.trouble ||
          !may_be_serial(form, plain_name(out_.table.names[*read.column])))
        continue;
      out_.trouble =
          Error{.code = ErrorCode::bad_value,
                .where = "column_unit",
                .message = fmt::format(
                    "found nothing, expected {0}={1} or {0}=s: the numbers of column {2}, from {3} "
                    "to {4}, "
                    "may be dates of a spreadsheet (days since 1899-12-30) or seconds",
                    fields()[i].name, kSpreadsheet, in_quotes(out_.table.names[*read.column]),
                    form.smallest, form.largest)};
    }
  }

  TableReading& out_;
  std::set<std::size_t> has_unit_;  // fields whose unit a person said
};

}  // namespace

bool is_timed(CellKind kind) {
  return kind == CellKind::duration || kind == CellKind::time || kind == CellKind::date;
}

/// Divides "a=x,b='y,z'" into pairs.
Result<std::vector<std::pair<std::string, std::string>>> named_values(std::string_view text,
                                                                      std::string_view place) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto refused = [&](std::string_view part) {
    return fail(
        ErrorCode::bad_value, std::string(place),
        fmt::format("found {}, expected NAME=VALUE, several separated by commas", in_quotes(part)));
  };
  while (!text.empty()) {
    const std::size_t mark = text.find('=');
    if (mark == text.npos || trim(text.substr(0, mark)).empty()) return refused(text);
    std::string name(trim(text.substr(0, mark)));
    text.remove_prefix(mark + 1);
    std::size_t end = std::min(text.find(','), text.size());
    std::string value(trim(text.substr(0, end)));
    if (!text.empty() && (text.front() == '\'' || text.front() == '"')) {
      const std::size_t close = text.find(text.front(), 1);
      if (close == text.npos) return refused(text);
      value = text.substr(1, close - 1);
      end = close + 1;
      if (end < text.size() && text[end] != ',') return refused(text);
    }
    out.emplace_back(std::move(name), std::move(value));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

Result<std::size_t> field_called(const TableReading& reading, std::string_view name,
                                 std::string_view place) {
  const auto field = std::ranges::find(reading.kind->fields, name, &TableField::name);
  if (field != reading.kind->fields.end())
    return static_cast<std::size_t>(field - reading.kind->fields.begin());
  std::vector<std::string_view> names;
  for (const TableField& one : reading.kind->fields) names.push_back(one.name);
  return fail(ErrorCode::unknown_name, std::string(place),
              fmt::format("found no field {} of {}, {}", in_quotes(name), reading.kind->records,
                          suggestion(name, names)));
}

Status settle_times(TableReading& reading) {
  return TimeSettler(reading).run();
}

std::string note_of_times(double largest) {
  const bool may_be_serial = largest >= kFirstSerialDate && largest <= kLastSerialDate;
  return largest > kLeastMilliseconds || may_be_serial ? fmt::format("# {}\n", kTimesInSeconds)
                                                       : std::string();
}

}  // namespace holdfast
