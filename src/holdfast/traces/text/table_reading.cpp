#include "holdfast/traces/text/table_reading.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace holdfast {
namespace {

constexpr double kLeastMicroseconds = 1e14;

bool is_one_of(std::string_view word, std::string_view words) {
  const auto all = words_of(words);
  return std::ranges::find(all, word) != all.end();
}

/// Divides "a=x,b='y,z'" into pairs.
Result<std::vector<std::pair<std::string, std::string>>> pairs_of(std::string_view text,
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

/// Returns true if the cells of a column can be values of that field.
bool can_hold(const ColumnForm& form, const TableField& field) {
  using Of = ColumnForm::Of;
  if (field.holds != nullptr && !field.holds(form)) return false;
  switch (field.is) {
    case CellKind::text:
      return true;
    case CellKind::whole:
    case CellKind::number:
      return form.of == Of::number || form.of == Of::nothing;
    case CellKind::duration:
      return form.of == Of::number || form.of == Of::duration || form.of == Of::nothing;
    case CellKind::time:
      return form.of == Of::number || form.of == Of::date || form.of == Of::nothing;
    case CellKind::date:
      return form.of == Of::date || form.of == Of::nothing;
  }
  return false;
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

bool is_timed(CellKind kind) {
  return kind == CellKind::duration || kind == CellKind::time || kind == CellKind::date;
}

class Matcher {
 public:
  Matcher(TableReading& out) : out_{out}, is_used_(out.table.names.size()) {
    for (const std::string& name : out.table.names) {
      plain_.push_back(plain_name(name));
      timed_.push_back(unit_in_name(name));
    }
    has_dates_ = std::ranges::find(out.table.forms, ColumnForm::Of::date, &ColumnForm::of) !=
                 out.table.forms.end();
  }

  Status run() {
    HOLDFAST_CHECK(take_asked());
    if (!out_.question.is_exact) {
      pair_clocks();
      guess();
      take_clocks();
    }
    for (std::size_t i = 0; i < fields().size(); ++i) {
      auto settled = settle_unit(i);
      if (!settled && !out_.trouble) out_.trouble = std::move(settled).error();
    }
    HOLDFAST_CHECK(take_units());
    HOLDFAST_CHECK(take_where());
    if (!out_.question.is_exact) count();
    return {};
  }

 private:
  [[nodiscard]] std::span<const TableField> fields() const { return out_.kind->fields; }

  Result<std::size_t> field_of(std::string_view name, std::string_view place) const {
    const auto field = std::ranges::find(fields(), name, &TableField::name);
    if (field != fields().end()) return static_cast<std::size_t>(field - fields().begin());
    std::vector<std::string_view> names;
    for (const TableField& one : fields()) names.push_back(one.name);
    return fail(ErrorCode::unknown_name, std::string(place),
                fmt::format("found no field {} of {}, {}", in_quotes(name), out_.kind->records,
                            suggestion(name, names)));
  }

  Result<std::size_t> column_of(std::string_view name, std::string_view place) const {
    if (const auto column = out_.table.column(name)) return *column;
    const std::vector<std::string_view> names(out_.table.names.begin(), out_.table.names.end());
    return fail(ErrorCode::unknown_name, std::string(place),
                fmt::format("found no column {}, {}", in_quotes(name), suggestion(name, names)));
  }

  Status take_asked() {
    if (out_.question.is_exact && out_.table.names.empty()) return {};  // TableRows says so
    HOLDFAST_TRY(pairs, pairs_of(out_.question.columns, "columns"));
    std::vector<std::string> missing;  // of a table of one site
    for (const auto& [name, column_name] : pairs) {
      HOLDFAST_TRY(field, field_of(name, "columns"));
      const bool is_optional = out_.question.is_exact && column_name.ends_with('?');
      const std::string wanted = column_name.substr(0, column_name.size() - is_optional);
      if (out_.question.is_exact && !out_.table.column(wanted)) {
        if (!is_optional) missing.push_back(wanted);
        continue;
      }
      HOLDFAST_TRY(column, column_of(wanted, "columns"));
      out_.fields[field].column = column;
      out_.fields[field].is_asked = true;
      is_used_[column] = true;
    }
    if (missing.empty()) return {};
    return fail(ErrorCode::bad_format, {},
                fmt::format("found {} without {}, expected a table with these columns",
                            join(out_.table.names, ", "), join(missing, ", ")));
  }

  void guess() {
    for (const bool by_stem : {false, true}) {
      for (std::size_t i = 0; i < fields().size(); ++i) find_column(i, by_stem);
    }
    if (out_.kind->takes_any_date) take_first_date();
    const bool is_alone = out_.kind->is_column && plain_.size() == 1;
    const std::size_t in_order = is_alone ? 1 : out_.kind->in_order;
    const bool is_nameless = out_.table.header_line == 0 || is_alone;
    if (in_order > 0 && is_nameless && plain_.size() >= in_order) take_in_order(in_order);
  }

  void find_column(std::size_t i, bool by_stem) {
    const TableField& field = fields()[i];
    FieldReading& read = out_.fields[i];
    if (read.column || (by_stem && !is_timed(field.is))) return;
    auto words = words_of(field.synonyms);
    const std::string own = plain_name(field.name);
    words.insert(words.begin(), own);
    for (const std::string_view word : words) {
      for (std::size_t column = 0; column < plain_.size(); ++column) {
        const bool fits =
            by_stem ? timed_[column] && timed_[column]->second == word : plain_[column] == word;
        if (!fits || is_used_[column]) continue;
        // A cell under the field's own name that is no value is a mistake in that cell.
        const bool is_own = plain_[column] == own;
        if (!is_own && !can_hold(out_.table.forms[column], field)) continue;
        // In a table with dates, numbers under "repair time (h)" are no times.
        if (!is_own && field.is == CellKind::time && has_dates_ &&
            out_.table.forms[column].of == ColumnForm::Of::number) {
          continue;
        }
        read.column = column;
        is_used_[column] = true;
        return;
      }
    }
  }

  /// Returns what is left of the names of a date and of the time of day beside it, "down" of "down date" and "down time";
  /// nothing if the two columns do not belong together by their names, or by what they hold.
  [[nodiscard]] std::optional<std::string> common_stem(std::size_t date, std::size_t clock) const {
    const ColumnForm &days = out_.table.forms[date], &times = out_.table.forms[clock];
    if (days.of != ColumnForm::Of::date || days.has_clock) return std::nullopt;
    if (times.clocks == 0 || times.clocks != times.rows - times.missing) return std::nullopt;
    const auto without = [](std::string stem, std::string_view words) {
      for (const std::string_view word : words_of(words)) {
        const std::size_t at = stem.find(word);
        if (at != stem.npos) return std::optional(stem.erase(at, word.size()));
      }
      return std::optional<std::string>();
    };
    const auto stem = without(plain_[date], "datum date data day tag jour fecha");
    return stem == without(plain_[clock], "uhrzeit zeit time hour clock heures heure hora ora")
               ? stem
               : std::nullopt;
  }

  /// Finds the dates whose times of day are in the column beside them.
  void pair_clocks() {
    clock_of_.resize(plain_.size());
    for (std::size_t next = 1; next < plain_.size(); ++next) {
      const auto stem = is_used_[next] ? std::nullopt : common_stem(next - 1, next);
      if (!stem) continue;
      clock_of_[next - 1] = next;
      is_used_[next] = true;
      if (!stem->empty()) plain_[next - 1] = *stem;
    }
  }

  void take_clocks() {
    for (FieldReading& read : out_.fields) {
      if (read.column) read.clock = clock_of_[*read.column];
    }
  }

  void take_first_date() {
    for (std::size_t i = 0; i < fields().size(); ++i) {
      if (fields()[i].is != CellKind::time) continue;
      if (out_.fields[i].column) return;
      for (std::size_t column = 0; column < plain_.size(); ++column) {
        if (is_used_[column] || out_.table.forms[column].of != ColumnForm::Of::date) continue;
        out_.fields[i].column = column;
        is_used_[column] = true;
        return;
      }
      return;
    }
  }

  void take_in_order(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (is_used_[i] || out_.fields[i].column || !can_hold(out_.table.forms[i], fields()[i]))
        continue;
      out_.fields[i].column = i;
      is_used_[i] = true;
    }
  }

  Status settle_unit(std::size_t i) {
    FieldReading& read = out_.fields[i];
    if (!read.column || !is_timed(fields()[i].is)) return {};
    const ColumnForm& form = out_.table.forms[*read.column];
    if (form.of == ColumnForm::Of::date) return settle_dates(read, form);
    const auto own_unit = seconds_in(plain_[*read.column]);
    if (const auto& unit = timed_[*read.column]) {
      read.factor = unit->first;
    } else if (own_unit && plain_[*read.column].size() > 1) {  // "weeks"
      read.factor = *own_unit;
    } else if (fields()[i].is == CellKind::time && form.largest > kLeastMilliseconds &&
               std::ranges::find(out_.table.comments, kTimesInSeconds) ==
                   out_.table.comments.end()) {
      read.factor = form.largest > kLeastMicroseconds ? 1e-6 : 1e-3;
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
    HOLDFAST_TRY(pairs, pairs_of(out_.question.column_unit, "column_unit"));
    for (const auto& [name, unit] : pairs) {
      HOLDFAST_TRY(field, field_of(name, "column_unit"));
      const auto factor = seconds_in(unit);
      if (!factor || !is_timed(fields()[field].is)) {
        return fail(ErrorCode::bad_value, "column_unit",
                    fmt::format("found {} for {}, expected a unit of time such as ms, s, min or h "
                                "for a field that is a time",
                                in_quotes(unit), name));
      }
      out_.fields[field].factor = *factor;
      out_.fields[field].unit = unit;
    }
    return {};
  }

  Status take_where() {
    HOLDFAST_TRY(pairs, pairs_of(out_.question.where, "where"));
    for (const auto& [name, value] : pairs) {
      HOLDFAST_TRY(column, column_of(name, "where"));
      out_.where.emplace_back(column, value);
    }
    return {};
  }

  [[nodiscard]] bool is_timed_column(std::size_t column) const {
    for (std::size_t i = 0; i < fields().size(); ++i) {
      if (out_.fields[i].column == column && is_timed(fields()[i].is)) return true;
    }
    return false;
  }

  /// Returns true for a column of 0 and 1, which says whether something happened rather than when.
  static bool is_flag(const ColumnForm& form) {
    return form.of == ColumnForm::Of::number && form.is_whole && form.largest <= 1;
  }
  /// Returns true if such a column is left and one of the fields that replace each other takes words.
  [[nodiscard]] bool is_said_by_flag(int need, const std::vector<bool>& is_taken) const {
    for (std::size_t column = 0; column < plain_.size(); ++column) {
      if (is_taken[column] || !is_flag(out_.table.forms[column])) continue;
      return std::ranges::any_of(fields(), [need](const TableField& field) {
        return field.need == need && field.is == CellKind::text;
      });
    }
    return false;
  }

  /// Offers the columns that are left to needed fields, and those of dates to any field that is a time.
  void offer_columns(std::set<int> met) {
    out_.unmet = out_.lacking.size();
    std::vector<bool> is_taken = is_used_;
    for (const bool is_date_pass : {true, false}) {  // a date says most about a column
      for (std::size_t i = 0; i < fields().size(); ++i) {
        if (is_date_pass && fields()[i].is != CellKind::time) continue;
        offer_column(i, is_date_pass, is_taken, met);
      }
    }
    std::ranges::sort(out_.offers);
  }

  void offer_column(std::size_t i, bool must_fit, std::vector<bool>& is_taken, std::set<int>& met) {
    const TableField& field = fields()[i];
    const bool is_needed = field.need > 0 && !met.contains(field.need);
    const bool is_date_field = field.is == CellKind::time;
    const bool is_offered =
        std::ranges::any_of(out_.offers, [i](const auto& one) { return one.first == i; });
    if (out_.fields[i].column || is_offered || (!is_needed && !is_date_field)) return;
    if (is_needed && field.is != CellKind::text && is_said_by_flag(field.need, is_taken)) return;
    std::optional<std::size_t> best;
    for (std::size_t column = 0; column < plain_.size(); ++column) {
      const ColumnForm& form = out_.table.forms[column];
      if (is_taken[column] || !can_hold(form, field)) continue;
      const bool is_text = form.of == ColumnForm::Of::text || is_flag(form);
      const bool fits = is_date_field == (form.of == ColumnForm::Of::date) &&
                        (field.is == CellKind::text) == is_text;
      if (fits || (is_needed && !must_fit && !best)) best = column;
      if (fits) break;
    }
    if (!best) return;
    is_taken[*best] = true;
    out_.offers.emplace_back(i, *best);
    if (is_needed) --out_.unmet;
    met.insert(field.need);
  }

  void count() {
    std::map<int, std::pair<bool, std::string>> needs;
    for (std::size_t i = 0; i < fields().size(); ++i) {
      const bool has = out_.fields[i].column.has_value();
      if (has) ++out_.found;
      const bool is_alone = out_.kind->is_column && plain_.size() == 1;
      if (fields()[i].need == 0 || (is_alone && i > 0)) continue;
      auto& [is_met, names] = needs[fields()[i].need];
      is_met = is_met || has;
      names += (names.empty() ? "" : " or ") + std::string(fields()[i].name);
    }
    if (out_.kind->needs_number) {
      bool has_number = false;
      for (std::size_t column = 0; column < plain_.size(); ++column) {
        const bool is_time = is_timed_column(column);
        const bool is_length = timed_[column].has_value();  // "wait (h)"
        has_number = has_number || (!is_time && !is_length &&
                                    out_.table.forms[column].of == ColumnForm::Of::number);
      }
      if (!has_number) out_.lacking.emplace_back("value");
    }
    std::set<int> met;
    for (auto& [need, state] : needs) {
      if (state.first) met.insert(need);
      if (!state.first) out_.lacking.push_back(std::move(state.second));
    }
    offer_columns(std::move(met));
    for (std::size_t column = 0; column < plain_.size(); ++column) {
      const bool is_stranger =
          is_one_of(plain_[column], out_.kind->strangers) ||
          (timed_[column] && is_one_of(timed_[column]->second, out_.kind->strangers));
      if (is_stranger && !is_used_[column]) out_.has_strangers = true;
    }
  }

  TableReading& out_;
  std::vector<bool> is_used_;
  bool has_dates_ = false;  // in any column
  std::vector<std::optional<std::size_t>> clock_of_;
  std::vector<std::string> plain_;
  std::vector<std::optional<std::pair<double, std::string>>> timed_;
};

Status check_words(const TableQuestion& question) {
  if (question.dates.empty() || question.dates == "dmy" || question.dates == "mdy") return {};
  return fail(ErrorCode::bad_value, "dates",
              fmt::format("found {}, expected dmy (day first) or mdy (month first)",
                          in_quotes(question.dates)));
}

}  // namespace

Result<TableReading> understood(SniffedTable table, const TableKind& kind,
                                const TableQuestion& question) {
  HOLDFAST_CHECK(check_words(question));
  TableReading out;
  out.table = std::move(table);
  out.kind = &kind;
  out.question = question;
  out.fields.resize(kind.fields.size());
  HOLDFAST_CHECK(Matcher(out).run());
  return out;
}

Result<TableReading> understood(std::string_view head, bool is_whole, const TableKind& kind,
                                const TableQuestion& question) {
  HOLDFAST_TRY(table, sniff(head, is_whole, question, &kind));
  return understood(std::move(table), kind, question);
}

TraceText TraceText::with(std::string_view columns, bool has_header) && {
  table.columns = fmt::format("{}{}{}", columns, table.columns.empty() ? "" : ",", table.columns);
  if (!has_header) table.header = "none";
  table.is_exact = true;
  reading = nullptr;
  return std::move(*this);
}

std::string note_of_times(double largest) {
  return largest > kLeastMilliseconds ? fmt::format("# {}\n", kTimesInSeconds) : std::string();
}

}  // namespace holdfast
