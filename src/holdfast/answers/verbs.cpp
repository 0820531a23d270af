#include "holdfast/answers/verbs.hpp"

#include "holdfast/field/guard_verb.hpp"

#include <array>

namespace holdfast {

// Each is in a file of its own.
Verb init_verb();
Verb run_verb();
Verb report_verb();
Verb reproduce_verb();
Verb verify_verb();
Verb describe_verb();
Verb cite_verb();
Verb completion_verb();

std::span<const Verb> program_verbs() {
  static const std::array<Verb, 9> kVerbs = {init_verb(),     run_verb(),       field::guard_verb(),
                                             report_verb(),   reproduce_verb(), verify_verb(),
                                             describe_verb(), cite_verb(),      completion_verb()};
  return kVerbs;
}

}  // namespace holdfast
