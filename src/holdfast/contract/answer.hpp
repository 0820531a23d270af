#pragma once

#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// A table for people. It holds only data, which report/ formats. A cell is a text or a number in base units.
struct Table {
  /// One column of a table.
  struct Column {
    std::string title;  ///< the heading of the column
    /// The unit of the numbers, which are shown as "1 h 3 min" or "1.5 GiB".
    Unit unit = Unit::none;
    int digits = 6;  ///< significant digits of numbers without a unit
  };
  std::string title = {};                     ///< the heading of the table; empty if it has none
  std::vector<Column> columns = {};           ///< the columns, from left to right
  std::vector<std::vector<Value>> rows = {};  ///< [rows][columns] the cells; null for an empty cell
};

/// A schedule in an answer.
struct Schedule {
  Timeline timeline;
  std::string name = {};   ///< the strategy; empty if there is only one
  std::string shown = {};  ///< the same as it was typed, for pictures
  /// The position among the document's "results" of the object that takes its rows; if absent, the document itself takes them.
  std::optional<std::size_t> result = {};
};

/// The answer of a verb of a domain: a document for programs, and the same contents as text for people.
struct Answer {
  /// The document that --json prints.
  Value document = Value::object();
  // The text that is printed without --json, in this order.
  /// One line that says which problem was answered.
  std::string headline;
  /// A few sentences with the answer itself: "checkpoint after 1 h 3 min of work".
  std::vector<std::string> verdict = {};
  std::vector<Table> tables;  ///< the numbers that support the verdict
  std::optional<Table> data =
      {};  ///< the table that is written as CSV; if absent, the first of the tables
  std::vector<std::string> lines;     ///< remarks below the tables
  std::vector<std::string> warnings;  ///< messages for standard error
  bool is_no = false;  ///< true if the question is valid and its answer is "no" (exit code 1)
  std::vector<Schedule> schedules = {};  ///< what --schedule writes: one, or one for each strategy
  std::string schedule_title = {};       ///< the title of their picture; empty: the command
  std::string schedule_note = {};        ///< a line below that title, in smaller letters
};

}  // namespace holdfast
