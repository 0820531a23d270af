#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/report/schedule.hpp"

#include <span>
#include <string>

namespace CLI {
class App;
}

namespace holdfast::cli {

class Console;

/// The option `--schedule FILE|-`, for the whole schedule of the first scenario.
class ScheduleOption {
 public:
  void add(CLI::App& command);

  [[nodiscard]] bool is_given() const { return !file_.empty(); }
  /// Returns true if the file is a picture.
  [[nodiscard]] bool is_picture() const { return file_.ends_with(".svg"); }
  /// Returns true for "-": the rows go into the document.
  [[nodiscard]] bool into_document() const { return file_ == "-"; }
  /// Refuses an ending that names no format, "-" without --json, the file to which the document is written, and an existing
  /// file unless `force`.
  [[nodiscard]] Status check(bool json, const std::string& output, bool force) const;
  /// Writes the file in the format of its ending, and prints its name. A file that exists is replaced only under `force`.
  [[nodiscard]] Status write(std::span<const NamedTimeline> schedules, const PictureTitle& title,
                             bool force, Console& console) const;

 private:
  std::string file_;
};

}  // namespace holdfast::cli
