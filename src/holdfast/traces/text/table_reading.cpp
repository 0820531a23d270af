#include "holdfast/traces/text/table_reading.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/text/column_times.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace holdfast {
namespace {

bool is_one_of(std::string_view word, std::string_view words) {
  const auto all = words_of(words);
  return std::ranges::find(all, word) != all.end();
}

bool is_count(std::string_view cell) {
  return count_in(cell, false) || count_in(cell, true);
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
    case CellKind::count:
      return form.of == Of::number || form.of == Of::nothing ||
             (form.of == Of::duration && std::ranges::all_of(form.words, is_count));
    case CellKind::duration:
      return form.of == Of::number || form.of == Of::duration || form.of == Of::nothing;
    case CellKind::time:
      return form.of == Of::number || form.of == Of::date || form.of == Of::nothing;
    case CellKind::date:
      return form.of == Of::date || form.of == Of::nothing;
  }
  return false;
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
    HOLDFAST_CHECK(settle_times(out_));
    HOLDFAST_CHECK(take_where());
    if (!out_.question.is_exact) count();
    return {};
  }

 private:
  [[nodiscard]] std::span<const TableField> fields() const { return out_.kind->fields; }

  Result<std::size_t> column_of(std::string_view name, std::string_view place) const {
    if (const auto column = out_.table.column(name)) return *column;
    const std::vector<std::string_view> names(out_.table.names.begin(), out_.table.names.end());
    return fail(ErrorCode::unknown_name, std::string(place),
                fmt::format("found no column {}, {}", in_quotes(name), suggestion(name, names)));
  }

  Status take_asked() {
    if (out_.question.is_exact && out_.table.names.empty()) return {};  // TableRows says so
    HOLDFAST_TRY(pairs, named_values(out_.question.columns, "columns"));
    std::vector<std::string> missing;  // of a table of one site
    for (const auto& [name, column_name] : pairs) {
      HOLDFAST_TRY(field, field_called(out_, name, "columns"));
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
    for (const By by : {By::name, By::stem, By::core}) {
      for (std::size_t i = 0; i < fields().size(); ++i) find_column(i, by);
    }
    if (out_.kind->takes_any_date) take_first_date();
    const bool is_alone = out_.kind->is_column && plain_.size() == 1;
    const std::size_t in_order = is_alone ? 1 : out_.kind->in_order;
    const bool is_nameless = out_.table.header_line == 0 || is_alone;
    if (in_order > 0 && is_nameless && plain_.size() >= in_order) take_in_order(in_order);
  }

  /// How the name of a column is compared: whole, without its unit, or without the word that says that it is a time.
  enum class By : std::uint8_t { name, stem, core };

  /// Returns "down" of "Date down" and "downtimestamp", if the column holds dates, or its name says so; otherwise nothing.
  [[nodiscard]] std::string_view core_of(std::size_t column) const {
    constexpr auto kWords =
        std::to_array<std::string_view>({"datetime", "timestamp", "date", "datum", "time", "zeit"});
    const std::string_view name = plain_[column];
    for (const std::string_view word : kWords) {
      const bool is_date = word.starts_with("dat");
      if (!is_date && out_.table.forms[column].of != ColumnForm::Of::date) continue;
      if (name.size() == word.size() || has_own_clock(column, word)) continue;
      if (name.starts_with(word)) return name.substr(word.size());
      if (name.ends_with(word)) return name.substr(0, name.size() - word.size());
    }
    return {};
  }

  /// Returns true if the column beside "down date" is "down time".
  [[nodiscard]] bool has_own_clock(std::size_t column, std::string_view word) const {
    std::string own = plain_[column];
    const std::size_t at = own.find(word);
    return at != own.npos && column + 1 < plain_.size() &&
           plain_[column + 1] == own.replace(at, word.size(), "time") && own != plain_[column];
  }

  [[nodiscard]] bool is_called(std::size_t column, std::string_view word, By by) const {
    if (by == By::name) return plain_[column] == word;
    if (by == By::core) return core_of(column) == word;
    return timed_[column] && timed_[column]->second == word;
  }

  void find_column(std::size_t i, By by) {
    const TableField& field = fields()[i];
    FieldReading& read = out_.fields[i];
    if (read.column || (by == By::stem && !is_timed(field.is))) return;
    if (by == By::core && field.is != CellKind::time) return;
    auto words = words_of(field.synonyms);
    const std::string own = plain_name(field.name);
    words.insert(words.begin(), own);
    for (const std::string_view word : words) {
      for (std::size_t column = 0; column < plain_.size(); ++column) {
        if (is_used_[column] || !is_called(column, word, by)) continue;
        // A cell under the field's own name that is no value is a mistake in that cell.
        const bool is_own = plain_[column] == own;
        // So is a word among dates.
        const bool has_some_dates =
            field.is == CellKind::time && out_.table.forms[column].dates > 0;
        if (!is_own && !has_some_dates && !can_hold(out_.table.forms[column], field)) continue;
        // In a table with dates, numbers under "repair time (h)" are no times.
        if (!is_own && field.is == CellKind::time && has_dates_ &&
            out_.table.forms[column].of == ColumnForm::Of::number) {
          continue;
        }
        read.column = column;
        is_used_[column] = true;
        refuse_twins(i, column);
        return;
      }
    }
  }

  /// Two columns of the same name may mean different things.
  void refuse_twins(std::size_t field, std::size_t column) {
    const auto& names = out_.table.names;
    const auto behind = names.begin() + static_cast<std::ptrdiff_t>(column) + 1;
    const auto twin = std::find(behind, names.end(), names[column]);
    if (twin == names.end() || out_.trouble) return;
    Error error{.code = ErrorCode::bad_format, .where = {}, .message = {}};
    error.message = fmt::format("found two columns {}, number {} and {}, expected different names",
                                in_quotes(names[column]), column + 1, twin - names.begin() + 1);
    error.remedy = {"columns", fmt::format("{}={}", fields()[field].name, column + 1)};
    out_.trouble = std::move(error);
  }

  /// Returns what is left of the names of a date and of the time of day beside it, "down" of "down date" and "down time";
  /// nothing if the two columns do not belong together by their names, or by what they hold.
  [[nodiscard]] std::optional<std::string> common_stem(std::size_t date, std::size_t clock) const {
    const ColumnForm &days = out_.table.forms[date], &times = out_.table.forms[clock];
    if (days.of != ColumnForm::Of::date || days.has_clock) return std::nullopt;
    constexpr std::string_view kHours = "hour h he hourending hourbeginning stunde heure hora";
    constexpr double kMostHours = 24;
    if (times.of == ColumnForm::Of::number && times.is_whole && times.smallest >= 0 &&
        times.largest <= kMostHours && is_one_of(plain_[clock], kHours)) {
      return std::string();
    }
    if (times.clocks == 0 || times.clocks != times.rows - times.missing) return std::nullopt;
    const auto without = [](std::string stem, std::string_view words) {
      for (const std::string_view word : words_of(words)) {
        const std::size_t at = stem.find(word);
        if (at != stem.npos) return std::optional(stem.erase(at, word.size()));
      }
      return std::optional<std::string>();
    };
    const auto stem = without(plain_[date], "datum date data day tag jour fecha");
    if (stem == without(plain_[clock], "uhrzeit zeit time hour clock heures heure hora ora"))
      return stem;
    // "date, start, end" and "Datum; Anfang; Ende"
    constexpr std::string_view kBegins =
        "start begin from down anfang beginn von debut début inicio";
    return stem == "" && is_one_of(plain_[clock], kBegins) ? std::optional(plain_[clock])
                                                           : std::nullopt;
  }
  /// Returns true if a column of times of day ends what begins at the clock in the column before it.
  [[nodiscard]] bool is_end_clock(std::size_t column) const {
    const ColumnForm& form = out_.table.forms[column];
    return form.clocks > 0 && form.clocks == form.rows - form.missing &&
           is_one_of(plain_[column], "end stop to until up ende bis fin finish");
  }

  /// Finds the dates whose times of day are in the column beside them.
  void pair_clocks() {
    clock_of_.resize(plain_.size());
    end_clock_of_.resize(plain_.size());
    for (std::size_t next = 1; next < plain_.size(); ++next) {
      const auto stem = is_used_[next] ? std::nullopt : common_stem(next - 1, next);
      if (!stem) continue;
      clock_of_[next - 1] = next;
      is_used_[next] = true;
      if (!stem->empty()) plain_[next - 1] = *stem;
      const std::size_t end = next + 1;
      if (plain_[next] != *stem || end >= plain_.size() || is_used_[end] || !is_end_clock(end))
        continue;
      end_clock_of_[next - 1] = end;
      is_used_[end] = true;
    }
  }

  void take_clocks() {
    for (FieldReading& read : out_.fields) {
      if (read.column) read.clock = clock_of_[*read.column];
    }
    for (std::size_t date = 0; date < plain_.size(); ++date) {
      if (const auto end = end_clock_of_[date]) take_end(date, *end);
    }
  }
  /// Gives a date with a begin and an end on that day to the field of the end.
  void take_end(std::size_t date, std::size_t clock) {
    for (std::size_t i = 0; i < fields().size(); ++i) {
      const TableField& field = fields()[i];
      FieldReading& read = out_.fields[i];
      const bool is_end =
          plain_[clock] == plain_name(field.name) || is_one_of(plain_[clock], field.synonyms);
      if (read.column || field.is != CellKind::time || !is_end) continue;
      read.column = date;
      read.clock = clock;
      read.begin_clock = clock_of_[date];
      return;
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

  Status take_where() {
    HOLDFAST_TRY(pairs, named_values(out_.question.where, "where"));
    for (const auto& [name, value] : pairs) {
      HOLDFAST_TRY(column, column_of(name, "where"));
      out_.where.emplace_back(column, value);
      is_used_[column] = true;
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

  /// Returns true for numbers in a table of a kind that has none, if they are not whole and no lengths of time.
  [[nodiscard]] bool is_other_number(std::size_t column) const {
    const ColumnForm& form = out_.table.forms[column];
    return out_.kind->is_without_numbers && form.of == ColumnForm::Of::number && !form.is_whole &&
           !timed_[column] && !seconds_in(plain_[column]) &&
           !is_one_of(plain_[column], "duration length downtime dauer durée outage");
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
      if ((is_stranger || is_other_number(column)) && !is_used_[column]) out_.has_strangers = true;
    }
  }

  TableReading& out_;
  std::vector<bool> is_used_;
  bool has_dates_ = false;  // in any column
  std::vector<std::optional<std::size_t>> clock_of_, end_clock_of_;
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

}  // namespace holdfast
