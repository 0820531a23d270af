#pragma once

#include "holdfast/contract/domain.hpp"

#include <utility>

namespace holdfast::testing {

/// Returns the fields that a domain requires; other fields have defaults. For tests.
inline Value least_document(const Domain& domain) {
  if (domain.name == "machine") {
    Value classes = Value::array();
    classes.push(Value::object({{"name", "A"},
                                {"nodes", 4},
                                {"walltime", 600.0},
                                {"input", 8.0},
                                {"checkpoint", 20.0},
                                {"share", 1.0}}));
    return Value::object({{"nodes", 8},
                          {"bandwidth", 2.0},
                          {"horizon", 5000.0},
                          {"classes", std::move(classes)},
                          {"failures", Value::object({{"mtbf", 4000.0}})}});
  }
  if (domain.name != "checkpoint") return Value::object();
  return Value::object(
      {{"work", 1e6},
       {"checkpoint", 600.0},
       {"failures", Value::object({{"distribution", "exponential"}, {"mtbf", 1e8}})}});
}

}  // namespace holdfast::testing
