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

/// Series that say how much of something there was over time: machines alive, megawatts, grams of CO2 per kilowatt-hour, or
/// the share of a machine in service.
namespace holdfast {

/// What the values of a series measure.
enum class SeriesOf : std::uint8_t {
  machines,    ///< a number of instances alive
  power,       ///< megawatts generated; more is better
  carbon,      ///< carbon intensity in grams of CO2 per kilowatt-hour; less is better
  in_service,  ///< the share of a machine that is in service, from 0 to 1
};

/// A value that holds from `time` on.
struct SeriesPoint {
  double time = 0;   ///< seconds, in a dated series since 1970-01-01
  double value = 0;  ///< in the unit of the series
};

/// A step function of time.
struct CapacitySeries {
  SeriesOf of = SeriesOf::machines;       ///< what is measured
  std::vector<SeriesPoint> points;        ///< times strictly increase
  double end = 0;                         ///< until when the last value holds, in seconds
  bool is_dated = false;                  ///< the file had dates
  std::vector<std::string> columns = {};  ///< names of all columns of values in the file
  Oddities oddities;                      ///< what is unusual about the file
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

/// Reads the number of instances alive, sampled at a fixed step: `{"metadata": {"gap_seconds": 300}, "data": [16, 16, 8,
/// ...]}`. Errors carry a pointer into the document.
[[nodiscard]] Result<CapacitySeries> read_spot_series(LineReader lines,
                                                      const SeriesQuestion& question);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_spot_series(std::string_view head);

/// Reads a step function as lines `time,value` without a header. Of several values at one time the last one holds. The file
/// does not state its unit of time (hours, seconds and milliseconds occur), so the question must; without it the error is
/// at "unit".
[[nodiscard]] Result<CapacitySeries> read_step_series(LineReader lines,
                                                      const SeriesQuestion& question);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_step_series(std::string_view head);
/// Writes the series as such a file, in seconds. A last row repeats the last value if that holds on.
/// @returns what the format has no place for
[[nodiscard]] Result<Oddities> write_step_series(const CapacitySeries& series,
                                                 const TextSink& sink);

/// Reads a CSV table with a header and dates in its first column: generation (MW) by source, or carbon intensity. A column
/// whose name contains "carbon" (or ends in CI) is carbon intensity, any other is power. Dates without a time zone are
/// local time, the step may change, and an empty cell leaves the value before it. Errors name FILE:LINE: COLUMN, or
/// "column" for one that the table does not have.
[[nodiscard]] Result<CapacitySeries> read_dated_series(LineReader lines,
                                                       const SeriesQuestion& question);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_dated_series(std::string_view head);
/// Writes a dated series as such a file of one column: machines, power or carbon. Other series are an error.
/// @returns what the format has no place for
[[nodiscard]] Result<Oddities> write_dated_series(const CapacitySeries& series,
                                                  const TextSink& sink);

/// Returns the series cut at both ends of the window. It has no machines and nothing to draw from.
[[nodiscard]] Result<CapacitySeries> sliced(CapacitySeries series, const SliceQuestion& question);

}  // namespace holdfast
