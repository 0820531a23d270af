#include "holdfast/models/resilience/shared_machine.hpp"

#include "holdfast/math/roots.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace holdfast {
namespace {

// A search for a bandwidth stays between these two; beyond them the result is 0 or infinite.
constexpr double kLeastBandwidth = 1e-300;
constexpr double kMostBandwidth = 1e300;

// The segment of an endless job without checkpoints.
constexpr double kNever = std::numeric_limits<double>::infinity();

SharedMachine with_bandwidth(const SharedMachine& machine, double bandwidth) {
  SharedMachine out = machine;
  out.bandwidth = bandwidth;
  return out;
}

// Returns where a rising function of the bandwidth passes 0, searched on a logarithmic axis from `start`: 0 if it is positive
// everywhere, infinity if it is negative everywhere.
template <class Rising>
double passes_zero(const Rising& rising, double start) {
  double low = std::isfinite(start) ? start : 1;
  double high = low;
  while (rising(high) < 0) {
    low = high;
    high *= 4;
    if (high > kMostBandwidth) return std::numeric_limits<double>::infinity();
  }
  while (rising(low) > 0) {
    high = low;
    low /= 4;
    if (low < kLeastBandwidth) return 0;
  }
  return find_root(rising, low, high).x;
}

}  // namespace

double SharedMachine::job_bandwidth(const MachineClass& one) const {
  return std::min(one.nodes * node_bandwidth, bandwidth);
}

std::vector<SharedClass> shared_classes(const SharedMachine& machine) {
  std::vector<SharedClass> out;
  out.reserve(machine.classes.size());
  for (const MachineClass& one : machine.classes) {
    const double own = machine.job_bandwidth(one);
    SharedClass& shared = out.emplace_back(
        SharedClass{.jobs = one.jobs,
                    .nodes = one.nodes / machine.nodes,
                    .bandwidth = own < machine.bandwidth ? own / machine.bandwidth : 1,
                    .rate = one.nodes / machine.mtbf,
                    .costs = {.checkpoint = one.checkpoint / own,
                              .recovery = one.recovery / own,
                              .downtime = machine.downtime}});
    if (!(one.checkpoint > 0)) shared.segment = one.work.value_or(kNever);
  }
  return out;
}

double regular_load(const SharedMachine& machine) {
  double bytes = machine.regular;
  for (const MachineClass& one : machine.classes) bytes += one.jobs * one.regular;
  return bytes / machine.bandwidth;
}

std::optional<double> useful_share_bound(const SharedMachine& machine) {
  const auto plan = plan_shared(shared_classes(machine), regular_load(machine));
  if (!plan) return std::nullopt;
  return plan->useful_share;
}

double least_bandwidth(const SharedMachine& machine, double limit) {
  const auto spare = [&](double bandwidth) {
    const SharedMachine there = with_bandwidth(machine, bandwidth);
    return limit - least_shared_load(shared_classes(there), regular_load(there));
  };
  return passes_zero(spare, machine.bandwidth);
}

std::optional<double> bandwidth_for_share(const SharedMachine& machine, double share) {
  assert(share > 0);
  const double most =
      *useful_share_bound(with_bandwidth(machine, std::numeric_limits<double>::infinity()));
  if (!(share < most)) return std::nullopt;
  const auto excess = [&](double bandwidth) {
    return useful_share_bound(with_bandwidth(machine, bandwidth)).value_or(0) - share;
  };
  return passes_zero(excess, machine.bandwidth);
}

double value_of_bandwidth(const SharedMachine& machine) {
  constexpr double kStep = 1e-4;
  const auto bound_at = [&](double factor) {
    return useful_share_bound(with_bandwidth(machine, machine.bandwidth * factor));
  };
  const double above = *bound_at(1 + kStep);
  if (const auto below = bound_at(1 - kStep)) {
    return (above - *below) / (2 * kStep * machine.bandwidth);
  }
  return (above - *bound_at(1)) /
         (kStep * machine.bandwidth);  // no plan exists below this bandwidth
}

}  // namespace holdfast
