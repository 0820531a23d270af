#pragma once

#include "holdfast/base/units.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace holdfast {

/// The meaning of a column of a timeline for pictures; plain columns are only printed.
enum class Role : std::uint8_t {
  plain,
  lane,   ///< the row of the picture: a processor, a machine, a job ...
  label,  ///< the text on the bar
  state,  ///< the state of the bar, which decides its colour: "work", "checkpoint", "lost", "failed", "completed" ...
  start,  ///< the start of the bar, a number
  end,    ///< the end of the bar, a number
  width,  ///< the number of resources that the bar takes (its height if the picture stacks)
  /// A lane whose bars are stacked on those of the other lanes, each as high as its width: a shared machine.
  stack,
  mark,     ///< flag: a failure struck where the bar starts
  lost,     ///< flag: the work of the row was lost
  release,  ///< the release of the job, a number
  rate,     ///< the rate at which the row uses what all lanes share, a number
};

/// Returns the enumerator's name: "lane", "start" ...
[[nodiscard]] std::string_view name(Role role);

/// One column of a timeline.
struct TimelineColumn {
  std::string_view name;    ///< the heading of the column: "start"
  Unit unit = Unit::none;   ///< the unit of its numbers
  Role role = Role::plain;  ///< the meaning of the column for pictures
};

/// What a cell may hold; monostate is an empty cell.
using TimelineCell = std::variant<std::monostate, bool, std::int64_t, double, std::string_view>;

/// A lane that cannot be used from `start` to `end`: a machine that is off, a worker that is reclaimed.
struct Unavailable {
  TimelineCell lane;       ///< the lane, as in the column with Role::lane
  std::string_view state;  ///< "off", "reclaimed", "down" ...
  double start = 0;        ///< start in the unit of the rows' start
  double end = 0;          ///< end in the same unit
};

/// The events of one run, as rows in order of start; the columns are those that the domain's schedule lists. Each text is
/// stored once, even if many rows use it. In addition to its rows, a timeline says when lanes could not be used.
class Timeline {
 public:
  /// Make a timeline without rows; Timeline() has no columns either.
  Timeline() = default;
  explicit Timeline(std::span<const TimelineColumn> columns)
      : columns_(columns.begin(), columns.end()) {}
  Timeline(Timeline&&) = default;
  Timeline& operator=(Timeline&&) = default;
  // A copy would hold views of the texts of the original.
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  /// Adds one row.
  /// @pre cells.size() == columns().size(); texts come from intern() or outlive the timeline
  void add(std::span<const TimelineCell> cells) {
    cells_.insert(cells_.end(), cells.begin(), cells.end());
  }
  void add(std::initializer_list<TimelineCell> cells) {
    add(std::span(cells.begin(), cells.size()));
  }
  /// Adds the row whose cell in column i is cell(i).
  template <class CellOf>
  void add_row(const CellOf& cell) {
    for (std::size_t i = 0; i < columns_.size(); ++i) cells_.push_back(cell(i));
  }
  /// Adds a period in which a lane could not be used.
  /// @pre there is a column with Role::lane; intervals of one lane come in order of time; texts are handled as in add()
  void add_unavailable(const Unavailable& interval) { unavailable_.push_back(interval); }
  /// Says what pictures do not show, e.g. "9 of 20 workers took part".
  void set_note(std::string note) { note_ = std::move(note); }
  /// Stores a text, and returns a view of it that lives as long as the timeline.
  std::string_view intern(std::string_view text);

  /// Returns the columns, in the order of the domain's schedule.
  [[nodiscard]] std::span<const TimelineColumn> columns() const { return columns_; }
  /// Returns the number of rows.
  [[nodiscard]] std::size_t rows() const {
    return columns_.empty() ? 0 : cells_.size() / columns_.size();
  }
  /// Returns the cells of a row, one for each column.
  [[nodiscard]] std::span<const TimelineCell> row(std::size_t index) const {
    return std::span(cells_).subspan(index * columns_.size(), columns_.size());
  }
  /// Returns the periods in which lanes could not be used, in the order in which they were added.
  [[nodiscard]] std::span<const Unavailable> unavailable() const { return unavailable_; }
  [[nodiscard]] const std::string& note() const { return note_; }
  /// Sorts the rows by the column with Role::start; equal starts keep their order.
  void sort_by_start();

 private:
  std::vector<TimelineColumn> columns_;
  std::vector<TimelineCell> cells_;
  std::vector<Unavailable> unavailable_;
  std::string note_;
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::string_view> interned_;
};

}  // namespace holdfast
