#pragma once

#include <cstdint>

namespace holdfast {

/// The name of one realisation, that is, one draw of everything random. It does not contain a strategy, so all strategies see
/// the same realisation.
struct Draw {
  std::uint64_t seed = 1;      ///< the seed of the campaign or command
  std::uint64_t instance = 0;  ///< the number of the instance, from 0
  std::uint64_t scenario = 0;  ///< the number of the scenario of that instance, from 0

  friend bool operator==(const Draw&, const Draw&) = default;
};

/// The point and the realisation for which a value in a workspace was made. The value may be reused if both are the same.
struct Origin {
  std::uint64_t point = 0;  ///< the point's serial number; 0 if nothing has been made yet
  Draw draw;                ///< the realisation

  friend bool operator==(const Origin&, const Origin&) = default;
};

}  // namespace holdfast
