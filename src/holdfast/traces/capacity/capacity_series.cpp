#include "holdfast/traces/capacity/capacity_series.hpp"

#include "holdfast/base/limits.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/traces/text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
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

  /// Returns the series.
  /// @param is_sampled  true: the last value is valid as long as the one before it
  CapacitySeries finish(SeriesOf of, bool is_sampled) {
    CapacitySeries out;
    out.of = of;
    out.oddities.add("rows out of order", disordered_, "sorted");
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const SeriesPoint& a, const SeriesPoint& b) { return a.time < b.time; });
    std::int64_t repeated = 0;
    for (const SeriesPoint& row : rows_) {
      if (!out.points.empty() && out.points.back().time == row.time) {
        ++repeated;
        out.points.back() = row;
      } else {
        out.points.push_back(row);
      }
    }
    out.oddities.add("values at the time of the one before", repeated, "the last one holds");
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
};

bool speaks_of_carbon(std::string_view column) {
  std::string lower(column);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower.find("carbon") != std::string::npos || lower == "ci" || lower.ends_with("_ci");
}

// Returns the positions of the columns whose values are added.
Result<std::vector<std::size_t>> value_columns(const CsvReader& rows, const std::string& asked) {
  std::vector<std::string_view> names;
  for (const std::string& name : rows.header().subspan(1)) names.push_back(trim(name));
  if (asked == "*") {  // all columns
    std::vector<std::size_t> all;
    for (std::size_t i = 1; i <= names.size(); ++i) all.push_back(i);
    return all;
  }
  if (asked.empty()) {
    if (names.size() == 1) return std::vector<std::size_t>{1};
    return fail(ErrorCode::bad_value, "column",
                fmt::format("found {} columns of values, expected one of {} to be named, or "
                            "several joined by +",
                            names.size(), join(names, ", ")));
  }
  std::vector<std::size_t> out;
  for (const std::string_view part : split(asked, '+')) {
    const std::string_view name = trim(part);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      return fail(ErrorCode::unknown_name, "column",
                  fmt::format("found {}, {}", in_quotes(name), suggestion(name, names)));
    }
    out.push_back(static_cast<std::size_t>(found - names.begin()) + 1);
  }
  return out;
}

// Returns the sum of the columns; nothing if one of them is empty.
Result<std::optional<double>> value_of(const CsvReader& rows,
                                       const std::vector<std::size_t>& columns) {
  double sum = 0;
  for (const std::size_t column : columns) {
    const std::string_view text = trim(rows[column]);
    if (text.empty()) return std::optional<double>{};
    const auto value = parse_quantity(text, Unit::none);
    if (!value) {
      return fail(ErrorCode::bad_value, rows.place(column),
                  fmt::format("found {}, expected a number", in_quotes(text)));
    }
    sum += *value;
  }
  return std::optional<double>{sum};
}

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

Result<CapacitySeries> read_dated_series(LineReader lines, const SeriesQuestion& question) {
  HOLDFAST_TRY(rows, CsvReader::open(std::move(lines)));
  if (rows.header().size() < 2) {
    return fail(ErrorCode::bad_format, rows.place(),
                "found one column, expected a time and at least one of values");
  }
  HOLDFAST_TRY(columns, value_columns(rows, question.column));
  SeriesBuilder builder;
  std::int64_t empty = 0;
  for (;;) {
    HOLDFAST_TRY(more, rows.next());
    if (!more) break;
    const auto instant = parse_instant(trim(rows[0]));
    if (!instant || !instant->is_date) {
      return fail(ErrorCode::bad_value, rows.place(0),
                  fmt::format("found {}, expected a date", in_quotes(rows[0])));
    }
    HOLDFAST_TRY(value, value_of(rows, columns));
    if (!value) {
      ++empty;
      builder.skip(instant->seconds);
      continue;
    }
    if (builder.size() >= kMostPoints) {
      return fail(ErrorCode::bad_format, rows.place(),
                  fmt::format("found more than {} rows", kMostPoints));
    }
    builder.add(instant->seconds, *value);
  }
  if (builder.size() == 0) {
    return fail(ErrorCode::bad_format, rows.place(), "found no row with a value");
  }
  const bool carbon = std::ranges::any_of(
      columns, [&](std::size_t column) { return speaks_of_carbon(trim(rows.header()[column])); });
  CapacitySeries out = builder.finish(carbon ? SeriesOf::carbon : SeriesOf::power, true);
  out.is_dated = true;
  for (const std::string& name : rows.header().subspan(1)) out.columns.emplace_back(trim(name));
  out.oddities.add("rows with an empty cell", empty, "the value before holds on");
  return out;
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
                    .recognise = looks_like_dated_series},
          .read = read_dated_series,
          .has_columns = true,
          .write = write_dated_series};
}

}  // namespace holdfast
