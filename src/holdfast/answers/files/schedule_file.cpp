#include "holdfast/answers/files/schedule_file.hpp"

#include "holdfast/answers/files/output_file.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace holdfast {
namespace {

using Schedules = std::span<const NamedTimeline>;
using Writer = Status (*)(Schedules, const PictureTitle&, const TextSink&);

// Only pictures have a title.
template <Status (*write)(Schedules, const TextSink&)>
Status without_title(Schedules schedules, const PictureTitle&, const TextSink& sink) {
  return write(schedules, sink);
}

struct ScheduleFormat {
  std::string_view ending;
  Writer write;
};
constexpr auto kScheduleFormats = std::to_array<ScheduleFormat>({
    {".csv", without_title<write_schedule_csv>},
    {".json", without_title<write_schedule_trace>},
    {".svg", write_schedule_svg},
    {".paje", without_title<write_schedule_paje>},
});

const ScheduleFormat* schedule_format(const std::filesystem::path& file) {
  const auto* found = std::find_if(
      kScheduleFormats.begin(), kScheduleFormats.end(),
      [&file](const ScheduleFormat& format) { return file.extension() == format.ending; });
  return found == kScheduleFormats.end() ? nullptr : found;
}

}  // namespace

bool names_schedule(const std::filesystem::path& file) {
  return schedule_format(file) != nullptr;
}

Status write_schedule_file(const std::filesystem::path& file, Schedules schedules,
                           const PictureTitle& title) {
  OutputFile out(file);
  HOLDFAST_CHECK(schedule_format(file)->write(
      schedules, title, [&out](std::string_view text) { return out.write(text); }));
  return out.finish();
}

}  // namespace holdfast
