#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/traces/records.hpp"

#include <string>

namespace CLI {
class App;
}

namespace holdfast::cli {

class Console;

/// `-o, --output FILE` and `--force`: where a trace is written. A file appears as a whole or not at all.
class TraceOutput {
 public:
  explicit TraceOutput(CLI::App& command);

  /// Writes the records as that format (to standard output where no file was given), then warns of what it has no place
  /// for. @param lost  what was lost before @pre the format is of the kind of the records
  [[nodiscard]] Status write(const TraceRecords& records, const Format& format, Oddities lost,
                             Console& console) const;

 private:
  std::string file_;
  bool force_ = false;
};

/// Names of the formats that can be written, separated by commas, for help texts.
[[nodiscard]] std::string writable_names();

/// What the reader of a trace did about oddities, for those who ask (--verbose).
void detail_oddities(const TraceRecords& records, Console& console);

}  // namespace holdfast::cli
