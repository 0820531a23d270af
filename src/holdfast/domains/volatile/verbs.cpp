#include "holdfast/domains/volatile/verbs.hpp"

namespace holdfast::volatile_workers {

std::vector<Verb> verbs() {
  return {plan_verb(), admit_verb(), predict_verb(), offline_verb(), fit_verb(), generate_verb()};
}

}  // namespace holdfast::volatile_workers
