#include "holdfast/schedule_option.hpp"

#include "holdfast/answers/output_file.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/console.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace holdfast::cli {
namespace {

using Schedules = std::span<const NamedTimeline>;
using Writer = Status (*)(Schedules, const PictureTitle&, const TextSink&);

// Only pictures have a title.
template <Status (*write)(Schedules, const TextSink&)>
Status without_title(Schedules schedules, const PictureTitle&, const TextSink& sink) {
  return write(schedules, sink);
}

struct Format {
  std::string_view ending;
  Writer write;
};
constexpr auto kFormats = std::to_array<Format>({
    {".csv", without_title<write_schedule_csv>},
    {".json", without_title<write_schedule_trace>},
    {".svg", write_schedule_svg},
    {".paje", without_title<write_schedule_paje>},
});

const Format* format_of(const std::filesystem::path& file) {
  const auto* found = std::find_if(kFormats.begin(), kFormats.end(), [&file](const Format& format) {
    return file.extension() == format.ending;
  });
  return found == kFormats.end() ? nullptr : found;
}

}  // namespace

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
  if (format_of(file_) != nullptr) return check_overwrite(file_, force);
  return fail(ErrorCode::usage, "--schedule",
              fmt::format("found {}, expected a file that ends in .csv, .json, .svg or .paje, or -",
                          in_quotes(file_)));
}

Status ScheduleOption::write(Schedules schedules, const PictureTitle& title, bool force,
                             Console& console) const {
  HOLDFAST_CHECK(check_overwrite(file_, force));
  OutputFile file(file_);
  HOLDFAST_CHECK(format_of(file_)->write(
      schedules, title, [&file](std::string_view text) { return file.write(text); }));
  HOLDFAST_CHECK(file.finish());
  console.note(fmt::format("wrote {}", file_));
  return {};
}

}  // namespace holdfast::cli
