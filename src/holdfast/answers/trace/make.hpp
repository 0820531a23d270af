#pragma once

#include "holdfast/answers/trace/source.hpp"

namespace holdfast {

/// Returns the records as a file in that format, converted if the format belongs to another kind. If that is impossible, the
/// error says why, without a place.
[[nodiscard]] Result<AnswerFile> make_trace(const TraceSource& source, TraceRecords records,
                                            const Format& format);

}  // namespace holdfast
