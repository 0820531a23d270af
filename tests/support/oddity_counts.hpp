#pragma once

#include "holdfast/traces/text/oddity.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::test {

using Counts = std::vector<std::pair<std::string, std::int64_t>>;

/// What was odd and how often, to be compared as a whole.
inline Counts counts(const Oddities& oddities) {
  Counts out;
  for (const Oddity& oddity : oddities.list()) out.emplace_back(oddity.what, oddity.count);
  return out;
}

}  // namespace holdfast::test
