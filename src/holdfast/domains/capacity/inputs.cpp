#include "holdfast/domains/capacity/inputs.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/domains/capacity/fields.hpp"
#include "holdfast/inputs/logged_jobs.hpp"
#include "holdfast/traces/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace holdfast::capacity {
namespace {

enum class Rule : std::uint8_t { count, share, inverse };
constexpr std::int64_t kDefaultMost = 32;  // machines, where neither the user nor the jobs say more

void add_oddities(const Oddities& oddities, const std::string& file,
                  std::vector<std::string>& notes) {
  if (!oddities.reading().empty()) {
    notes.push_back(fmt::format("{}: {}", file, oddities.reading()));
  }
  for (const Oddity& oddity : oddities.list()) {
    notes.push_back(fmt::format("{}: {} ({}): {}", file, oddity.what, oddity.count, oddity.action));
  }
}

constexpr auto kReasons = std::to_array<std::string_view>(
    {"without a submission, a run time of at least 1 s or processors", "longer than asked for"});

LoggedJobs jobs_of(const JobLog& log, const JobLogQuestion& question,
                   std::optional<double> longest) {
  LogSelection selection = select_jobs(log, question.file.string(), kReasons,
                                       [&](const LoggedJob& job) -> std::optional<std::size_t> {
                                         if (job.submit < 0 || job.run < 1 || job.width() < 1)
                                           return 0;
                                         if (longest && job.run > *longest) return 1;
                                         return std::nullopt;
                                       });
  LoggedJobs out{.notes = std::move(selection.notes), .left_out = selection.left_out};
  if (question.compress == 1) {
    const auto nodes = log.facts.number("MaxNodes");
    out.processors =
        std::max<std::int64_t>(0, log.facts.number("MaxProcs").value_or(nodes.value_or(0)));
  }
  const double origin = log.facts.has_own_clock ? first_submission(log.jobs) : 0;
  out.jobs.reserve(selection.jobs.size());
  for (const LoggedJob* job : selection.jobs) {
    out.jobs.push_back(
        {.id = fmt::format("{}", job->number),
         .release = static_cast<std::int64_t>((job->submit - origin) / question.compress),
         .cores = job->width(),
         .length = static_cast<std::int64_t>(job->run)});
  }
  return out;
}

// The instant of a series at which the window begins.
Result<double> first_instant(const CapacitySeries& series, const std::string& text) {
  const double first = series.points.front().time;
  if (text.empty()) return first;
  if (!series.is_dated) {
    const auto seconds = parse_quantity(text, Unit::seconds);
    if (!seconds) return fail(ErrorCode::bad_value, "from", seconds.error().message);
    return first + *seconds;
  }
  const auto instant = parse_instant(text);
  if (!instant || !instant->is_date) {
    return fail(
        ErrorCode::bad_value, "from",
        fmt::format("found {}, expected a date from {} on", in_quotes(text), format_date(first)));
  }
  return instant->seconds;
}

/// The part of a series that is used, from 0 on.
std::vector<SeriesPoint> part_of(const CapacitySeries& series, double from, double to) {
  const auto after = std::ranges::upper_bound(series.points, from, {}, &SeriesPoint::time);
  std::vector<SeriesPoint> out = {{0, std::prev(after)->value}};
  for (auto point = after; point != series.points.end() && point->time < to; ++point) {
    out.push_back({point->time - from, point->value});
  }
  return out;
}

std::int64_t machines_at(double value, Rule rule, double low, double high,
                         const MachineBounds& bounds) {
  const auto whole = [](double x) { return static_cast<std::int64_t>(std::floor(x + 1e-9)); };
  if (rule == Rule::count) return whole(value);
  const std::int64_t most = bounds.most.value_or(kDefaultMost);
  if (rule == Rule::share) {
    return high > 0 ? std::max<std::int64_t>(0, whole(static_cast<double>(most) * value / high))
                    : 0;
  }
  const std::int64_t least = std::min(most, bounds.least.value_or(most / 2));
  if (high == low) return most;
  return least + whole(static_cast<double>(most - least) * (high - value) / (high - low));
}

// Returns the integral over time of `of`(value).
template <class Of>
double integral(const std::vector<SeriesPoint>& part, double end, Of of) {
  double sum = 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const double until = i + 1 < part.size() ? part[i + 1].time : end;
    sum += (until - part[i].time) * of(part[i].value);
  }
  return sum;
}

// Returns the M+ with which the mean number of machines alive is `wanted`.
std::int64_t most_for(double wanted, const std::vector<SeriesPoint>& part, double end, Rule rule,
                      double low, double high) {
  const double sum = integral(part, end, [&](double value) {
    if (rule != Rule::inverse) return high > 0 ? value / high : 0;
    return high == low ? 1 : (1 + (high - value) / (high - low)) / 2;
  });
  if (!(sum > 0)) return kDefaultMost;
  return std::llround(std::clamp(wanted * end / sum, 1.0, static_cast<double>(kMostMachines)));
}

std::vector<Step> steps_of(const std::vector<SeriesPoint>& part, double end, SeriesOf of, Rule rule,
                           std::int64_t begin, MachineBounds bounds) {
  double low = part.front().value, high = low;
  for (const SeriesPoint& point : part) {
    low = std::min(low, point.value);
    high = std::max(high, point.value);
  }
  if (of == SeriesOf::in_service) high = 1;  // the whole machine, even if it is never complete
  if (!bounds.most && bounds.wanted && rule != Rule::count) {
    const double wanted = *bounds.wanted;
    bounds.most = most_for(wanted, part, end, rule, low, high);
    const auto has = [&](double machines) {
      const auto at = [&](double value) {
        return static_cast<double>(machines_at(value, rule, low, high, bounds));
      };
      return integral(part, end, at) / end >= machines;
    };
    // With few machines, rounding down may leave next to none: then M+ is larger.
    if (!has(wanted / 2)) {
      while (!has(wanted) && *bounds.most < kMostMachines) ++*bounds.most;
    }
  }
  std::vector<Step> alive;
  for (const SeriesPoint& point : part) {
    const Step step{begin + static_cast<std::int64_t>(std::floor(point.time)),
                    machines_at(point.value, rule, low, high, bounds)};
    if (!alive.empty() && alive.back().time == step.time) alive.pop_back();
    if (alive.empty() || alive.back().machines != step.machines) alive.push_back(step);
  }
  return alive;
}

/// Returns true if there is one machine, and a value that leaves a part of it leaves none.
bool is_all_or_nothing(const std::vector<SeriesPoint>& part, const std::vector<Step>& alive,
                       Rule rule) {
  const std::int64_t most = std::ranges::max(alive, {}, &Step::machines).machines;
  const std::int64_t least = std::ranges::min(alive, {}, &Step::machines).machines;
  const double whole = rule == Rule::share ? std::ranges::max(part, {}, &SeriesPoint::value).value
                                           : std::ranges::min(part, {}, &SeriesPoint::value).value;
  return most <= 1 && least == 0 && std::ranges::any_of(part, [whole](const SeriesPoint& point) {
           return point.value > 0 && point.value != whole;
         });
}

Rule default_rule(SeriesOf of) {
  if (of == SeriesOf::machines) return Rule::count;
  return of == SeriesOf::carbon ? Rule::inverse : Rule::share;
}

Result<Rule> rule_for(SeriesOf of, bool is_named, std::optional<Rule> asked) {
  if (!asked && !is_named) {
    return fail(ErrorCode::bad_value, "rule",
                "the name of the column does not say what its values are, expected count "
                "(machines), share (more is better) or inverse (carbon intensity)");
  }
  const Rule rule = asked.value_or(default_rule(of));
  if (of != SeriesOf::in_service || rule == Rule::share) return rule;
  return fail(ErrorCode::bad_value, "rule",
              fmt::format("found {}, expected share: the values are shares of a machine",
                          kRules[static_cast<std::size_t>(rule)]));
}

// Errors about a file keep its name; errors about a field of the question get the pointer of the field.
Error placed_in(Error error, const std::string& where, const std::string& file) {
  error.field = pointer_to(where, "file");
  for (const std::string_view field : {"column", "unit", "format", "from", "rule", "nodes",
                                       "columns", "column_unit", "where", "dates", "header"}) {
    const bool is_field = error.where == field || error.where == file + ": " + std::string(field);
    if (!is_field) continue;
    error.where = pointer_to(where, field);
    error.field.clear();
    error.message = fmt::format("{}: {}", file, error.message);
  }
  return error;
}

// A file with a series, and the instant of it at which the window begins, as it was typed.
struct AskedSeries {
  std::filesystem::path path;
  CapacitySeries series;
  std::string from;
};

// Reads the fields that every series has, which are the last ones of the object, and opens the file.
Result<AskedSeries> open_series(ObjectReader& read, const std::filesystem::path& directory) {
  AskedSeries out;
  out.path = (directory / read.text("file")).lexically_normal();
  const ReadAs as = read_read_as(read);
  const std::string nodes = read.text_or("nodes", "");
  const SeriesQuestion question{
      .column = read.text_or("column", ""),
      .time_unit = read.optional_quantity("unit", Unit::seconds, positive()),
      .nodes = nodes.empty() ? nodes : (directory / nodes).lexically_normal().string()};
  out.from = read.text_or("from", "");
  HOLDFAST_CHECK(read.finish());
  auto series = read_capacity_series(out.path, question, as);
  if (!series) return fail(placed_in(std::move(series).error(), read.where(), out.path.string()));
  out.series = std::move(*series);
  return out;
}

Result<double> start_of(const AskedSeries& asked, const std::string& where) {
  const CapacitySeries& series = asked.series;
  auto start = first_instant(series, asked.from);
  if (!start) return fail(placed_in(std::move(start).error(), where, asked.path.string()));
  if (*start < series.points.front().time || *start >= series.end) {
    return fail(ErrorCode::bad_value, pointer_to(where, "from"),
                fmt::format("{}: found {}, expected an instant of the series, which lasts {}",
                            asked.path.string(), asked.from,
                            format_duration(series.end - series.points.front().time)));
  }
  return *start;
}

Error too_short(const std::filesystem::path& path, const std::string& where, std::int64_t found,
                std::string_view what, std::int64_t expected) {
  return fail(ErrorCode::bad_value, where,
              fmt::format("{}: found {} of {}, expected the {} of the window", path.string(),
                          format_duration(static_cast<double>(found)), what,
                          format_duration(static_cast<double>(expected))))
      .value();
}

}  // namespace

Result<LoggedJobs> read_logged_jobs(const Value& given, const std::string& where,
                                    const std::filesystem::path& directory) {
  const Value value = file_question(given);
  ObjectReader read(value, where);
  const JobLogQuestion question = read_job_log_question(read, directory);
  const auto longest = read.optional_quantity("longest", Unit::seconds, positive());
  HOLDFAST_CHECK(read.finish());
  auto log = read_job_log(question.file, question.as);
  if (!log) return fail(placed_in(std::move(log).error(), where, question.file.string()));
  LoggedJobs out = jobs_of(*log, question, longest);
  if (out.jobs.empty()) {
    return fail(ErrorCode::bad_value, where,
                fmt::format("{}: found no job that can run", question.file.string()));
  }
  for (const Job& job : out.jobs) {
    if (static_cast<double>(job.release) > kLatest) {
      return fail(ErrorCode::bad_value, where,
                  fmt::format("{}: job {}: found a submission {} s after the first",
                              question.file.string(), job.id, job.release));
    }
  }
  return out;
}

Result<RecordedCapacity> read_recorded_capacity(const Value& given, const std::string& where,
                                                const std::filesystem::path& directory,
                                                std::int64_t begin,
                                                std::optional<std::int64_t> length,
                                                const MachineBounds& bounds) {
  const Value value = file_question(given);
  ObjectReader read(value, where);
  std::optional<Rule> asked;
  if (read.has("rule")) asked = static_cast<Rule>(read.choice("rule", kRules));
  HOLDFAST_TRY(asked_series, open_series(read, directory));
  const auto& [path, series, from] = asked_series;
  auto rule = rule_for(series.of, series.is_named, asked);
  if (!rule) return fail(placed_in(std::move(rule).error(), where, path.string()));
  HOLDFAST_TRY(start, start_of(asked_series, where));
  RecordedCapacity out;
  out.duration = static_cast<std::int64_t>(std::min(kLatest, series.end - start));
  if (length && *length > out.duration) {
    return fail(too_short(path, where, out.duration, "capacity", *length));
  }
  const std::int64_t used = length.value_or(std::min<std::int64_t>(out.duration, 1209600));
  const auto end = static_cast<double>(used);
  const std::vector<SeriesPoint> part = part_of(series, start, start + end);
  out.alive = steps_of(part, end, series.of, *rule, begin, bounds);
  if (*rule != Rule::count && is_all_or_nothing(part, out.alive, *rule)) {
    out.single = {
        ErrorCode::bad_value, pointer_to(where, "file"),
        fmt::format("{}: found a single machine, which every value {} switches off, "
                    "expected several: fewer 'cores' of a machine, or more 'machines'",
                    path.string(), *rule == Rule::share ? "below the largest" : "above the least")};
  }
  add_oddities(series.oddities, path.string(), out.notes);
  return out;
}

Result<RecordedRates> read_recorded_rates(const Value& given, const std::string& where,
                                          const std::filesystem::path& directory,
                                          std::int64_t begin, std::optional<std::int64_t> end) {
  const Value value = file_question(given);
  ObjectReader read(value, where);
  const double scale = read.number_or("scale", 1, positive());
  HOLDFAST_TRY(asked, open_series(read, directory));
  HOLDFAST_TRY(start, start_of(asked, where));
  RecordedRates out;
  out.duration = static_cast<std::int64_t>(std::min(kLatest, asked.series.end - start));
  if (end && out.duration < *end - begin) {
    return fail(too_short(asked.path, where, out.duration, "rates", *end - begin));
  }
  const auto length = static_cast<double>(end ? *end - begin : out.duration);
  for (const SeriesPoint& point : part_of(asked.series, start, start + length)) {
    const Rate rate{begin + static_cast<std::int64_t>(std::floor(point.time)), scale * point.value};
    if (!out.rates.empty() && out.rates.back().time == rate.time) out.rates.pop_back();
    out.rates.push_back(rate);
  }
  add_oddities(asked.series.oddities, asked.path.string(), out.notes);
  return out;
}

}  // namespace holdfast::capacity
