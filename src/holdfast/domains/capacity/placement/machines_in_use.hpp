#pragma once

#include "holdfast/domains/capacity/cluster_state.hpp"
#include "holdfast/domains/capacity/placement/target_rules.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast::capacity {

class Deferral;

/// The number M_use of machines in use. The target policies place jobs only on machines 0 to M_use - 1, and grow or shrink this
/// number with the mean utilisation of these machines. A machine for which a job has to wait counts as full.
///
/// Where machines differ in size there is such a number for each size, its level: that of the machines which are at least as
/// large, counted from the safest. A job goes by the level of the smallest size that has its cores, as if smaller machines did not
/// exist. Level 0 counts all machines, and is the only one if they are equal.
class MachinesInUse {
 public:
  MachinesInUse(const ClusterState& cluster, const TargetRules& rules);

  [[nodiscard]] std::size_t levels() const { return levels_.size(); }
  /// Returns the level of jobs with that number of cores.
  [[nodiscard]] std::size_t level_of(std::int64_t cores) const {
    std::size_t level = 0;
    while (level + 1 < levels_.size() && levels_[level].cores < cores) ++level;
    return level;
  }
  /// Returns the number of machines in use that are large enough.
  [[nodiscard]] std::int64_t count(std::size_t level = 0) const { return levels_[level].count; }
  /// Returns the machines that are large enough, safest first.
  [[nodiscard]] const std::vector<std::int64_t>& large_enough(std::size_t level) const {
    return levels_[level].machines;
  }
  /// Returns one past the last machine in use for jobs with that number of cores.
  [[nodiscard]] std::int64_t end_for(std::int64_t cores) const {
    const Level& level = levels_[level_of(cores)];
    if (levels_.size() == 1) return level.count;
    return level.count == 0 ? 0 : level.machines[static_cast<std::size_t>(level.count) - 1] + 1;
  }
  /// Returns how many of the first machines are large enough.
  [[nodiscard]] std::int64_t among(std::int64_t first_machines, std::size_t level) const;
  /// Returns the number of machines that are on and large enough.
  [[nodiscard]] std::int64_t alive(std::size_t level) const {
    return among(cluster_.alive_count(), level);
  }
  /// Uses the first machines.
  void use(std::int64_t first_machines);
  /// Begins to use machines of a level, of which none was on: the safe ones, but at least one.
  void begin(std::size_t level);
  /// Uses no machine that is not on.
  void use_only_alive();

  /// Grows or shrinks the numbers until the mean utilisation is within its limits. Returns true if nothing had to change.
  bool update(std::int64_t now, Deferral& deferral);
  /// The same for one level.
  bool update(std::size_t level, std::int64_t now, Deferral& deferral);
  /// Returns true if the mean utilisation is so high that one more machine should be used.
  [[nodiscard]] bool should_grow(std::size_t level, std::int64_t now, Deferral& deferral) {
    return tendency(level, count(level), now, deferral) > 0;
  }

  void add_plan(std::int64_t machine) { ++plans_on_[static_cast<std::size_t>(machine)]; }
  void drop_plan(std::int64_t machine) { --plans_on_[static_cast<std::size_t>(machine)]; }
  /// Drops all plans of the machine, and its mark as full. Returns true if there was a plan.
  bool drop_all(std::int64_t machine);
  /// Returns true if nothing runs on the machine and nothing is planned there.
  [[nodiscard]] bool is_empty(std::int64_t machine) const {
    return plans_on_[static_cast<std::size_t>(machine)] == 0 && cluster_.running(machine).empty();
  }
  /// Counts the empty machines in use while all waiting jobs are placed again.
  void count_empty();
  /// Records that a job is about to go to the machine.
  void fill(std::int64_t machine) { empty_ -= is_empty(machine) ? 1 : 0; }
  [[nodiscard]] bool has_empty() const { return empty_ > 0; }

  /// Updates the number of busy cores that the author's evaluations see, which is that of the machine's last start or end. If
  /// several runs end on one machine at the same instant, the first end accounts for all of them, and for the starts of that
  /// instant too.
  void show(std::int64_t machine, std::int64_t busy) {
    shown_[static_cast<std::size_t>(machine)] = busy;
  }
  /// Makes the machine count as full until drop_all() (author).
  void mark(std::int64_t machine) { ++marks_[static_cast<std::size_t>(machine)]; }
  /// Marks the machine of each running job, and then releases these marks one by one, with an update after each (author).
  void release_marks(std::int64_t now, Deferral& deferral);

 private:
  struct Level {
    std::int64_t cores;                  // of the smallest of its machines
    std::vector<std::int64_t> machines;  // ascending
    std::int64_t count = 0;              // M_use: so many of them are in use
  };
  [[nodiscard]] double use_of(std::int64_t machine) const;
  [[nodiscard]] int tendency(std::size_t level, std::int64_t least, std::int64_t now,
                             Deferral& deferral) const;

  const ClusterState& cluster_;
  TargetRules rules_;
  std::vector<Level> levels_;  // sizes ascending
  std::int64_t empty_ = 0;
  std::vector<std::int64_t> plans_on_;  // number of jobs planned to start on each machine
  std::vector<std::int64_t> marks_;     // number of reasons to count each machine as full (author)
  std::vector<std::int64_t> shown_;     // busy cores of each machine, as show() set them (author)
};

}  // namespace holdfast::capacity
