#include "holdfast/schedule_option.hpp"

#include "holdfast/output_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

namespace holdfast::cli {
namespace {

using Writer = Status (*)(std::span<const NamedTimeline>, const TextSink&);

struct Format {
  std::string_view ending;
  Writer write;
};
constexpr auto kFormats = std::to_array<Format>({
    {".csv", write_schedule_csv},
    {".json", write_schedule_trace},
    {".svg", write_schedule_svg},
    {".paje", write_schedule_paje},
});

const Format* format_of(const std::filesystem::path& file) {
  const auto* found = std::find_if(kFormats.begin(), kFormats.end(), [&file](const Format& format) {
    return file.extension() == format.ending;
  });
  return found == kFormats.end() ? nullptr : found;
}

// A CSV file says so with or without the column that tells several schedules apart.
std::string_view without_strategy(std::string_view line) {
  constexpr std::string_view kColumn = "strategy,";
  if (line.starts_with(kColumn)) line.remove_prefix(kColumn.size());
  return line;
}

// Long enough to tell our files from others, short enough to be the same for all our schedules of one kind.
constexpr std::size_t kMark = 30;

std::string_view mark_of(std::string_view text) {
  return without_strategy(text.substr(0, text.find('\n'))).substr(0, kMark);
}

bool begins_alike(const std::filesystem::path& file, std::string_view text) {
  std::string start(2 * kMark, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(stream.gcount()));
  return mark_of(start) == mark_of(text);
}

}  // namespace

void ScheduleOption::add(CLI::App& command) {
  command
      .add_option(
          "--schedule", file_,
          "write the schedule of the first scenario: .csv, .json (trace events), .svg, .paje; "
          "- puts its rows into the --json document")
      ->type_name("FILE")
      ->take_last()
      ->group("Output");
}

Status ScheduleOption::check(bool json, const std::string& output) const {
  if (file_.empty()) return {};
  const std::filesystem::path place = file_;
  if (place.lexically_normal() == std::filesystem::path(output).lexically_normal()) {
    return fail(ErrorCode::usage, "--schedule",
                fmt::format("found '{}', which --output names too, expected another file", file_));
  }
  if (into_document()) {
    if (json) return {};
    return fail(ErrorCode::usage, "--schedule -", "found no --json, whose document takes the rows");
  }
  if (format_of(file_) != nullptr) return {};
  return fail(
      ErrorCode::usage, "--schedule",
      fmt::format("found '{}', expected a file that ends in .csv, .json, .svg or .paje, or -",
                  file_));
}

Status ScheduleOption::write(std::span<const NamedTimeline> schedules, bool force) const {
  const Format* format = format_of(file_);
  OutputFile file(file_);
  bool is_first = true;
  const TextSink sink = [&](std::string_view text) -> Status {
    const bool is_ours = !is_first || begins_alike(file_, text);
    is_first = false;
    HOLDFAST_CHECK(check_overwrite(file_, force || is_ours));
    return file.write(text);
  };
  HOLDFAST_CHECK(format->write(schedules, sink));
  return file.finish();
}

}  // namespace holdfast::cli
