#pragma once

#include "holdfast/answers/trace/source.hpp"

namespace holdfast {

/// Returns the records as a trace in that format, converted where it is one of another kind. The error says why that cannot be,
/// without a place.
[[nodiscard]] Result<MadeTrace> make_trace(const TraceSource& source, TraceRecords records,
                                           const Format& format);

}  // namespace holdfast
