#pragma once

#include "holdfast/reproduction/summary.hpp"

#include <span>
#include <vector>

namespace holdfast::cli {

class Console;

/// The output of a reproduction. It prints items as they are measured, each number with its verdict, and at the end a row per
/// item and the counts; under --json it prints everything as one document at the end.
class ReproductionOutput {
 public:
  ReproductionOutput(Console& console, bool json, double scale)
      : console_(&console), json_(json), scale_(scale) {}

  /// Adds an item, and prints it. An item that was not run causes a warning and exit status 1.
  void add(reproduction::Reproduced one);
  /// Prints the closing lines, and sets exit status 1 if something is out of tolerance or was not run.
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
