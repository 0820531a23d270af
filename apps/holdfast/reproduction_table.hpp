#pragma once

#include "holdfast/base/value.hpp"
#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/sample.hpp"
#include "holdfast/reproduction/summary.hpp"
#include "holdfast/reproduction/verdict.hpp"

#include <span>
#include <string>
#include <vector>

namespace holdfast::cli {

class Console;

/// Prints items one by one as they are measured, number by number with a verdict, and at the end a row per item and the
/// count; under --json everything as one document at the end.
class ReproductionOutput {
 public:
  ReproductionOutput(Console& console, bool json, double scale)
      : console_(&console), json_(json), scale_(scale) {}

  /// @param seconds  that the item took now, none where its campaign had been run
  void add(const reproduction::Item& item, std::span<const reproduction::Measured> measured,
           double seconds);
  /// The closing line; exit status 1 where something is out of tolerance.
  void finish();

 private:
  void print(const reproduction::Item& item, std::span<const reproduction::Measured> measured);
  /// An item that is over, as the closing table shows it.
  struct Finished {
    std::string id;
    std::string source;
    std::string decision;
    reproduction::ItemSummary summary;
    double seconds = 0;
  };
  [[nodiscard]] Value document_of(const reproduction::Item& item,
                                  std::span<const reproduction::Measured> measured,
                                  const Finished& finished) const;
  void print_totals() const;

  Console* console_;
  bool json_;
  double scale_;
  bool first_ = true;
  Value items_ = Value::array();
  std::vector<Finished> finished_;
  reproduction::Tally tally_;
};

}  // namespace holdfast::cli
