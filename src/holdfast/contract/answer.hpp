#pragma once

#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// A table for people: data only, report/ lines it up. A cell is a text or a number in base units.
struct Table {
  struct Column {
    std::string title;
    Unit unit = Unit::none;  ///< numbers are shown in a readable unit
    int digits = 6;          ///< significant digits of a plain number
  };
  std::string title = {};
  std::vector<Column> columns = {};
  std::vector<std::vector<Value>> rows = {};
};

/// What a verb of a domain says: a document for programs and the same for people.
struct Answer {
  Value document = Value::object();  ///< printed under --json
  std::string headline;  ///< printed otherwise, first: which problem this is, in one line
  std::vector<std::string> verdict = {};  ///< below it what was asked for, in a sentence or a few:
                                          ///< "checkpoint after 1 h 3 min of work"
  std::vector<Table> tables;              ///< then the numbers behind it
  std::vector<std::string> lines;         ///< and what else there is to say
  std::vector<std::string> warnings;      ///< to standard error
  bool is_no = false;                     ///< exit code 1: it ran, and the answer is "no"
  std::optional<Timeline> schedule;       ///< written by --schedule
};

}  // namespace holdfast
