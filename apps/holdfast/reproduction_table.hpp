#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/sample.hpp"
#include "holdfast/reproduction/verdict.hpp"

#include <span>

namespace holdfast::cli {

class Console;

/// Prints items one by one as they are measured, number by number with a verdict, and the count at the end; under
/// --json everything as one document at the end.
class ReproductionOutput {
 public:
  ReproductionOutput(Console& console, bool json, double scale)
      : console_(&console), json_(json), scale_(scale) {}

  void add(const reproduction::Item& item, std::span<const reproduction::Measured> measured);
  /// The closing line; exit status 1 where something is out of tolerance.
  void finish();

 private:
  void print(const reproduction::Item& item, std::span<const reproduction::Measured> measured);
  [[nodiscard]] Value document_of(const reproduction::Item& item,
                                  std::span<const reproduction::Measured> measured) const;

  Console* console_;
  bool json_;
  double scale_;
  bool first_ = true;
  Value items_ = Value::array();
  reproduction::Tally tally_;
};

}  // namespace holdfast::cli
