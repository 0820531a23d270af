#pragma once

#include "holdfast/reproduction/summary.hpp"

#include <span>
#include <vector>

namespace holdfast::cli {

class Console;

/// Prints items one by one as they are measured, number by number with a verdict, and at the end a row per item and the
/// count; under --json everything as one document at the end.
class ReproductionOutput {
 public:
  ReproductionOutput(Console& console, bool json, double scale)
      : console_(&console), json_(json), scale_(scale) {}

  /// An item that was not run is warned of, and counts against the run.
  void add(reproduction::Reproduced one);
  /// The closing lines; exit status 1 where something is out of tolerance or was not run.
  void finish();

  [[nodiscard]] std::span<const reproduction::Reproduced> items() const { return items_; }

 private:
  Console* console_;
  bool json_;
  double scale_;
  bool first_ = true;
  std::vector<reproduction::Reproduced> items_;
};

}  // namespace holdfast::cli
