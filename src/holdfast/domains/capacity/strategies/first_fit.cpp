#include "holdfast/domains/capacity/strategies/first_fit.hpp"

#include <algorithm>
#include <numeric>

namespace holdfast::capacity {

FirstFit::FirstFit(ClusterState& cluster, FirstFitRules rules)
    : cluster_{cluster},
      rules_{std::move(rules)},
      machine_at_(static_cast<std::size_t>(cluster.instance().machines)),
      position_of_(machine_at_.size()),
      taken_{machine_at_.size()},
      queue_{cluster.tasks().size()} {
  std::iota(machine_at_.begin(), machine_at_.end(), std::int64_t{0});
  if (rules_.permutation_is_try_order && !rules_.permutation.empty())
    machine_at_ = rules_.permutation;
  for (std::size_t p = 0; p < machine_at_.size(); ++p) {
    position_of_[static_cast<std::size_t>(machine_at_[p])] = p;
  }
}

std::int64_t FirstFit::ranked(std::int64_t rank) const {
  if (rules_.permutation_is_try_order || rules_.permutation.empty()) return rank;
  return rules_.permutation[static_cast<std::size_t>(rank)];
}

void FirstFit::open(std::int64_t) {
  for (const std::int64_t machine : machine_at_) refresh(machine);
}

void FirstFit::sort_by_position(std::vector<std::int64_t>& machines) const {
  std::ranges::sort(machines, {}, [this](std::int64_t machine) {
    return position_of_[static_cast<std::size_t>(machine)];
  });
}

void FirstFit::refresh(std::int64_t machine) {
  const std::int64_t taken = cluster_.instance().cores - cluster_.free(machine);
  taken_.set(static_cast<std::uint32_t>(position_of_[static_cast<std::size_t>(machine)]),
             cluster_.is_alive(machine) ? static_cast<std::uint32_t>(taken + 1) : kNoSlot);
}

std::int64_t FirstFit::largest_free() const {
  return taken_.empty() ? 0 : cluster_.instance().cores + 1 - std::int64_t{taken_.least()};
}

std::int64_t FirstFit::first_with(std::int64_t cores) const {
  const std::int64_t most_taken = cluster_.instance().cores - cores;
  return machine_at_[taken_.first_fit(static_cast<std::uint32_t>(most_taken + 1))];
}

void FirstFit::wait(std::size_t task) {
  queue_.insert(static_cast<std::uint32_t>(task),
                static_cast<std::uint32_t>(cluster_.task(task).cores));
  ++waiting_;
}

// The source scans all waiting tasks in order. Taking the first one that fits, again and again, makes the same choices.
std::optional<std::size_t> FirstFit::take(std::int64_t cores) {
  const std::uint32_t task =
      queue_.first_fit(static_cast<std::uint32_t>(std::max<std::int64_t>(0, cores)));
  if (task == kNoSlot) return std::nullopt;
  queue_.take(task);
  --waiting_;
  return task;
}

void FirstFit::start(std::size_t task, std::int64_t machine, std::int64_t now) {
  cluster_.start(task, machine, now);
  refresh(machine);
}

void FirstFit::fill(std::int64_t machine, std::int64_t now) {
  while (const auto task = take(cluster_.free(machine))) start(*task, machine, now);
}

void FirstFit::fill_all(std::int64_t now) {
  while (const auto task = take(largest_free())) {
    start(*task, first_with(cluster_.task(*task).cores), now);
  }
}

void FirstFit::on_end(const ClusterState::Ended& ended, std::int64_t now) {
  refresh(ended.machine);
  if (rules_.rescan_all) {
    fill_all(now);
  } else {
    freed_.push_back(ended.machine);
  }
}

void FirstFit::after_ends(std::span<const std::int64_t> dying, std::int64_t now) {
  sort_by_position(freed_);
  freed_.erase(std::unique(freed_.begin(), freed_.end()), freed_.end());
  for (const std::int64_t machine : freed_) {
    if (!std::binary_search(dying.begin(), dying.end(), machine)) fill(machine, now);
  }
  freed_.clear();
}

void FirstFit::on_added(std::span<const std::int64_t> machines, std::int64_t, std::int64_t now) {
  for (const std::int64_t machine : machines) refresh(machine);
  if (rules_.rescan_all) return fill_all(now);
  std::vector<std::int64_t> in_order(machines.begin(), machines.end());
  sort_by_position(in_order);
  for (const std::int64_t machine : in_order) fill(machine, now);
}

void FirstFit::on_removed(std::span<const std::int64_t> machines,
                          std::span<const std::size_t> killed, std::int64_t now) {
  for (const std::int64_t machine : machines) refresh(machine);
  for (const std::size_t task : killed) wait(task);
  fill_all(now);
}

// In a simulation whatever fits has started by now. In a live state, jobs and machines are not always as they were planned.
void FirstFit::before_arrivals(bool, std::int64_t now) {
  if (!rules_.rescan_all) fill_all(now);
}

void FirstFit::on_arrival(std::size_t task, std::int64_t now) {
  if (const auto machine = machine_for(task)) return start(task, *machine, now);
  if (!must_fit(task)) return wait(task);
  ++dropped_;
}

bool FirstFit::must_fit(std::size_t task) const {
  return rules_.drop_carried_in && cluster_.task(task).is_carried_in();
}

std::optional<std::int64_t> FirstFit::machine_for(std::size_t task) const {
  const std::int64_t cores = cluster_.task(task).cores;
  const bool is_strict = rules_.strict && !must_fit(task);
  if (is_strict ? cores >= largest_free() : cores > largest_free()) return std::nullopt;
  return first_with(cores);
}

Strategy::Answer FirstFit::answer(std::size_t task, std::int64_t now) {
  const auto machine = machine_for(task);
  if (!machine) return {};
  return {.target = {}, .machine = machine, .start = now};
}

}  // namespace holdfast::capacity
