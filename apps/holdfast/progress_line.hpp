#pragma once

#include "holdfast/campaign/control.hpp"

#include <cstdint>

namespace holdfast::cli {

class Console;

/// Says on standard error how far a run is. On a terminal it is one line that changes, from the second second on; in the
/// log of a batch job a line for every ten per cent, and at least every minute, from the tenth second on. Under --quiet it
/// says nothing.
class ProgressLine {
 public:
  explicit ProgressLine(Console& console) : console_(&console) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);
  /// Takes the line of a terminal away.
  void clear();

 private:
  void redraw(const Progress& progress);
  void log(const Progress& progress);

  Console* console_;
  bool shown_ = false;
  std::uint64_t tenths_ = 0;  ///< of the cells, when the last line of a log was written
  double logged_ = 0;         ///< seconds of the run at that time
};

}  // namespace holdfast::cli
