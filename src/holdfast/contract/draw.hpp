#pragma once

#include <cstdint>

namespace holdfast {

/// Which luck a run meets. Strategies are not in it: all of them meet the same.
struct Draw {
  std::uint64_t seed = 1;
  std::uint64_t instance = 0;
  std::uint64_t scenario = 0;

  friend bool operator==(const Draw&, const Draw&) = default;
};

/// What something in a workspace was made for: which point, by its serial number, and which luck. It may be used again
/// where it was made for the same.
struct Origin {
  std::uint64_t point = 0;  ///< 0: nothing was made yet
  Draw draw;

  friend bool operator==(const Origin&, const Origin&) = default;
};

}  // namespace holdfast
