#pragma once

#include "holdfast/contract/verb.hpp"

namespace holdfast::steward::submit {

/// Returns the verb `holdfast moldable submit`.
[[nodiscard]] Verb submit_verb();

}  // namespace holdfast::steward::submit
