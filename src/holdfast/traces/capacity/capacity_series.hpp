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

/// Series of an available quantity over time: machines alive, megawatts, grams of CO2 per kilowatt-hour, or the share of a
/// machine in service.
namespace holdfast {

/// What the values of a series measure.
enum class SeriesOf : std::uint8_t {
  machines,    ///< a number of instances alive
  power,       ///< megawatts generated; more is better
  carbon,      ///< carbon intensity in grams of CO2 per kilowatt-hour; less is better
  in_service,  ///< the share of a machine that is in service, from 0 to 1
};

/// A value that is valid from `time` on.
struct SeriesPoint {
  double time = 0;   ///< seconds; since 1970-01-01 in a dated series
  double value = 0;  ///< in the unit of the series
};

/// A step function of time.
struct CapacitySeries {
  SeriesOf of = SeriesOf::machines;  ///< what is measured
  std::vector<SeriesPoint> points;   ///< times strictly increase
  double end = 0;                    ///< time until which the last value is valid, seconds
  bool is_dated = false;             ///< the file had dates
  bool is_named = true;  ///< false: `of` is a guess, because the name of the column says nothing
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
  std::function<Result<CapacitySeries>(TraceText text, const SeriesQuestion& question)> read = {};
  bool has_columns = false;  ///< true: a question may name one or several of its columns
  Result<Oddities> (*write)(const CapacitySeries& series, const TextSink& sink) = nullptr;

  [[nodiscard]] Result<CapacitySeries> read_all(TraceText text,
                                                const RecordsQuestion& question) const {
    return read(std::move(text), question.series);
  }
};

/// Reads the number of instances alive, sampled at a fixed step: `{"metadata": {"gap_seconds": 300}, "data": [16, 16, 8,
/// ...]}`. Errors carry a pointer into the document.
[[nodiscard]] Result<CapacitySeries> read_spot_series(LineReader lines,
                                                      const SeriesQuestion& question);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_spot_series(std::string_view head);

/// Reads a step function as lines `time,value` without a header. If several values have the same time, the last one counts. The
/// file does not state its unit of time (hours, seconds and milliseconds occur), so the question must; otherwise the error is
/// at "unit".
[[nodiscard]] Result<CapacitySeries> read_step_series(LineReader lines,
                                                      const SeriesQuestion& question);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_step_series(std::string_view head);
/// Writes the series as such a file, in seconds. If the last value is valid for longer, a last row repeats it.
/// @returns the information that the format cannot hold
[[nodiscard]] Result<Oddities> write_step_series(const CapacitySeries& series,
                                                 const TextSink& sink);

/// Reads a table with a column of times and others of values: generation (MW) by source, carbon intensity, numbers of machines.
/// What the values are follows from words in the names of their columns: carbon, co2, emission, intensity, moer or ci (but not
/// zero-carbon, low-carbon or carbon-free) for carbon intensity; nodes, machines, gpus, instances for machines; MW, solar and
/// others for power, which is also the guess for names that say nothing (is_named). Dates without a time zone are local
/// time, the step may change, and an empty cell means that the previous value is still valid. Errors name FILE:LINE: COLUMN, or
/// "column" for a column that the table does not have.
[[nodiscard]] Result<CapacitySeries> read_dated_series(TraceText text,
                                                       const SeriesQuestion& question);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_dated_series(std::string_view head);
/// Writes a dated series as such a file of one column: machines, power or carbon. Other series are an error.
/// @returns the information that the format cannot hold
[[nodiscard]] Result<Oddities> write_dated_series(const CapacitySeries& series,
                                                  const TextSink& sink);

/// Returns what the values of a column are; nothing if its name does not say.
[[nodiscard]] std::optional<SeriesOf> meaning_of(std::string_view column);
/// Returns what the values are for a machine that follows them.
[[nodiscard]] std::string_view meaning_in_words(const CapacitySeries& series);

/// Returns the series cut at both ends of the window. A series has no machines, so nothing can be drawn.
[[nodiscard]] Result<CapacitySeries> sliced(CapacitySeries series, const SliceQuestion& question);

}  // namespace holdfast
