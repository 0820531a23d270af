#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/text/format_of.hpp"
#include "holdfast/traces/text/oddity.hpp"
#include "holdfast/traces/text/slice_question.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// How much of something there was over time: machines alive, megawatts, grams of CO2 per kilowatt-hour, the share of a
/// machine in service.
namespace holdfast {

/// What the values are.
enum class SeriesOf : std::uint8_t {
  machines,    ///< a number of instances alive
  power,       ///< more is better: megawatts generated
  carbon,      ///< less is better: carbon intensity
  in_service,  ///< the share of a machine that is in service, from 0 to 1
};

/// From `time` on that value holds.
struct SeriesPoint {
  double time = 0;  ///< seconds; of a dated series since 1970-01-01
  double value = 0;
};

/// A step function of time.
struct CapacitySeries {
  SeriesOf of = SeriesOf::machines;
  std::vector<SeriesPoint> points;        ///< times strictly increase
  double end = 0;                         ///< until when the last value holds
  bool is_dated = false;                  ///< times were dates
  std::vector<std::string> columns = {};  ///< of values, all that the file names
  Oddities oddities;
};

/// The names of series of capacity.
template <>
struct KindOf<CapacitySeries> {
  static constexpr std::string_view kName = "capacity";
  static constexpr std::string_view kRecords = "capacity";
  static constexpr std::string_view kFile = "a series of capacity";
  static constexpr std::string_view kPlain = "capacity-csv";
};

/// A format of series of capacity.
template <>
struct FormatOf<CapacitySeries> {
  FormatFacts facts;
  Result<CapacitySeries> (*read)(LineReader lines, const SeriesQuestion& question) = nullptr;
  bool has_columns = false;  ///< the question names one of them, or several
  Result<Oddities> (*write)(const CapacitySeries& series, const TextSink& sink) = nullptr;

  [[nodiscard]] Result<CapacitySeries> read_all(LineReader lines,
                                                const RecordsQuestion& question) const {
    return read(std::move(lines), question.series);
  }
};

/// `{"metadata": {"gap_seconds": 300}, "data": [16, 16, 8, ...]}`: instances alive, sampled at a fixed step.
[[nodiscard]] Result<CapacitySeries> read_spot_series(LineReader lines,
                                                      const SeriesQuestion& question);
[[nodiscard]] bool looks_like_spot_series(std::string_view head);

/// `time,value` without a header: a step function. Several values at one time: the last one holds. The file does not say
/// its unit of time (hours, seconds and milliseconds occur), so the question must.
[[nodiscard]] Result<CapacitySeries> read_step_series(LineReader lines,
                                                      const SeriesQuestion& question);
[[nodiscard]] bool looks_like_step_series(std::string_view head);
/// The series as such a file, in seconds; where its last value holds on, a last row repeats it.
[[nodiscard]] Result<Oddities> write_step_series(const CapacitySeries& series,
                                                 const TextSink& sink);

/// A CSV table with a header whose first column holds dates: generation (MW) by source, or carbon intensity. A column
/// whose name speaks of carbon (or ends in CI) is of carbon, others of power. Dates without a zone are the clock on the
/// wall; the step may change; an empty cell leaves the value before it.
[[nodiscard]] Result<CapacitySeries> read_dated_series(LineReader lines,
                                                       const SeriesQuestion& question);
[[nodiscard]] bool looks_like_dated_series(std::string_view head);
/// A dated series as such a file of one column, machines, power or carbon; others are refused.
[[nodiscard]] Result<Oddities> write_dated_series(const CapacitySeries& series,
                                                  const TextSink& sink);

/// Returns the series cut at both ends of the window. It has no machines and nothing to draw from.
[[nodiscard]] Result<CapacitySeries> sliced(CapacitySeries series, const SliceQuestion& question);

}  // namespace holdfast
