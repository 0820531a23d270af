#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/chart.hpp"
#include "holdfast/kernel/timeline.hpp"

#include <cstddef>
#include <functional>
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
  std::vector<std::size_t> best = {};         ///< the rows to be marked
};

/// A schedule in an answer.
struct Schedule {
  Timeline timeline;
  std::string name = {};   ///< the strategy; empty if there is only one
  std::string shown = {};  ///< the same as it was typed, for pictures
  /// The position among the document's "results" of the object that takes its rows; if absent, the document itself takes them.
  std::optional<std::size_t> result = {};
};

/// A file in the format of somebody else: a trace that was converted, a campaign to start from.
struct AnswerFile {
  std::string format = {};  ///< the name of its format, if it needs saying
  std::string kind = {};    ///< what it holds, if the format is one of traces
  std::string name = {};    ///< the file to write if the user names none; empty: standard output
  std::string remark = {};  ///< what is said when it has been written, with {} for the file
  /// Hands on its contents in parts, because they may be longer than memory. @returns what was lost, as warnings
  std::function<Result<std::vector<std::string>>(const TextSink&)> write;
};

/// Returns a text in memory as a file.
[[nodiscard]] AnswerFile file_of(std::string text);

/// The answer of a verb: a document for programs, and the same contents as text for people.
struct Answer {
  /// The document that --json prints.
  Value document = Value::object();
  // The text that is printed without --json, in this order.
  /// One line that says which problem was answered.
  std::string headline = {};
  /// A few sentences with the answer itself: "checkpoint after 1 h 3 min of work".
  std::vector<std::string> verdict = {};
  std::vector<Table> tables = {};  ///< the numbers that support the verdict
  std::optional<Table> data =
      {};  ///< the table that is written as CSV; if absent, the first of the tables
  std::vector<std::string> lines = {};     ///< remarks below the tables
  std::vector<std::string> warnings = {};  ///< messages for standard error
  /// Choices that the verb made because no option was given, for standard error too.
  std::vector<std::string> notes = {};
  std::vector<std::string> closing = {};  ///< remarks for standard error, below everything else
  bool is_no = false;  ///< true if the question is valid and its answer is "no" (exit code 1)
  bool is_silent =
      false;  ///< true if nothing is printed, because the verb has printed all or another process answers
  int status = 0;                        ///< the exit status of the program that the verb ran
  std::vector<Schedule> schedules = {};  ///< what --schedule writes: one, or one for each strategy
  std::string schedule_title = {};       ///< the title of their picture; empty: the command
  std::string schedule_note = {};        ///< a line below that title, in smaller letters
  LineChart chart = {};                  ///< what --plot draws; without lines: nothing can be drawn
  /// The observations behind the chart, in base units. They may be many, so they are computed when they are wanted. Empty if
  /// there are none.
  std::function<Table()> observations = {};
  std::optional<AnswerFile> file = {};  ///< what is written in place of text for people
};

}  // namespace holdfast
