#include "holdfast/domains/capacity/placement/machines_in_use.hpp"

#include "holdfast/domains/capacity/placement/deferral.hpp"

#include <algorithm>
#include <utility>

namespace holdfast::capacity {

MachinesInUse::MachinesInUse(const ClusterState& cluster, const TargetRules& rules)
    : cluster_{cluster},
      rules_{rules},
      plans_on_(static_cast<std::size_t>(cluster.instance().machines), 0),
      marks_(plans_on_.size(), 0),
      shown_(plans_on_.size(), 0) {
  for (const std::int64_t cores : cluster.instance().distinct_sizes()) {
    levels_.push_back({cores, {}});
    for (std::int64_t m = 0; m < cluster.instance().machines; ++m) {
      if (cluster.cores(m) >= cores) levels_.back().machines.push_back(m);
    }
  }
}

std::int64_t MachinesInUse::among(std::int64_t first_machines, std::size_t level) const {
  if (level == 0) return first_machines;
  const auto& machines = levels_[level].machines;
  return std::ranges::lower_bound(machines, first_machines) - machines.begin();
}

void MachinesInUse::use(std::int64_t first_machines) {
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const std::int64_t least =
        l > 0 && first_machines > 0 ? std::min<std::int64_t>(1, alive(l)) : 0;
    levels_[l].count = std::max(least, among(first_machines, l));
  }
}

void MachinesInUse::begin(std::size_t level) {
  const std::int64_t safe = among(cluster_.instance().safe_machines, level);
  levels_[level].count = std::max<std::int64_t>(1, std::min(safe, alive(level)));
}

void MachinesInUse::use_only_alive() {
  for (std::size_t l = 0; l < levels_.size(); ++l)
    levels_[l].count = std::min(levels_[l].count, alive(l));
}

bool MachinesInUse::drop_all(std::int64_t machine) {
  marks_[static_cast<std::size_t>(machine)] = 0;
  return std::exchange(plans_on_[static_cast<std::size_t>(machine)], 0) > 0;
}

void MachinesInUse::count_empty() {
  empty_ = 0;
  for (std::int64_t m = 0; m < count(); ++m) empty_ += is_empty(m) ? 1 : 0;
}

double MachinesInUse::use_of(std::int64_t machine) const {
  const auto m = static_cast<std::size_t>(machine);
  // No branch depends on the machine: of the dozens that an event looks at, some are full and some are not.
  const bool is_full = (plans_on_[m] | marks_[m]) != 0;
  const std::int64_t cores = cluster_.cores(machine);
  if (rules_.author) {
    return static_cast<double>(is_full ? cores : shown_[m]) / static_cast<double>(cores);
  }
  return 1 - static_cast<double>(is_full ? 0 : cluster_.free(machine)) / static_cast<double>(cores);
}

// Returns +1 if more machines should be used, -1 if fewer, else 0. A deferred job makes the machine that it will go to count as
// full: where that could change the answer, plans are made until it cannot.
int MachinesInUse::tendency(std::size_t level, std::int64_t least, std::int64_t now,
                            Deferral& deferral) const {
  const Level& of = levels_[level];
  const std::int64_t alive_there = alive(level);
  const auto answer = [&](double sum) {
    const double use = sum / static_cast<double>(of.count);
    if (use < rules_.shrink_below && of.count > least) return -1;
    return use > rules_.grow_above && of.count < alive_there ? 1 : 0;
  };
  const auto in_use = std::span(of.machines).first(static_cast<std::size_t>(of.count));
  while (deferral.leaves_machines_open()) {
    double low = 0, high = 0;
    for (const std::int64_t m : in_use) {
      const double use = use_of(m);
      low += use;
      high += use != 1 && deferral.may_fill(m) ? 1 : use;
    }
    if (answer(low) == answer(high)) return answer(low);
    deferral.plan_first(now);
  }
  double sum = 0;
  for (const std::int64_t m : in_use) sum += use_of(m);
  return answer(sum);
}

// The author's loop can go back and forth for ever with few machines; here it stops where it would turn.
bool MachinesInUse::update(std::size_t level, std::int64_t now, Deferral& deferral) {
  Level& of = levels_[level];
  const std::int64_t alive_there = alive(level);
  std::int64_t least = among(cluster_.instance().safe_machines, level);
  if (!rules_.author) {
    of.count = std::min(of.count, alive_there);
    if (of.count == 0) return true;
    least = std::min(least, alive_there);
  }
  least = std::max<std::int64_t>(1, least);
  const int first = tendency(level, least, now, deferral);
  for (int next = first; first != 0 && next == first;
       next = tendency(level, least, now, deferral)) {
    of.count += first;
    if (rules_.author && of.count == (first < 0 ? least : alive_there)) return false;
  }
  return first == 0;
}

bool MachinesInUse::update(std::int64_t now, Deferral& deferral) {
  bool stays = true;
  for (std::size_t level = 0; level < levels_.size(); ++level)
    stays &= update(level, now, deferral);
  return stays;
}

// After a re-allocation the author treats every running job as one that is about to start: its machine counts as full until
// it is released, machine by machine, with an evaluation after each. M_use jumps up, then shrinks to the first value with
// enough use.
void MachinesInUse::release_marks(std::int64_t now, Deferral& deferral) {
  for (std::size_t m = 0; m < marks_.size(); ++m) {
    marks_[m] = static_cast<std::int64_t>(cluster_.running(static_cast<std::int64_t>(m)).size());
  }
  bool is_settled = update(now, deferral);
  for (std::int64_t& left : marks_) {
    while (left > 0) {
      --left;
      // As long as the machine counts as full, an evaluation that changed nothing would change nothing again.
      if (left == 0 || !is_settled) is_settled = update(now, deferral);
    }
  }
}

}  // namespace holdfast::capacity
