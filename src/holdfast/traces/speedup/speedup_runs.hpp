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

/// Measured run times of parallel programs: a table with a header row, a column of processors and at least one of seconds,
/// separated by commas or by tabs and blanks.
namespace holdfast {

struct WorkflowRun;

/// One program (or one part of it) on several numbers of processors, in the order of the file.
struct SpeedupRuns {
  /// Name of the series in the file; empty if it is the only one.
  std::string name;
  std::vector<std::int64_t> processors;  ///< one number per run
  std::vector<double> seconds;           ///< the run time of each run, > 0
  std::int64_t without_time = 0;         ///< runs of 0 s in the file, which are left out
  /// The product of each run, where runs of a program differ by what they make; else empty.
  std::vector<std::string> products = {};
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
/// The column of processors is called `processors`, `processes`, `cores`, `ranks`, `threads`, `nodes` or alike (the first of these
/// that the header contains), and that of seconds `seconds`, `time`, `duration`, `runtime`, `elapsed` or alike. If there is no
/// column of seconds, every column whose name states a unit of time is a series; if there is none of these either and the
/// processors come first, every other column of numbers is one, except those of speedup, efficiency, flops, repetitions and
/// others that are no times. Columns of texts name the series: rows with different texts belong to different series. Lines that
/// begin with # are skipped. Errors name FILE:LINE.
[[nodiscard]] Result<SpeedupTable> read_speedup_runs(TraceText text);

/// Reads Extra-P's text format: PARAMETER, POINTS, REGION, METRIC and DATA lines. The number of processors is the parameter with
/// a name such as p, ranks or nodes, or the one that a person named (processors=n); the metric is a time by its name, or the one
/// that a person named (seconds=visits). Other metrics are left out. Each region and combination of the other parameters is a
/// series, and each repetition is a run. Errors name FILE:LINE.
[[nodiscard]] Result<SpeedupTable> read_extrap(TraceText text);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_extrap(std::string_view head);

/// Reads blocks of lines that begin with a number of nodes and the run time in seconds, each block under a title (`>>> title`).
/// Errors name FILE:LINE.
[[nodiscard]] Result<SpeedupTable> read_scaling_blocks(LineReader lines);
/// Returns true if the text begins such a file.
[[nodiscard]] bool looks_like_scaling_blocks(std::string_view head);

/// Returns the run times of a workflow's tasks, a series for each kind of task. Tasks without cores
/// or without a run time are left out.
[[nodiscard]] SpeedupTable run_times_of(const WorkflowRun& run);

/// Counts run times that violate the assumptions of most algorithms: time that grows, or work (time x processors) that shrinks,
/// from one number of processors to the next; numbers of processors that occur twice; series that do not begin at one
/// processor; and runs that took no time.
[[nodiscard]] Oddities oddities_of(std::span<const SpeedupRuns> runs);

/// Writes the series as such a table: columns series (if there are several or they have names), processors, seconds. A name
/// that reads as a number is an error, because readers would take it for one.
/// @returns the information that the format cannot hold
[[nodiscard]] Result<Oddities> write_speedup_runs(const SpeedupTable& runs, const TextSink& sink);

/// Returns true if the header of the text has a column of processors and one of seconds, or a column of processors and a
/// first row of numbers.
[[nodiscard]] bool looks_like_speedup_runs(std::string_view head);

/// Refuses every question, because run times by processors have no parts.
[[nodiscard]] Result<SpeedupTable> sliced(const SpeedupTable& runs, const SliceQuestion& question);

}  // namespace holdfast
