#include "holdfast/base/limits.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/base/timestamps.hpp"
#include "holdfast/base/xml_scanner.hpp"
#include "holdfast/traces/capacity/capacity_series.hpp"
#include "holdfast/traces/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr double kMostOfPoint = 1e12;

/// Values by time, for each type of production (B16 is solar) or, without types, together.
using SeriesByType = std::map<std::string, std::map<double, double>>;

/// Returns the seconds of "PT15M", "PT60M" or "P1D".
std::optional<double> seconds_of_resolution(std::string_view text) {
  const bool is_time = text.starts_with("PT");
  if (!text.starts_with("P") || text.size() < 3) return std::nullopt;
  const auto count = finite_number(text.substr(is_time ? 2 : 1, text.size() - (is_time ? 3 : 2)));
  const char unit = text.back();
  const double factor = is_time && unit == 'M'    ? 60
                        : is_time && unit == 'H'  ? 3600
                        : !is_time && unit == 'D' ? 86400
                                                  : 0;
  if (!count || !(*count > 0) || factor == 0) return std::nullopt;
  return *count * factor;
}

/// Reads a document of ENTSO-E's transparency platform: TimeSeries of Periods of Points.
class EntsoeReader {
 public:
  explicit EntsoeReader(std::string_view text) : scan_{text} {}

  Result<SeriesByType> read(double& end, double& step) {
    for (;;) {
      HOLDFAST_TRY(event, scan_.next());
      if (event == XmlScanner::Event::none) break;
      if (event == XmlScanner::Event::end) HOLDFAST_CHECK(take(scan_.name(), scan_.text()));
    }
    end = end_;
    step = step_;
    if (!out_.empty()) return std::move(out_);
    return fail(ErrorCode::bad_format, {}, "found no Point, expected at least one");
  }

 private:
  Status take(std::string_view name, const std::string& text) {
    const auto number = [&](std::string_view what) -> Result<double> {
      const auto value = finite_number(text);
      if (value && std::abs(*value) < kMostOfPoint) return *value;
      return fail(ErrorCode::bad_value, std::string(what),
                  fmt::format("found {}, expected a number", in_quotes(text)));
    };
    if (name == "psrType") type_ = text;
    if (name == "TimeSeries") type_.clear();
    if (name == "start" || name == "end") {
      HOLDFAST_TRY(time, parse_instant(text));
      (name == "start" ? start_ : until_) = time.seconds;
    } else if (name == "resolution") {
      const auto step = seconds_of_resolution(text);
      if (!step)
        return fail(ErrorCode::bad_value, "resolution",
                    fmt::format("found {}, expected one such as PT60M", in_quotes(text)));
      step_ = *step;
    } else if (name == "position") {
      HOLDFAST_TRY(position, number(name));
      position_ = position;
    } else if (name == "quantity" || name == "amount") {
      HOLDFAST_TRY(value, number(name));
      value_ = value;
    } else if (name == "Point") {
      if (!(position_ >= 1) || !(step_ > 0) || !value_)
        return fail(ErrorCode::bad_format, "Point",
                    "expected a position from 1 and a quantity, in a Period with a resolution");
      out_[type_][start_ + (position_ - 1) * step_] += *std::exchange(value_, std::nullopt);
      end_ = std::max({end_, until_, start_ + position_ * step_});
    }
    return {};
  }

  XmlScanner scan_;
  SeriesByType out_;
  std::string type_;
  double start_ = 0, until_ = 0, step_ = 0, position_ = 0, end_ = 0;
  std::optional<double> value_;
};

Result<CapacitySeries> read_entsoe(LineReader lines, const SeriesQuestion& question) {
  HOLDFAST_TRY(text, lines.rest(kMostJson));
  double end = 0, step = 0;
  auto series = EntsoeReader(text).read(end, step);
  if (!series) return fail(in_file(lines.name(), std::move(series).error()));
  std::vector<std::string> asked;
  std::vector<std::string_view> known;
  for (const auto& [type, values] : *series) known.emplace_back(type);
  if (question.column.empty() || question.column == "*") {
    for (const std::string_view type : known) asked.emplace_back(type);
  } else {
    for (const std::string_view type : split(question.column, '+')) asked.emplace_back(trim(type));
  }
  if (question.column.empty() && asked.size() > 1) {
    return fail(
        ErrorCode::bad_value, "column",
        fmt::format(
            "found none, expected some of the types of production {} (A+B adds, * takes all)",
            join(known, ", ")));
  }
  std::map<double, double> sums;
  for (const std::string& type : asked) {
    const auto found = series->find(type);
    if (found == series->end()) {
      return fail(ErrorCode::bad_value, "column",
                  fmt::format("found no type {}, {}", in_quotes(type), suggestion(type, known)));
    }
    for (const auto& [time, value] : found->second) sums[time] += value;
  }
  CapacitySeries out{
      .of = SeriesOf::power, .points = {}, .end = end, .is_dated = true, .oddities = {}};
  for (const auto& [time, value] : sums) out.points.push_back({time, value});
  out.columns.assign(known.begin(), known.end());
  return out;
}

}  // namespace

FormatOf<CapacitySeries> entsoe_xml_format() {
  return {.facts = {.name = "entsoe-xml",
                    .summary = "generation or load from ENTSO-E's transparency platform (XML)",
                    .recognise =
                        [](std::string_view head) {
                          return head.find("_MarketDocument") != head.npos &&
                                 head.find("iec62325") != head.npos;
                        }},
          .read = read_entsoe,
          .has_columns = true};
}

}  // namespace holdfast
