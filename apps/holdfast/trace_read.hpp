#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/trace_log.hpp"
#include "holdfast/traces/records.hpp"

#include <string>

namespace CLI {
class App;
}

namespace holdfast::cli {

class Console;

/// What a table of capacity does not say itself: --column, --time-unit.
class SeriesOptions {
 public:
  explicit SeriesOptions(CLI::App& command);
  [[nodiscard]] Result<SeriesQuestion> read() const;

 private:
  std::string column_;
  std::string time_unit_;
};

/// Reads all of a trace. Errors about options name them, others the file; what was odd is told under --verbose.
/// @param[out] format  the file's own
[[nodiscard]] Result<TraceRecords> read_trace(const TraceFileOption& file,
                                              const SeriesOptions& series, Console& console,
                                              const Format*& format);

}  // namespace holdfast::cli
