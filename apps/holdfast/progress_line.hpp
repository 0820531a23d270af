#pragma once

#include "holdfast/campaign/control.hpp"

#include <string>

namespace holdfast::cli {

class Console;

/// One line on the terminal's standard error that says how far a run is, from its second second on. Where standard
/// error is no terminal, or under --quiet, it says nothing.
class ProgressLine {
 public:
  explicit ProgressLine(Console& console) : console_(&console) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);
  /// Takes the line away.
  void clear();

 private:
  Console* console_;
  bool shown_ = false;
};

/// "12 400 of 288 000 cells, 4.3 %, 1 240/s, 3 min 42 s left".
[[nodiscard]] std::string describe(const Progress& progress);

}  // namespace holdfast::cli
