#pragma once

#include "holdfast/domains/capacity/cluster_state.hpp"
#include "holdfast/domains/capacity/placement/availability_profile.hpp"
#include "holdfast/domains/capacity/placement/request.hpp"
#include "holdfast/domains/capacity/placement/staircases.hpp"
#include "holdfast/domains/capacity/placement/start_bounds.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace holdfast::capacity {

/// The earliest start of a job on each machine, given the plans made so far: the availability profile of each machine, and the
/// lower bounds that earlier searches have proved for later ones. Until a machine is rebuilt, cores of it are taken but never
/// given back, so everything that was proved stays true.
class EarliestStarts {
 public:
  /// The form in which searches remember what they proved.
  enum class Memory : std::uint8_t {
    by_length,  ///< by exact length, if one machine is searched after another (`staircases.hpp`)
    by_class,   ///< by class of lengths, if many machines are searched at once (`start_bounds.hpp`)
    both,       ///< by length for jobs that wait for one machine, else by class
  };
  EarliestStarts(const ClusterState& cluster, Memory memory);

  /// Returns what a search has to know of the next run of the task.
  [[nodiscard]] const PlacementRequest& request(std::size_t task) const { return requests_[task]; }
  /// Records that the run of the task was killed or saved, which can change the length of its next run.
  void renew(std::size_t task) { requests_[task] = request_of(task); }

  /// Rebuilds a machine: from now on only the running jobs take cores of it.
  void rebuild(std::int64_t machine, std::int64_t now);
  void reserve(const Slot& slot) {
    availability_[static_cast<std::size_t>(slot.machine)].reserve(
        slot.start, slot.start + slot.length, slot.cores);
  }
  [[nodiscard]] bool is_free(const Slot& slot) const {
    return of(slot.machine).is_free(slot.start, slot.cores, slot.length);
  }
  /// Returns the free cores at `now`, and forgets earlier steps.
  std::int64_t free_at(std::int64_t machine, std::int64_t now) {
    return availability_[static_cast<std::size_t>(machine)].free_at(now);
  }
  [[nodiscard]] const AvailabilityProfile& of(std::int64_t machine) const {
    return availability_[static_cast<std::size_t>(machine)];
  }

  /// Returns the start of the job on the machine, or `limit` if the start is not before it; a machine that is too small has none.
  [[nodiscard]] std::int64_t known(const PlacementRequest& request, std::int64_t machine,
                                   std::int64_t now, std::int64_t limit);
  /// Returns the same by exact length, for jobs that wait for this machine alone.
  /// @pre not Memory::by_class, and the machine is large enough
  [[nodiscard]] std::int64_t known_on(std::int64_t machine, const StartBounds::Place& place,
                                      std::int64_t cores, std::int64_t length, std::int64_t now,
                                      std::int64_t limit);
  /// Returns the smallest such start among the nearby machines if it is before that of `best`. `best` is a machine with a known
  /// start, or no machine and a limit.
  [[nodiscard]] Choice smallest_known(const PlacementRequest& request, const MachineRange& near,
                                      Choice best, Ties ties, std::int64_t now);
  /// Returns true if the job is known to start on none of these machines before the time, without a search.
  [[nodiscard]] bool excludes(const PlacementRequest& request, const MachineRange& near,
                              std::int64_t time) const {
    for (std::int64_t block = near.low; block < near.until; block += StartBounds::kAtOnce) {
      if (bounds_.before(request.bounds, block, near.until, time) != 0) return false;
    }
    return true;
  }
  /// Returns the shortest length L for which this is known: no job of the class of cores with a length of L or more starts on
  /// the machine before the time. With Memory::both, only searches for jobs that wait for one machine count.
  [[nodiscard]] std::int64_t late_length(std::size_t core_class, std::int64_t machine,
                                         std::int64_t time) const {
    if (memory_ == Memory::by_class) return bounds_.late_length(core_class, machine, time);
    return stairs_.of(static_cast<std::size_t>(machine), core_class).late_length(time);
  }
  [[nodiscard]] std::size_t core_classes() const { return bounds_.core_classes(); }

 private:
  [[nodiscard]] PlacementRequest request_of(std::size_t task) const;

  const ClusterState& cluster_;
  bool is_mixed_;  // machines differ in size
  Memory memory_;
  std::vector<AvailabilityProfile> availability_;  // by machine
  StartBounds bounds_;
  Staircases stairs_;
  std::vector<PlacementRequest> requests_;                   // by task
  std::vector<std::pair<std::int64_t, std::int64_t>> ends_;  // temporary memory of rebuild()
};

}  // namespace holdfast::capacity
