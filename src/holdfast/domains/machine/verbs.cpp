#include "holdfast/domains/machine/verbs.hpp"

namespace holdfast::machine {

std::vector<Verb> verbs() {
  return {generate_verb()};
}

}  // namespace holdfast::machine
