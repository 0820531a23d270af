#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/report/schedule.hpp"

#include <filesystem>
#include <span>

namespace holdfast {

/// Returns true for a name that ends like a schedule format: .csv, .json, .svg, .paje.
[[nodiscard]] bool names_schedule(const std::filesystem::path& file);

/// Writes schedules as a file, in the format of its ending. @pre names_schedule(file)
[[nodiscard]] Status write_schedule_file(const std::filesystem::path& file,
                                         std::span<const NamedTimeline> schedules,
                                         const PictureTitle& title);

}  // namespace holdfast
