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
#include <variant>
#include <vector>

namespace holdfast {

/// What a column of a timeline means to those who draw it; everything else is just printed.
enum class Role : std::uint8_t {
  plain,
  lane,   ///< the row of the picture: a processor, a machine, a job ...
  label,  ///< the text on the bar
  state,  ///< decides the colour: "work", "checkpoint", "lost", "failed", "completed" ...
  start,  ///< number
  end,    ///< number
  width,  ///< how many resources the bar takes (height where the picture stacks)
  stack,  ///< a lane whose bars lie on those of the other lanes, each as high as it is wide: a shared machine
  mark,     ///< flag: something struck where the bar starts, a failure
  lost,     ///< flag: what the row did was in vain
  release,  ///< number: since when the job had waited
  rate,     ///< number: how fast the row uses what all lanes share
};

/// "lane", "start" ...: the enumerator's name.
[[nodiscard]] std::string_view name(Role role);

struct TimelineColumn {
  std::string_view name;
  Unit unit = Unit::none;
  Role role = Role::plain;
};

using TimelineCell = std::variant<std::monostate, bool, std::int64_t, double, std::string_view>;

/// A lane that cannot be used from `start` to `end`: a machine that is off, a worker that is reclaimed.
struct Unavailable {
  TimelineCell lane;       ///< as in the column with Role::lane
  std::string_view state;  ///< "off", "reclaimed", "down" ...
  double start = 0;        ///< in the unit of the rows' start
  double end = 0;
};

/// What happened in one run: rows in order of start, columns as the domain's schedule lists them. Texts are kept
/// once each, however many rows name them. Beside the rows, and no part of them, stands when lanes could not be used.
class Timeline {
 public:
  Timeline() = default;
  explicit Timeline(std::span<const TimelineColumn> columns)
      : columns_(columns.begin(), columns.end()) {}
  Timeline(Timeline&&) = default;
  Timeline& operator=(Timeline&&) = default;
  // A copy would point into the texts of the original.
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  /// Adds one row. @pre cells.size() == columns().size(); texts must come from intern() or outlive the timeline
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
  /// @pre there is a column with Role::lane; intervals of one lane come by time; texts as in add()
  void add_unavailable(const Unavailable& interval) { unavailable_.push_back(interval); }
  /// A view of the text that lives as long as the timeline.
  std::string_view intern(std::string_view text);

  [[nodiscard]] std::span<const TimelineColumn> columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const {
    return columns_.empty() ? 0 : cells_.size() / columns_.size();
  }
  [[nodiscard]] std::span<const TimelineCell> row(std::size_t index) const {
    return std::span(cells_).subspan(index * columns_.size(), columns_.size());
  }
  [[nodiscard]] std::span<const Unavailable> unavailable() const { return unavailable_; }
  /// Sorts the rows by the column with Role::start; equal starts keep their order.
  void sort_by_start();

 private:
  std::vector<TimelineColumn> columns_;
  std::vector<TimelineCell> cells_;
  std::vector<Unavailable> unavailable_;
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::string_view> interned_;
};

}  // namespace holdfast
