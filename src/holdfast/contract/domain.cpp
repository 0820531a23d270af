#include "holdfast/contract/domain.hpp"

namespace holdfast {

const Verb* Domain::verb(std::string_view verb_name) const {
  for (const Verb& candidate : verbs) {
    if (candidate.name == verb_name) return &candidate;
  }
  return nullptr;
}

}  // namespace holdfast
