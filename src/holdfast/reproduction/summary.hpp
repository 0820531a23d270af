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
  std::string command;  ///< that draws it
  std::string svg;
};

/// A published table or figure with what was measured for it now.
struct Reproduced {
  Item item;
  std::vector<Measured> measured = {};  ///< one per row; none if it was not run
  Figure figure = {};  ///< what the item's chart draws; without panels where it has no chart
  /// Units of the campaign's metrics that have one: "s".
  std::map<std::string, std::string> units = {};
  /// Pictures of the item's schedules, where they were asked for.
  std::vector<Picture> pictures = {};
  double seconds = 0;        ///< that it took now; next to none if its campaign had been run
  std::string not_run = {};  ///< why it could not be run, where it could not
};

/// The number of judged ones that hold.
struct Share {
  std::size_t held = 0;
  std::size_t judged = 0;

  /// Counts a verdict; one without a tolerance is not judged.
  void add(Verdict verdict);
  Share& operator+=(const Share& other);
};

/// The result of one item.
struct ItemSummary {
  Share published;        ///< numbers with a tolerance around the published one
  Share reference;        ///< numbers with a tolerance around the reference implementation's
  Share statements;       ///< orders, which figures are judged by
  std::size_t known = 0;  ///< numbers and statements out, as the item says they would be
  std::vector<std::string> reasons;  ///< why, each once; only of what did not hold now

  ItemSummary& operator+=(const ItemSummary& other);
};

/// Returns the summary of an item; it is empty if the item was not run.
[[nodiscard]] ItemSummary summarise(const Reproduced& one, double scale);

/// Verdicts of all its numbers and statements.
[[nodiscard]] Tally tally_of(const Reproduced& one, double scale);

}  // namespace holdfast::reproduction
