#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/kernel/timeline.hpp"
#include "holdfast/report/svg_text.hpp"

#include <span>
#include <string>
#include <string_view>

/// Schedules as files. Every writer streams, so memory does not grow with the length of the text.
namespace holdfast {

/// One schedule of a picture or file that may hold several, e.g. one per strategy.
struct NamedTimeline {
  std::string_view name;
  const Timeline* timeline = nullptr;
};

/// Writes comma-separated values: a header line with the names of the columns and one line per row, with texts in quotes where
/// RFC 4180 requires them. If there are several schedules, the first column, `strategy`, names the schedule. Schedules of batch
/// systems (with a column `release`) also have the columns of Batsim's job file, after their own. @pre all schedules have the
/// same columns
[[nodiscard]] Status write_schedule_csv(std::span<const NamedTimeline> schedules,
                                        const TextSink& sink);

/// Writes trace events ("JSON Object Format") for Perfetto and Chromium's about:tracing. There is one process per schedule and
/// one thread per lane (several if rows of the lane overlap, and one more for times when it cannot be used). A row without
/// length is an instant event. If the schedule counts resources, counters show how many are in use. Times are in microseconds;
/// in a schedule in slots, one slot is shown as one second.
[[nodiscard]] Status write_schedule_trace(std::span<const NamedTimeline> schedules,
                                          const TextSink& sink);

/// Writes a trace in the Paje format for ViTE and PajeNG. There is one container per schedule, and inside it one per thread of
/// the trace events above, with states, marks for rows without length, and the number of resources in use. Events are in order
/// of time.
[[nodiscard]] Status write_schedule_paje(std::span<const NamedTimeline> schedules,
                                         const TextSink& sink);

/// Draws a picture with a title, one panel per schedule, bars coloured by state, a legend of the states that occur, and a time
/// axis with its unit. The rows of the picture are the lanes of the schedule. If it has no lanes but says how many resources
/// each bar takes, the rows are the resources, numbered by packing. Rows without length are marked, and lost work is crossed
/// out. Shading in the background shows when a lane cannot be used, for instance a machine that is off; white means idle. If
/// rows have a rate, the rates of all lanes are stacked over time below the bars. Bars within half a pixel of a bar that
/// already covers the same place are left out, and small bars share elements, so that the picture stays small even if there are
/// many rows.
[[nodiscard]] Status write_schedule_svg(std::span<const NamedTimeline> schedules,
                                        const PictureTitle& title, const TextSink& sink);

/// Returns the rows as an array of objects. Empty cells are left out.
[[nodiscard]] Value schedule_value(const Timeline& timeline);

}  // namespace holdfast
