#pragma once

#include "holdfast/reproduction/chart.hpp"
#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/sample.hpp"
#include "holdfast/reproduction/verdict.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace holdfast::reproduction {

/// A drawn schedule.
struct Picture {
  std::string title;
  std::string command;  ///< the command that draws it
  std::string svg;
};

/// A published table or figure with the numbers measured for it now.
struct Reproduced {
  Item item;
  std::vector<Measured> measured = {};  ///< one per row; empty if the item was not run
  Figure figure = {};  ///< the numbers in the item's chart; without panels if it has no chart
  /// Units of those metrics of the campaign that have one: "s".
  std::map<std::string, std::string> units = {};
  /// Pictures of the item's schedules, if they were asked for.
  std::vector<Picture> pictures = {};
  /// Time that it took now, which is close to 0 if its campaign had already been run.
  double seconds = 0;
  std::string not_run = {};  ///< why it could not be run, if it could not
};

/// How many of the judged checks pass.
struct Share {
  std::size_t held = 0;
  std::size_t judged = 0;

  /// Counts a verdict. A check without a tolerance is not judged.
  void add(Verdict verdict);
  Share& operator+=(const Share& other);
};

/// The result of one item.
struct ItemSummary {
  Share published;        ///< numbers with a tolerance around the published value
  Share reference;        ///< numbers with a tolerance around the reference implementation's value
  Share statements;       ///< orders between numbers, by which figures are judged
  std::size_t known = 0;  ///< known deviations among numbers and statements
  std::vector<std::string> reasons;  ///< reasons, each once; only of checks that do not pass now

  ItemSummary& operator+=(const ItemSummary& other);
};

/// Returns the summary of an item; it is empty if the item was not run.
[[nodiscard]] ItemSummary summarise(const Reproduced& one, double scale);

/// Returns the counts of the verdicts of all its numbers and statements.
[[nodiscard]] Tally tally_of(const Reproduced& one, double scale);

}  // namespace holdfast::reproduction
