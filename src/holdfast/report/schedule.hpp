#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/kernel/timeline.hpp"
#include "holdfast/report/text_sink.hpp"

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
/// asks for it. With more than one schedule, the first column, `strategy`, names it. @pre all have the same columns
[[nodiscard]] Status write_schedule_csv(std::span<const NamedTimeline> schedules,
                                        const TextSink& sink);

/// Trace events ("JSON Object Format") that Perfetto and Chromium's about:tracing open: one process per schedule,
/// one thread per lane (several where the rows of a lane overlap), a row without length as an instant event. Times
/// are microseconds there; a schedule in slots shows one slot as one second.
[[nodiscard]] Status write_schedule_trace(std::span<const NamedTimeline> schedules,
                                          const TextSink& sink);

/// A picture: one panel per schedule, one row per lane, bars coloured by state, a legend, a time axis with its unit.
/// Bars that would be narrower than a quarter of a pixel beside another one of the same lane are left out, so that
/// the size of the picture does not grow with the number of rows.
[[nodiscard]] Status write_schedule_svg(std::span<const NamedTimeline> schedules,
                                        const TextSink& sink);

/// The rows as an array of objects; a cell that is not there is left out.
[[nodiscard]] Value schedule_value(const Timeline& timeline);

}  // namespace holdfast
