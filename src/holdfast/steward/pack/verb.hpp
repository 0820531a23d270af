#pragma once

#include "holdfast/contract/verb.hpp"

namespace holdfast::steward::pack {

/// Returns the verb `holdfast cosched run`.
[[nodiscard]] Verb run_verb();

}  // namespace holdfast::steward::pack
