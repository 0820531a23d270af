#include "holdfast/answers/trace/verbs.hpp"

#include <array>

namespace holdfast {

// Each is in a file of its own.
TraceVerb trace_info_verb();
TraceVerb trace_convert_verb();
TraceVerb trace_slice_verb();
TraceVerb trace_fit_verb();

std::span<const TraceVerb> trace_verbs() {
  static const std::array<TraceVerb, 4> kVerbs = {trace_info_verb(), trace_convert_verb(),
                                                  trace_slice_verb(), trace_fit_verb()};
  return kVerbs;
}

}  // namespace holdfast
