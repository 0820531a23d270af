#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/stop.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/models/failures/fit_curve.hpp"
#include "holdfast/report/line_chart.hpp"
#include "holdfast/traces/records.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// `holdfast trace`: a table of verbs like a domain's. What makes them others is that they read a file of the real world,
/// and may write one.
namespace holdfast {

/// Everything that such a verb may ask for.
struct TraceRequest {
  Value options = Value::object();  ///< its options and positionals, by name
  std::uint64_t seed = 1;
  Stop stop = {};  ///< wanted: the answer is no longer asked for
  /// What the file "-" holds; without it, that is standard input.
  std::function<std::unique_ptr<ByteSource>()> input = {};
  /// Hears what the reader did about oddities, a line each, for those who ask; may be empty.
  std::function<void(std::string_view)> detail = {};
};

/// A trace that was made: records and a format of their kind.
struct MadeTrace {
  std::string source;  ///< the file that it was made of, for errors
  TraceRecords records;
  const Format* format = nullptr;
  Oddities lost = {};  ///< what could not be carried over

  /// Hands the file on in parts. @returns what was lost, and what the format has no place for, as warnings
  [[nodiscard]] Result<std::vector<std::string>> write(const TextSink& sink) const;
};

/// What such a verb says, or makes.
struct TraceAnswer {
  Answer answer;
  LineChart picture = {};            ///< of `fit`; without lines where nothing could be fitted
  std::string picture_warning = {};  ///< what the picture leaves out; empty: nothing
  std::optional<SurvivalCurve> survival = {};  ///< what was seen, of `fit` where that is lifetimes
  std::optional<MadeTrace> made = {};          ///< of `convert` and `slice`
  std::vector<std::string> notes = {};         ///< what was chosen where nothing was said
};

/// One verb of `holdfast trace`.
struct TraceVerb {
  std::string_view name;
  std::string_view summary;
  std::span<const std::string_view> examples;  ///< commands that work when pasted
  std::span<const Parameter> positionals;      ///< in order, all required
  std::span<const Parameter> options;
  std::span<const Parameter> target = {};  ///< in which format it writes
  bool needs_target = false;
  bool takes_seed = false;
  bool makes_trace = false;  ///< else it answers
  bool has_picture = false;
  Result<TraceAnswer> (*run)(const TraceRequest& request) = nullptr;
};

/// info, convert, slice, fit.
[[nodiscard]] std::span<const TraceVerb> trace_verbs();

}  // namespace holdfast
