#include "holdfast/traces/capacity/capacity_series.hpp"

#include "holdfast/base/limits.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/traces/text/csv.hpp"
#include "holdfast/traces/text/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t kMostPoints = 50'000'000;

/// A builder that collects rows in any order into a step function.
class SeriesBuilder {
 public:
  void add(double time, double value) {
    if (!rows_.empty() && time < rows_.back().time) ++disordered_;
    rows_.push_back({time, value});
    skip(time);
  }
  /// Takes a row without a value: the value before it is still valid, also at the end of the file.
  void skip(double time) {
    if (time > latest_) before_latest_ = std::exchange(latest_, time);
    if (time < latest_) before_latest_ = std::max(before_latest_, time);
  }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// Returns the number of values at the time of another one, after finish().
  [[nodiscard]] std::size_t repeated() const { return repeated_; }

  /// Returns the series.
  /// @param is_sampled  true: the last value is valid as long as the one before it
  CapacitySeries finish(SeriesOf of, bool is_sampled) {
    CapacitySeries out;
    out.of = of;
    out.oddities.add("rows out of order", disordered_, "sorted");
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const SeriesPoint& a, const SeriesPoint& b) { return a.time < b.time; });
    for (const SeriesPoint& row : rows_) {
      if (!out.points.empty() && out.points.back().time == row.time) {
        ++repeated_;
        out.points.back() = row;
      } else {
        out.points.push_back(row);
      }
    }
    out.oddities.add("values at the time of the one before", static_cast<std::int64_t>(repeated_),
                     "the last one holds");
    out.end = out.points.back().time;
    if (is_sampled && std::isfinite(before_latest_)) {
      out.end = latest_ + (latest_ - before_latest_);
      count_steps(out);
    }
    return out;
  }

 private:
  // Counts gaps. A gap is a step that is longer than both its neighbours; a change of the step is not a gap.
  static void count_steps(CapacitySeries& out) {
    std::int64_t gaps = 0;
    const auto& p = out.points;
    for (std::size_t i = 2; i + 1 < p.size(); ++i) {
      const double step = p[i].time - p[i - 1].time;
      if (step > p[i - 1].time - p[i - 2].time && step > p[i + 1].time - p[i].time) ++gaps;
    }
    out.oddities.add("gaps longer than the steps around them", gaps, "the value before holds on");
  }

  std::vector<SeriesPoint> rows_;
  double latest_ = -std::numeric_limits<double>::infinity();  // of all rows, even if without value
  double before_latest_ = -std::numeric_limits<double>::infinity();
  std::int64_t disordered_ = 0;
  std::size_t repeated_ = 0;
};

struct SeriesAt {
  enum : std::size_t { time, value };
};
constexpr auto kSeriesFields = std::to_array<TableField>({
    {.name = "time",
     .is = CellKind::time,
     .synonyms =
         "timestamp datetime date period from start starttime begin pointtime unixtime unixseconds "
         "epoch hour hours second seconds day days utc datetimeutc",
     .need = 1},
    {.name = "value", .is = CellKind::number},
});
constexpr TableKind kSeriesTable = {
    .records = "values over time",
    .fields = kSeriesFields,
    .strangers =
        "node host hostname job jobid processors cores ranks machineid collectionid taskid",
    .takes_any_date = true,
    .needs_number = true,
};

/// The rows of a series, and the columns that are added.
class SeriesReader {
 public:
  SeriesReader(TableRows rows, const SeriesQuestion& question)
      : rows_{std::move(rows)}, question_{question} {}

  Result<CapacitySeries> read() {
    HOLDFAST_CHECK(choose_columns());
    HOLDFAST_TRY(unit, unit_of_time());
    std::int64_t empty = 0;
    for (;;) {
      HOLDFAST_TRY(more, rows_.next());
      if (!more) break;
      HOLDFAST_TRY(instant, rows_.time(SeriesAt::time));
      if (!instant) {
        return fail(ErrorCode::bad_value, rows_.place(SeriesAt::time),
                    "found nothing, expected a date");
      }
      note_texts();
      HOLDFAST_TRY(value, sum());
      const double time = instant->seconds * unit;
      if (!value) {
        ++empty;
        builder_.skip(time);
        continue;
      }
      if (builder_.size() >= kMostPoints) {
        return fail(ErrorCode::bad_format, rows_.place(),
                    fmt::format("found more than {} rows", kMostPoints));
      }
      builder_.add(time, *value);
    }
    if (builder_.size() == 0) {
      return fail(ErrorCode::bad_format, rows_.place(), "found no row with a value");
    }
    return finish(empty);
  }

 private:
  [[nodiscard]] const SniffedTable& table() const { return rows_.reading().table; }
  [[nodiscard]] std::size_t time_column() const {
    return *rows_.reading().fields[SeriesAt::time].column;
  }

  /// Notes which columns do not say the same in all rows, of those that may say of what a row is: texts, few whole numbers.
  void note_texts() {
    first_texts_.resize(table().names.size());
    varies_.resize(table().names.size());
    for (std::size_t i = 0; i < table().names.size(); ++i) {
      const ColumnForm& form = table().forms[i];
      const bool is_name =
          form.of == ColumnForm::Of::text || (form.of == ColumnForm::Of::number && form.is_whole &&
                                              form.words.size() < ColumnForm::kMostWords);
      const bool is_value =
          question_.column != "*" && std::ranges::find(columns_, i) != columns_.end();
      if (i == time_column() || is_value || varies_[i] || !is_name) continue;
      if (first_texts_[i].empty()) first_texts_[i] = rows_.raw(i);
      varies_[i] = first_texts_[i] != rows_.raw(i);
    }
  }

  /// Returns true for a column of the times of day that belong to the dates.
  [[nodiscard]] bool is_clock(std::size_t column) const {
    return std::ranges::any_of(rows_.reading().fields,
                               [column](const FieldReading& read) { return read.clock == column; });
  }

  /// Returns the columns that may hold values: those of numbers, and where the time comes first, all.
  [[nodiscard]] std::vector<std::size_t> candidates() const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < table().names.size(); ++i) {
      const auto of = table().forms[i].of;
      const bool is_number = of == ColumnForm::Of::number || of == ColumnForm::Of::nothing;
      if (i != time_column() && !is_clock(i) && is_number) out.push_back(i);
    }
    return out;
  }

  Status choose_columns() {
    const auto& asked = rows_.reading().fields[SeriesAt::value];
    std::vector<std::string_view> names;
    const std::vector<std::size_t> all = candidates();
    for (const std::size_t column : all) names.push_back(table().names[column]);
    if (question_.column == "*") {
      columns_ = all;
      const auto is_empty = [&](std::size_t column) {
        return table().forms[column].of == ColumnForm::Of::nothing;
      };
      if (!std::ranges::all_of(all, is_empty)) std::erase_if(columns_, is_empty);
    } else if (!question_.column.empty()) {
      for (const std::string_view part : split(question_.column, '+')) {
        const auto column = table().column(part);
        if (!column || *column == time_column()) {
          return fail(
              ErrorCode::unknown_name, "column",
              fmt::format("found {}, {}", in_quotes(trim(part)), suggestion(trim(part), names)));
        }
        columns_.push_back(*column);
      }
    } else if (asked.column) {
      columns_ = {*asked.column};
    } else if (all.size() == 1) {
      columns_ = all;
    } else {
      return fail(ErrorCode::bad_value, "column",
                  fmt::format("found {} columns of values, expected one of {} to be named, or "
                              "several joined by +",
                              names.size(), join(names, ", ")));
    }
    return {};
  }

  /// Returns the seconds per unit of times that are numbers. Numbers above 1e8 are seconds since 1970.
  Result<double> unit_of_time() {
    const ColumnForm& form = table().forms[time_column()];
    const FieldReading& time = rows_.reading().fields[SeriesAt::time];
    constexpr double kLeastDate = 1e8;
    if (form.of != ColumnForm::Of::number || time.is_unix || !time.unit.empty()) return 1.0;
    is_since_1970_ = form.largest > kLeastDate && question_.time_unit.value_or(1) == 1;
    if (is_since_1970_) return 1.0;
    if (question_.time_unit) return *question_.time_unit;
    if (const auto unit = seconds_in(plain_name(table().names[time_column()]))) return *unit;
    return fail(ErrorCode::bad_value, "unit",
                "the file does not say its unit of time, expected 1h, 1s or 1ms to be given");
  }

  /// Returns the sum of the columns; nothing if one of them is empty.
  Result<std::optional<double>> sum() {
    double out = 0;
    for (const std::size_t column : columns_) {
      HOLDFAST_TRY(value, rows_.number(column));
      if (!value) return std::optional<double>{};
      const std::string_view cell = rows_.raw(column);
      if (cell.ends_with('W') || cell.ends_with("Wh")) ++with_unit_;
      out += *value;
    }
    return std::optional<double>{out};
  }

  Result<CapacitySeries> finish(std::int64_t empty) {
    std::optional<SeriesOf> of;
    for (const std::size_t column : columns_) {
      const auto says = meaning_of(table().names[column]);
      if (says && (!of || *says == SeriesOf::carbon)) of = says;
    }
    CapacitySeries out = builder_.finish(of.value_or(SeriesOf::power), true);
    HOLDFAST_CHECK(check_one_row_per_time());
    out.is_dated = rows_.is_dated() || is_since_1970_;
    out.is_named = of.has_value();
    for (std::size_t i = 0; i < table().names.size(); ++i) {
      if (i != time_column() && !is_clock(i)) out.columns.push_back(table().names[i]);
    }
    out.oddities.add("values with a unit of power", with_unit_, "in watts");
    out.oddities.add("rows with an empty cell", empty, "the value before holds on");
    rows_.tell(out.oddities);
    if (!out.oddities.reading().empty()) {
      out.oddities.set_reading(
          fmt::format("{}, as {}", out.oddities.reading(), meaning_in_words(out)));
    }
    return out;
  }

  /// Refuses a table with a row for each of several things at the same time, of which one must be chosen.
  Status check_one_row_per_time() const {
    if (2 * builder_.repeated() < builder_.size()) return {};
    for (std::size_t i = 0; i < table().names.size(); ++i) {
      if (!varies_[i]) continue;
      Error error{.code = ErrorCode::bad_format, .where = rows_.place(), .message = {}};
      error.message = fmt::format(
          "found several rows at the same time, which seem to differ in {}, "
          "expected those of one to be chosen",
          in_quotes(table().names[i]));
      const std::string& text = first_texts_[i];
      const bool is_simple =
          (table().names[i] + text).find_first_of(" ,='\"()[]&$*?|;<>") == std::string::npos;
      error.remedy = {"where", is_simple ? fmt::format("{}={}", table().names[i], text)
                                         : fmt::format("\"{}='{}'\"", table().names[i], text)};
      return fail(std::move(error));
    }
    return {};
  }

  TableRows rows_;
  const SeriesQuestion& question_;
  std::vector<std::size_t> columns_;
  SeriesBuilder builder_;
  std::vector<std::string> first_texts_;  ///< of each column, in the first row
  std::vector<bool> varies_;              ///< of each column: not all rows say the same
  bool is_since_1970_ = false;
  std::int64_t with_unit_ = 0;
};

}  // namespace

Result<CapacitySeries> read_spot_series(LineReader lines, const SeriesQuestion&) {
  HOLDFAST_TRY(text, lines.rest(kMostJson));
  auto document = parse_json(text);
  if (!document) return fail(document.error());
  ObjectReader read(*document, "");
  double gap = 0;
  read.required("metadata", [&](const Value& value, const std::string& where) -> Status {
    ObjectReader inner(value, where);
    gap = inner.number("gap_seconds", positive());
    if (!inner.ok()) return inner.finish();
    return {};
  });
  SeriesBuilder builder;
  read.each("data", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(count, read_quantity(value, where, Unit::none, non_negative()));
    builder.add(static_cast<double>(builder.size()) * gap, count);
    return {};
  });
  if (!read.ok()) return fail(read.finish().error());
  if (builder.size() == 0) {
    return fail(ErrorCode::bad_format, "/data", "found no value, expected at least one");
  }
  CapacitySeries out = builder.finish(SeriesOf::machines, true);
  if (out.points.size() == 1) out.end = gap;
  return out;
}

bool looks_like_spot_series(std::string_view head) {
  return head.starts_with('{') && head.substr(0, 4096).find("\"gap_seconds\"") != head.npos;
}

Result<CapacitySeries> read_step_series(LineReader lines, const SeriesQuestion& question) {
  if (!question.time_unit) {
    return fail(ErrorCode::bad_value, "unit",
                "the file does not say its unit of time, expected 1h, 1s or 1ms to be given");
  }
  SeriesBuilder builder;
  std::vector<std::string_view> fields;
  std::string storage;
  std::string_view line;
  for (;;) {
    HOLDFAST_TRY(more, lines.next(line));
    if (!more) break;
    if (trim(line).empty()) continue;
    HOLDFAST_CHECK(split_csv(line, fields, storage));
    if (fields.size() != 2 || builder.size() >= kMostPoints) {
      return fail(ErrorCode::bad_format, lines.place(),
                  fmt::format("found {} fields, expected time,value", fields.size()));
    }
    const auto time = parse_quantity(trim(fields[0]), Unit::none);
    const auto value = parse_quantity(trim(fields[1]), Unit::none);
    if (!time || !value || !(*value >= 0)) {
      return fail(
          ErrorCode::bad_value, lines.place(),
          fmt::format("found {}, expected a time and a number of at least 0", in_quotes(line)));
    }
    builder.add(*time * *question.time_unit, *value);
  }
  if (builder.size() == 0) {
    return fail(ErrorCode::bad_format, lines.place(), "found no row, expected time,value");
  }
  return builder.finish(SeriesOf::machines, false);
}

bool looks_like_step_series(std::string_view head) {
  for (const std::string_view line : split(head, '\n')) {
    if (trim(line).empty()) continue;
    const auto fields = split(line, ',');
    return fields.size() == 2 && parse_quantity(trim(fields[0]), Unit::none) &&
           parse_quantity(trim(fields[1]), Unit::none);
  }
  return false;
}

Result<CapacitySeries> read_dated_series(TraceText text, const SeriesQuestion& question) {
  HOLDFAST_TRY(rows, TableRows::open(std::move(text), kSeriesTable));
  return SeriesReader(std::move(rows), question).read();
}

bool looks_like_dated_series(std::string_view head) {
  const auto lines = split(head, '\n');
  if (lines.size() < 2) return false;
  const auto fields = split(lines[0], ',');
  const auto first = split(lines[1], ',');
  if (fields.size() < 2 || fields.size() != first.size()) return false;
  const auto instant = parse_instant(trim(first[0]));
  if (!instant || !instant->is_date) return false;
  return std::all_of(first.begin() + 1, first.end(), [](std::string_view text) {
    return trim(text).empty() || parse_quantity(trim(text), Unit::none);
  });
}

Result<Oddities> write_step_series(const CapacitySeries& series, const TextSink& sink) {
  SinkBuffer out(sink);
  const auto row = [&](double time, double value) {
    out << fmt::format("{},{}\n", to_text(time), to_text(value));
  };
  for (const SeriesPoint& point : series.points) row(point.time, point.value);
  if (series.end > series.points.back().time) row(series.end, series.points.back().value);
  HOLDFAST_CHECK(out.finish());
  Oddities lost;
  lost.add("dates", series.is_dated ? static_cast<std::int64_t>(series.points.size()) : 0,
           "written as seconds since 1970");
  return lost;
}

Result<Oddities> write_dated_series(const CapacitySeries& series, const TextSink& sink) {
  if (!series.is_dated) {
    return fail(ErrorCode::bad_value, "",
                "found times that are no dates, expected dates: capacity-csv takes these");
  }
  constexpr auto kNames =
      std::to_array<std::string_view>({"machines", "power", "carbon", "in_service"});
  SinkBuffer out(sink);
  out << fmt::format("time,{}\n", kNames[static_cast<std::size_t>(series.of)]);
  for (const SeriesPoint& point : series.points) {
    out << fmt::format("{},{}\n", format_date(point.time), to_text(point.value));
  }
  HOLDFAST_CHECK(out.finish());
  const auto& points = series.points;
  const double step = points.size() < 2 ? 0 : points.back().time - points[points.size() - 2].time;
  Oddities lost;
  lost.add("the end of the last value", series.end != points.back().time + step ? 1 : 0,
           "not written: a reader takes the step before it");
  return lost;
}

FormatOf<CapacitySeries> spot_json_format() {
  return {.facts = {.name = "spot-json",
                    .summary =
                        "instances alive, sampled at a fixed step (JSON with gap_seconds and data)",
                    .recognise = looks_like_spot_series},
          .read = read_spot_series};
}

FormatOf<CapacitySeries> capacity_csv_format() {
  return {.facts = {.name = "capacity-csv",
                    .summary = "instances alive as steps time,value without a header",
                    .recognise = looks_like_step_series},
          .read = read_step_series,
          .write = write_step_series};
}

FormatOf<CapacitySeries> series_csv_format() {
  return {.facts = {.name = "series-csv",
                    .summary = "generation or carbon intensity by date (CSV with a header)",
                    .recognise = looks_like_dated_series,
                    .table = &kSeriesTable},
          .read = read_dated_series,
          .has_columns = true,
          .write = write_dated_series};
}

}  // namespace holdfast
