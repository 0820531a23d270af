#pragma once

#include "holdfast/campaign/control.hpp"

#include <cstdint>

namespace holdfast::cli {

class Console;

/// The progress of a run on standard error. On a terminal it is one line that changes, which appears after two seconds. In the
/// log of a batch job it is a line for every ten per cent, and at least every minute, after ten seconds. Under --quiet nothing
/// is printed.
class ProgressLine {
 public:
  explicit ProgressLine(Console& console) : console_(&console) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);
  /// Removes the line from a terminal.
  void clear();

 private:
  void redraw(const Progress& progress);
  void log(const Progress& progress);

  Console* console_;
  bool shown_ = false;
  std::uint64_t tenths_ = 0;  ///< tenths of the cells that were done at the last line of a log
  double logged_ = 0;         ///< seconds of the run at that time
};

}  // namespace holdfast::cli
