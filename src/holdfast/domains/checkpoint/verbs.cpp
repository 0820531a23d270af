#include "holdfast/domains/checkpoint/verbs.hpp"

namespace holdfast::checkpoint {

std::vector<Verb> verbs() {
  return {plan_verb(),   expected_verb(), optimum_verb(),
          hazard_verb(), generate_verb(), spares_verb()};
}

}  // namespace holdfast::checkpoint
