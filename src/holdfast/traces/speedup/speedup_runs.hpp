#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/traces/text/format_of.hpp"
#include "holdfast/traces/text/oddity.hpp"
#include "holdfast/traces/text/slice_question.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Measured run times of parallel programs: a table with a header row, a column of processors and at
/// least one of seconds, separated by commas or by tabs and blanks.
namespace holdfast {

/// One program (or one part of it) on several numbers of processors, in the order of the file.
struct SpeedupRuns {
  std::string name;  ///< what tells it from the others in the file; empty where it is alone
  std::vector<std::int64_t> processors;
  std::vector<double> seconds;
  std::int64_t without_time = 0;  ///< runs that took 0 s by the file: left out
};

/// All programs of a file, in order of first appearance.
using SpeedupTable = std::vector<SpeedupRuns>;

/// The names of tables of run times.
template <>
struct KindOf<SpeedupTable> {
  static constexpr std::string_view kName = "speedup";
  static constexpr std::string_view kRecords = "run times";
  static constexpr std::string_view kFile = "run times by number of processors";
  static constexpr std::string_view kPlain = "speedup-table";
};

/// Reads all series of a table, in order of first appearance.
///
/// The processors stand under `processors`, `processes`, `cores`, `ranks`, `threads` or `nodes` (the
/// first of these that the header has; upper or lower case). The seconds stand under `seconds`,
/// `time`, `duration`, `runtime` or `wall_max_s`; where there is none of these, every other column
/// of numbers is a series of its own. Columns of texts name the series: rows that differ there
/// belong to different ones. Lines that begin with # are skipped.
[[nodiscard]] Result<SpeedupTable> read_speedup_runs(LineReader lines);

/// Extra-P's text format: PARAMETER, POINTS, REGION, METRIC and DATA lines. Processors are the first parameter; each
/// region, metric (but `time`) and combination of the others is a series, each repetition a run.
[[nodiscard]] Result<SpeedupTable> read_extrap(LineReader lines);
[[nodiscard]] bool looks_like_extrap(std::string_view head);

/// Blocks under titles (`>>> title`) of lines that begin with a number of nodes and the seconds on them.
[[nodiscard]] Result<SpeedupTable> read_scaling_blocks(LineReader lines);
[[nodiscard]] bool looks_like_scaling_blocks(std::string_view head);

/// Where the run times are not what most algorithms assume: time that grows and work (time x
/// processors) that shrinks from one number of processors to the next, numbers given twice, series
/// that do not begin at one processor, runs that took no time.
[[nodiscard]] Oddities oddities_of(std::span<const SpeedupRuns> runs);

/// The series as such a table: columns series (where there are several or they have names), processors,
/// seconds. A name that reads as a number is refused: it would be taken for one.
[[nodiscard]] Result<Oddities> write_speedup_runs(const SpeedupTable& runs, const TextSink& sink);

/// True for text whose header has a column of processors and one of seconds, or a column of
/// processors and a first row of numbers.
[[nodiscard]] bool looks_like_speedup_runs(std::string_view head);

/// Refuses every question: run times by processors have no parts.
[[nodiscard]] Result<SpeedupTable> sliced(const SpeedupTable& runs, const SliceQuestion& question);

}  // namespace holdfast
