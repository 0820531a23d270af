#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/report/schedule.hpp"

#include <span>
#include <string>

namespace CLI {
class App;
}

namespace holdfast::cli {

/// `--schedule FILE|-`: the whole schedule of the first scenario.
class ScheduleOption {
 public:
  void add(CLI::App& command);

  [[nodiscard]] bool is_given() const { return !file_.empty(); }
  /// True for "-": the rows go into the document.
  [[nodiscard]] bool into_document() const { return file_ == "-"; }
  /// Refuses an ending that names no format, "-" without --json, and the file that takes the document.
  [[nodiscard]] Status check(bool json, const std::string& output) const;
  /// Writes the file, in the format of its ending. A file that does not begin as a schedule does is replaced only
  /// under `force`.
  [[nodiscard]] Status write(std::span<const NamedTimeline> schedules, bool force) const;

 private:
  std::string file_;
};

}  // namespace holdfast::cli
