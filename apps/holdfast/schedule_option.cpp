#include "holdfast/schedule_option.hpp"

#include "holdfast/answers/output_file.hpp"
#include "holdfast/answers/schedule_file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>

namespace holdfast::cli {

void ScheduleOption::add(CLI::App& command) {
  command
      .add_option(
          "--schedule", file_,
          "write the schedule of the first scenario: .csv, .json (trace events), .svg, .paje; "
          "- puts its rows into the --json document")
      ->type_name("FILE")
      ->group("Output");
}

Status ScheduleOption::check(bool json, const std::string& output, bool force) const {
  if (file_.empty()) return {};
  const std::filesystem::path place = file_;
  if (place.lexically_normal() == std::filesystem::path(output).lexically_normal()) {
    return fail(
        ErrorCode::usage, "--schedule",
        fmt::format("found {}, which --output names too, expected another file", in_quotes(file_)));
  }
  if (into_document()) {
    if (json) return {};
    return fail(ErrorCode::usage, "--schedule -", "found no --json, whose document takes the rows");
  }
  if (names_schedule(file_)) return check_overwrite(file_, force);
  return fail(ErrorCode::usage, "--schedule",
              fmt::format("found {}, expected a file that ends in .csv, .json, .svg or .paje, or -",
                          in_quotes(file_)));
}

Status ScheduleOption::write(std::span<const NamedTimeline> schedules, const PictureTitle& title,
                             bool force, Console& console) const {
  HOLDFAST_CHECK(check_overwrite(file_, force));
  HOLDFAST_CHECK(write_schedule_file(file_, schedules, title));
  console.note(fmt::format("wrote {}", file_));
  return {};
}

}  // namespace holdfast::cli
