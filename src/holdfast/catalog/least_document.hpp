#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::testing {

/// What a domain cannot do without; the others draw what they are not told. For tests.
inline Value least_document(const Domain& domain) {
  if (domain.name != "checkpoint") return Value::object();
  return Value::object(
      {{"work", 1e6},
       {"checkpoint", 600.0},
       {"failures", Value::object({{"distribution", "exponential"}, {"mtbf", 1e8}})}});
}

}  // namespace holdfast::testing
