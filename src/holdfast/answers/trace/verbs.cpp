#include "holdfast/answers/trace/verbs.hpp"

#include <array>

namespace holdfast {

// Each is in a file of its own.
Verb trace_info_verb();
Verb trace_convert_verb();
Verb trace_slice_verb();
Verb trace_fit_verb();

std::span<const Verb> trace_verbs() {
  static const std::array<Verb, 4> kVerbs = {trace_info_verb(), trace_convert_verb(),
                                             trace_slice_verb(), trace_fit_verb()};
  return kVerbs;
}

}  // namespace holdfast
