#pragma once

#include "holdfast/domains/capacity/placement/availability_profile.hpp"
#include "holdfast/domains/capacity/placement/lane.hpp"
#include "holdfast/domains/capacity/placement/openings.hpp"
#include "holdfast/domains/capacity/placement/request.hpp"
#include "holdfast/domains/capacity/placement/staircases.hpp"
#include "holdfast/domains/capacity/placement/start_bounds.hpp"
#include "holdfast/domains/capacity/room.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace holdfast::capacity {

/// When a job can start on which machine, as far as the plans go that have been made: the availability profile of each
/// machine, and what earlier searches have proved about later ones. A machine only loses free cores until it is rebuilt,
/// so that what was proved stays true.
class EarliestStarts {
 public:
  /// In which form searches remember what they proved.
  enum class Memory : std::uint8_t {
    by_length,  ///< by exact length, where one machine is asked after another (`staircases.hpp`)
    by_class,   ///< by class of lengths, where many machines are asked at once (`start_bounds.hpp`)
    both,       ///< by length in known_on() and take_on(), else by class
  };
  EarliestStarts(const Room& room, Memory memory);
  EarliestStarts(const EarliestStarts&) = delete;
  EarliestStarts& operator=(const EarliestStarts&) = delete;

  [[nodiscard]] const PlacementRequest& request(std::size_t task) const { return requests_[task]; }
  /// After a kill the task asks for its full length again.
  void renew(std::size_t task) { requests_[task] = request_of(task); }

  /// Only what runs on the machine takes cores of it from now on.
  void rebuild(std::int64_t machine, std::int64_t now);
  void reserve(const Slot& slot);
  [[nodiscard]] bool is_free(const Slot& slot) const {
    return of(slot.machine).is_free(slot.start, slot.cores, slot.length);
  }
  /// Free cores at `now`; forgets what was before.
  std::int64_t free_at(std::int64_t machine, std::int64_t now) {
    return availability_[static_cast<std::size_t>(machine)].free_at(now);
  }
  [[nodiscard]] const AvailabilityProfile& of(std::int64_t machine) const {
    return availability_[static_cast<std::size_t>(machine)];
  }

  /// When the job starts on the machine; `limit` where that is not before it. It is known not to start before
  /// `not_before`.
  [[nodiscard]] std::int64_t known(const PlacementRequest& request, std::int64_t machine,
                                   std::int64_t now, std::int64_t limit,
                                   std::int64_t not_before = 0);
  /// The smallest such start among the machines near by, if it is before that of `best`: a machine whose start is known, or
  /// none and a limit.
  [[nodiscard]] Choice smallest_known(const PlacementRequest& request, const Vicinity& near,
                                      Choice best, Ties ties, std::int64_t now, Turn turn = {});
  /// The same as known() by exact length, for jobs that wait for this machine alone.
  [[nodiscard]] std::int64_t known_on(std::int64_t machine, const StartBounds::Place& place,
                                      std::int64_t cores, std::int64_t length, std::int64_t from,
                                      std::int64_t limit);
  /// Finds that start, and takes the cores.
  std::int64_t take_on(std::int64_t machine, const StartBounds::Place& place, std::int64_t cores,
                       std::int64_t length, std::int64_t from);

  [[nodiscard]] const StartBounds& bounds() const { return bounds_; }
  [[nodiscard]] const Staircases& stairs() const { return stairs_; }
  [[nodiscard]] Openings& openings() { return openings_; }

 private:
  [[nodiscard]] PlacementRequest request_of(std::size_t task) const;

  const Room& room_;
  Memory memory_;
  std::vector<AvailabilityProfile> availability_;  // by machine
  StartBounds bounds_;
  Staircases stairs_;
  Openings openings_;
  std::vector<PlacementRequest> requests_;                   // by task
  std::vector<std::pair<std::int64_t, std::int64_t>> ends_;  // scratch of rebuild()
};

}  // namespace holdfast::capacity
