#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/base/stop.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/answer.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/models/failures/fit_curve.hpp"
#include "holdfast/report/chart/lines.hpp"
#include "holdfast/traces/records.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// `holdfast trace`: a table of verbs like that of a domain. Unlike those of a domain, these verbs read a file from the real
/// world and may write one.
namespace holdfast {

/// The input of such a verb.
struct TraceRequest {
  Value options = Value::object();  ///< its options and positional arguments, by name
  std::uint64_t seed = 1;
  Stop stop = {};  ///< once this is wanted, the answer is no longer needed
  /// Opens the data for the file name "-"; if empty, standard input.
  std::function<std::unique_ptr<ByteSource>()> input = {};
  /// Receives one line for each oddity and its treatment; may be empty.
  std::function<void(std::string_view)> detail = {};
};

/// A trace that was made: records and a format of their kind.
struct MadeTrace {
  std::string source;  ///< the file from which it was made, for errors
  TraceRecords records;
  const Format* format = nullptr;
  Oddities lost = {};  ///< information that was lost

  /// Hands on the file in parts. @returns everything that was lost, as warnings
  [[nodiscard]] Result<std::vector<std::string>> write(const TextSink& sink) const;
};

/// The result of such a verb: an answer or a trace.
struct TraceAnswer {
  Answer answer;
  LineChart picture = {};            ///< chart of `fit`; without lines if nothing could be fitted
  std::string picture_warning = {};  ///< what the picture leaves out; empty: nothing
  std::optional<SurvivalCurve> survival = {};  ///< the observations of `fit`, if they are lifetimes
  std::optional<MadeTrace> made = {};          ///< result of `convert` and `slice`
  /// Choices that the verb made because no option was given.
  std::vector<std::string> notes = {};
};

/// One verb of `holdfast trace`.
struct TraceVerb {
  std::string_view name;
  std::string_view summary;
  std::span<const std::string_view> examples;  ///< commands that work as they stand
  std::span<const Parameter> positionals;      ///< positional arguments in order, all required
  std::span<const Parameter> options;
  std::span<const Parameter> target = {};  ///< options for the format that it writes
  bool needs_target = false;
  bool takes_seed = false;
  bool makes_trace = false;  ///< true: it makes a trace; false: it answers
  bool has_picture = false;
  Result<TraceAnswer> (*run)(const TraceRequest& request) = nullptr;
};

/// Returns the verbs info, convert, slice and fit.
[[nodiscard]] std::span<const TraceVerb> trace_verbs();

}  // namespace holdfast
