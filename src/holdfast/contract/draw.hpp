#pragma once

#include <cstdint>

namespace holdfast {

/// The name of one realisation: one draw of everything random. It names no strategy, so all strategies meet the same one.
struct Draw {
  std::uint64_t seed = 1;
  std::uint64_t instance = 0;
  std::uint64_t scenario = 0;

  friend bool operator==(const Draw&, const Draw&) = default;
};

/// The point and the realisation that something in a workspace was made for. It may be used again if both are the same.
struct Origin {
  std::uint64_t point = 0;  ///< the point's serial number; 0 if nothing has been made yet
  Draw draw;

  friend bool operator==(const Origin&, const Origin&) = default;
};

}  // namespace holdfast
