#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/text_sink.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/kernel/timeline.hpp"
#include "holdfast/report/svg_text.hpp"

#include <span>
#include <string>
#include <string_view>

/// Schedules as files. Every writer streams: memory does not grow with the text that is written.
namespace holdfast {

/// One schedule of a picture or file that may hold several, e.g. one per strategy.
struct NamedTimeline {
  std::string_view name;
  const Timeline* timeline = nullptr;
};

/// Comma-separated values: a header line with the names of the columns, one line per row, texts quoted where RFC 4180
/// asks for it. With more than one schedule, the first column, `strategy`, names it. Schedules of batch systems (with a
/// column `release`) have the columns of Batsim's jobs after their own. @pre all have the same columns
[[nodiscard]] Status write_schedule_csv(std::span<const NamedTimeline> schedules,
                                        const TextSink& sink);

/// Trace events ("JSON Object Format") that Perfetto and Chromium's about:tracing open: one process per schedule,
/// one thread per lane (several where the rows of a lane overlap, and one more for when it cannot be used), a row without
/// length as an instant event, counters of the resources that are taken where the schedule counts them. Times are microseconds there; a schedule in slots shows one slot as one second.
[[nodiscard]] Status write_schedule_trace(std::span<const NamedTimeline> schedules,
                                          const TextSink& sink);

/// A trace in the Paje format, which ViTE and PajeNG open: one container per schedule, in it one per thread of the
/// trace events above, with states, marks for what has no length, and how many resources are taken. In order of time.
[[nodiscard]] Status write_schedule_paje(std::span<const NamedTimeline> schedules,
                                         const TextSink& sink);

/// A picture: its title, one panel per schedule, bars coloured by state, a legend of what occurs, a time axis with its unit. Its rows are the
/// lanes of the schedule; or, where it has none but says how many resources each bar takes, the resources, numbered by
/// packing. What has no length is marked, what is lost is crossed out. Behind the bars it is shaded
/// when a lane cannot be used, such as a machine that is off; idle is white. Where rows have a rate, the
/// rates of all lanes over time lie on each other below the bars. Bars within half a pixel of what covers the same place already are
/// left out, and small ones share elements, so that the picture stays small however many rows there are.
[[nodiscard]] Status write_schedule_svg(std::span<const NamedTimeline> schedules,
                                        const PictureTitle& title, const TextSink& sink);

/// Returns the rows as an array of objects; a cell that is not there is left out.
[[nodiscard]] Value schedule_value(const Timeline& timeline);

}  // namespace holdfast
