#pragma once

#include "holdfast/domains/capacity/placement/target_rules.hpp"
#include "holdfast/domains/capacity/room.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace holdfast::capacity {

class Deferral;

/// M_use: the target policies place jobs on machines 0 to M_use - 1 only, and grow or shrink that number with the mean use
/// of these machines. A machine that a job has to wait for counts as full.
class MachinesInUse {
 public:
  MachinesInUse(const Room& room, const TargetRules& rules);

  [[nodiscard]] std::int64_t count() const { return count_; }
  void set_count(std::int64_t count) { count_ = count; }

  /// Grows or shrinks until the mean use is within its limits. Tells whether nothing had to change.
  bool update(std::int64_t now, Deferral& deferral);
  /// Is the mean use so high that one more machine should be used?
  [[nodiscard]] bool should_grow(std::int64_t now, Deferral& deferral) {
    return tendency(count_, now, deferral) > 0;
  }

  void add_plan(std::int64_t machine) { ++plans_on_[static_cast<std::size_t>(machine)]; }
  void drop_plan(std::int64_t machine) { --plans_on_[static_cast<std::size_t>(machine)]; }
  /// All plans of the machine, and what marks it as full. Tells whether there was a plan.
  bool drop_all(std::int64_t machine);
  /// Does nothing run on the machine, and is nothing planned there?
  [[nodiscard]] bool is_empty(std::int64_t machine) const {
    return plans_on_[static_cast<std::size_t>(machine)] == 0 && room_.running(machine).empty();
  }
  /// While all waiting jobs are placed again, machines in use that are empty are counted.
  void count_empty();
  /// A job is about to go to the machine.
  void fill(std::int64_t machine) { empty_ -= is_empty(machine) ? 1 : 0; }
  [[nodiscard]] bool has_empty() const { return empty_ > 0; }

  /// The author's evaluations see the busy cores of a machine as of its last start or end: at an instant at which several
  /// runs end on one machine, the first end shows them all, and the starts of that instant too.
  void show(std::int64_t machine, std::int64_t busy) {
    shown_[static_cast<std::size_t>(machine)] = busy;
  }
  /// The machine counts as full until drop_all() (author).
  void mark(std::int64_t machine) { ++marks_[static_cast<std::size_t>(machine)]; }
  void release_marks(std::int64_t now, Deferral& deferral);

 private:
  [[nodiscard]] double use_of(std::int64_t machine) const;
  [[nodiscard]] int tendency(std::int64_t least, std::int64_t now, Deferral& deferral) const;

  const Room& room_;
  TargetRules rules_;
  std::int64_t count_ = 0;
  std::int64_t empty_ = 0;
  std::vector<std::int64_t> plans_on_;  // by machine: jobs that are to start there
  std::vector<std::int64_t> marks_;     // reasons to count a machine as full (author)
  std::vector<std::int64_t> shown_;     // busy cores (author)
};

}  // namespace holdfast::capacity
