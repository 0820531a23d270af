#include "holdfast/traces/speedup/speedup_runs.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/traces/text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace holdfast {
namespace {

constexpr auto kProcessors = std::to_array<std::string_view>(
    {"processors", "processes", "cores", "ranks", "threads", "nodes"});
constexpr auto kSeconds =
    std::to_array<std::string_view>({"seconds", "time", "duration", "runtime", "wall_max_s"});
constexpr std::size_t kMostRows = 10'000'000;

std::string lower(std::string_view text) {
  std::string out(trim(text));
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool is_number(std::string_view text) {
  return parse_quantity(trim(text), Unit::none).has_value();
}

// Returns the fields of one line, split at commas if it has any, otherwise at tabs and blanks.
Result<std::vector<std::string>> fields_of(std::string_view line) {
  std::vector<std::string_view> views;
  std::string storage;
  if (line.find(',') != std::string_view::npos) {
    HOLDFAST_CHECK(split_csv(line, views, storage));
  } else {
    const char separator = line.find('\t') != std::string_view::npos ? '\t' : ' ';
    for (const std::string_view part : split(line, separator)) {
      if (separator == '\t' || !trim(part).empty()) views.push_back(part);
    }
  }
  std::vector<std::string> out;
  for (const std::string_view view : views) out.emplace_back(trim(view));
  return out;
}

/// The meaning of each column of the table.
struct Columns {
  std::vector<std::string> header;
  std::size_t processors = 0;
  std::vector<std::size_t> seconds;
  std::vector<std::size_t> names;
};

std::optional<std::size_t> first_of(std::span<const std::string> header,
                                    std::span<const std::string_view> wanted) {
  for (const std::string_view name : wanted) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (lower(header[i]) == name) return i;
    }
  }
  return std::nullopt;
}

bool is_count(std::string_view name) {
  return std::ranges::find(kProcessors, name) != kProcessors.end();
}

// Returns the columns of a table; nothing if the header and the first row are not a table of run times.
std::optional<Columns> columns_of(std::vector<std::string> header,
                                  std::span<const std::string> first_row) {
  Columns out;
  const auto processors = first_of(header, kProcessors);
  if (!processors || first_row.size() != header.size()) return std::nullopt;
  out.processors = *processors;
  const auto seconds = first_of(header, kSeconds);
  if (seconds) out.seconds.push_back(*seconds);
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (i == *processors || is_count(lower(header[i]))) continue;
    if (!is_number(first_row[i])) {
      out.names.push_back(i);
    } else if (!seconds) {
      out.seconds.push_back(i);
    }
  }
  if (out.seconds.empty()) return std::nullopt;
  out.header = std::move(header);
  return out;
}

class RunsReader {
 public:
  explicit RunsReader(LineReader lines) : lines_{std::move(lines)} {}

  Result<SpeedupTable> read() {
    HOLDFAST_TRY(header, next());
    if (header.empty()) {
      return fail(ErrorCode::bad_format, lines_.place(),
                  "found no line, expected a header and rows of run times");
    }
    HOLDFAST_TRY(row, next());
    auto columns = columns_of(std::move(header), row);
    if (!columns) {
      return fail(
          ErrorCode::bad_format, lines_.place(),
          fmt::format("found no table of run times, expected a column {} and one of seconds",
                      join(kProcessors, ", ")));
    }
    std::size_t rows = 0;
    while (!row.empty()) {
      if (++rows > kMostRows) {
        return fail(ErrorCode::bad_format, lines_.place(),
                    fmt::format("found more than {} rows", kMostRows));
      }
      HOLDFAST_CHECK(add(*columns, row));
      HOLDFAST_TRY(following, next());
      row = std::move(following);
    }
    return std::move(out_);
  }

 private:
  // Returns the fields of the next line that is neither blank nor a comment; none at the end.
  Result<std::vector<std::string>> next() {
    std::string_view line;
    for (;;) {
      HOLDFAST_TRY(more, lines_.next(line));
      if (!more) return std::vector<std::string>{};
      const std::string_view text = trim(line);
      if (text.empty() || text.front() == '#') continue;
      auto fields = fields_of(line);
      if (!fields) return fail(in_file(lines_.place(), std::move(fields).error()));
      return fields;
    }
  }

  Status add(const Columns& columns, const std::vector<std::string>& row) {
    if (row.size() != columns.header.size()) {
      return fail(ErrorCode::bad_format, lines_.place(),
                  fmt::format("found {} fields, expected {}", row.size(), columns.header.size()));
    }
    const auto processors = parse_integer(row[columns.processors]);
    if (!processors || *processors < 1) {
      return refuse(columns, columns.processors, row, "a whole number of at least 1");
    }
    std::string name;
    for (const std::size_t column : columns.names) {
      name += (name.empty() ? "" : " ") + row[column];
    }
    for (const std::size_t column : columns.seconds) {
      const auto seconds = parse_quantity(row[column], Unit::seconds);
      if (!seconds || !(*seconds > 0)) {
        return refuse(columns, column, row, "a duration greater than 0");
      }
      const bool has_parts = columns.seconds.size() > 1;
      const std::string part = has_parts ? columns.header[column] : std::string();
      SpeedupRuns& runs = series(name.empty() || part.empty() ? name + part : name + " " + part);
      runs.processors.push_back(*processors);
      runs.seconds.push_back(*seconds);
    }
    return {};
  }

  Status refuse(const Columns& columns, std::size_t column, const std::vector<std::string>& row,
                std::string_view expected) const {
    return fail(ErrorCode::bad_value, fmt::format("{}: {}", lines_.place(), columns.header[column]),
                fmt::format("found {}, expected {}", in_quotes(row[column]), expected));
  }

  SpeedupRuns& series(const std::string& name) {
    const auto [found, is_new] = positions_.try_emplace(name, out_.size());
    if (is_new) out_.push_back({.name = name, .processors = {}, .seconds = {}});
    return out_[found->second];
  }

  LineReader lines_;
  std::vector<SpeedupRuns> out_;
  std::map<std::string, std::size_t, std::less<>> positions_;
};

}  // namespace

Result<SpeedupTable> read_speedup_runs(LineReader lines) {
  return RunsReader(std::move(lines)).read();
}

Oddities oddities_of(std::span<const SpeedupRuns> all) {
  std::int64_t slower = 0, superlinear = 0, timeless = 0, steps = 0, repeated = 0, late = 0,
               disordered = 0;
  for (const SpeedupRuns& runs : all) {
    timeless += runs.without_time;
    std::vector<std::pair<std::int64_t, double>> points;
    for (std::size_t i = 0; i < runs.processors.size(); ++i) {
      points.emplace_back(runs.processors[i], runs.seconds[i]);
    }
    if (!std::ranges::is_sorted(runs.processors)) ++disordered;
    std::ranges::stable_sort(points, {}, &std::pair<std::int64_t, double>::first);
    if (!points.empty() && points.front().first > 1) ++late;
    for (std::size_t i = 1; i < points.size(); ++i) {
      const auto& [fewer, before] = points[i - 1];
      const auto& [more, after] = points[i];
      if (more == fewer) {
        ++repeated;
        continue;
      }
      ++steps;
      if (after > before) ++slower;
      if (after * static_cast<double>(more) < before * static_cast<double>(fewer)) ++superlinear;
    }
  }
  Oddities out;
  const std::string of = fmt::format(" (of {} steps)", steps);
  out.add("steps to more processors on which the time grows" + of, slower,
          "kept: a profile of type `table` is checked where it is used");
  out.add("steps to more processors on which the work shrinks" + of, superlinear,
          "kept: a profile of type `table` is checked where it is used");
  out.add("runs that took no time", timeless, "left out");
  out.add("runs on a number of processors that was there already", repeated, "kept");
  out.add("series that do not begin at 1 processor", late, "kept: nothing is known of fewer");
  out.add("series whose rows are not in order of processors", disordered, "kept in that order");
  return out;
}

bool looks_like_speedup_runs(std::string_view head) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string_view line : split(head, '\n')) {
    const std::string_view text = trim(line);
    if (text.empty() || text.front() == '#') continue;
    auto fields = fields_of(text);
    if (!fields) return false;
    rows.push_back(std::move(*fields));
    if (rows.size() == 2) return columns_of(std::move(rows[0]), rows[1]).has_value();
  }
  return false;
}

Result<Oddities> write_speedup_runs(const SpeedupTable& runs, const TextSink& sink) {
  const bool is_alone = runs.size() == 1 && runs.front().name.empty();
  SinkBuffer out(sink);
  out << (is_alone ? "processors,seconds\n" : "series,processors,seconds\n");
  for (const SpeedupRuns& one : runs) {
    if (!is_alone && is_number(one.name)) {
      return fail(ErrorCode::bad_value, "",
                  fmt::format("found a series called {}, expected a name that is no number",
                              in_quotes(one.name)));
    }
    const std::string name = is_alone ? std::string() : csv_field(one.name) + ",";
    for (std::size_t i = 0; i < one.processors.size(); ++i) {
      out << name << fmt::format("{},{}\n", one.processors[i], to_text(one.seconds[i]));
    }
  }
  HOLDFAST_CHECK(out.finish());
  return Oddities{};
}

Result<SpeedupTable> sliced(const SpeedupTable&, const SliceQuestion&) {
  return fail(ErrorCode::usage, "",
              "found run times by processors, expected a trace with times, machines or jobs");
}

FormatOf<SpeedupTable> speedup_table_format() {
  return {.facts = {.name = "speedup-table",
                    .summary = "run times by number of processors (table with a header)",
                    .recognise = looks_like_speedup_runs},
          .read = read_speedup_runs,
          .write = write_speedup_runs};
}

}  // namespace holdfast
