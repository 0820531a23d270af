#pragma once

#include "holdfast/steward/core.hpp"
#include "holdfast/steward/look.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace holdfast::steward {

/// What a server has done since it began.
struct Tally {
  std::array<std::uint64_t, kActions.size()> actions{};
  std::uint64_t refused = 0;
  std::uint64_t troubles = 0;
  std::uint64_t decisions = 0;
  double decision_seconds = 0;

  void decided(double seconds) {
    ++decisions;
    decision_seconds += seconds;
  }
};

/// Returns the metrics of a server in Prometheus' format.
[[nodiscard]] std::string metrics_text(const Look& look, const Said& said, const Charge& charge,
                                       const Tally& tally);

}  // namespace holdfast::steward
