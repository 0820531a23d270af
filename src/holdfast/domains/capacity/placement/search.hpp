#pragma once

#include "holdfast/domains/capacity/placement/deferral.hpp"
#include "holdfast/domains/capacity/placement/placement_state.hpp"
#include "holdfast/domains/capacity/placement/request.hpp"

#include <cstdint>

namespace holdfast::capacity {

/// The searches of the target policies at one instant. Their results are the same as if every plan had been made.
class Search {
 public:
  Search(PlacementState& placement, Deferral& deferral, std::int64_t now)
      : placement_{placement}, deferral_{deferral}, now_{now} {}

  [[nodiscard]] std::int64_t now() const { return now_; }
  [[nodiscard]] PlacementState& placement() const { return placement_; }
  [[nodiscard]] Deferral& deferral() const { return deferral_; }

  /// Returns the earliest start on the machine, or `limit` if the start is not before it.
  [[nodiscard]] std::int64_t earliest(const PlacementRequest& request, std::int64_t machine,
                                      std::int64_t limit = kNever) const;
  /// Returns true if the job can start on the machine now.
  [[nodiscard]] bool can_start(const PlacementRequest& request, std::int64_t machine) const;
  /// Returns the machine nearest to `from` on which the job can start now (the lower one of two equally near), or -1.
  [[nodiscard]] std::int64_t first_startable(const PlacementRequest& request,
                                             std::int64_t from) const;
  /// Returns the smallest earliest start among the machines near `from`. `best` is a machine with a known start, or no machine
  /// and a limit. Ties go to `from` itself, then to the nearest machine (the lower one of two equally near) or to the lowest.
  [[nodiscard]] Choice smallest_start(const PlacementRequest& request, std::int64_t from,
                                      Choice best, Ties ties) const;
  /// Returns true if the job certainly starts on its target by `latest` if it waits there.
  [[nodiscard]] bool surely_starts_by(std::int64_t latest, const PlacementRequest& request,
                                      std::int64_t target) const {
    return deferral_.surely_starts_by(latest, request, target, now_);
  }

 private:
  PlacementState& placement_;
  Deferral& deferral_;
  std::int64_t now_;
};

}  // namespace holdfast::capacity
