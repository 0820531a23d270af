#include "holdfast/domains/machine/verbs.hpp"

namespace holdfast::machine {

std::vector<Verb> verbs() {
  return {plan_verb(), generate_verb()};
}

}  // namespace holdfast::machine
