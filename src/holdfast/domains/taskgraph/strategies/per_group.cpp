#include "holdfast/domains/taskgraph/strategies/per_group.hpp"

#include "holdfast/domains/taskgraph/allocation.hpp"
#include "holdfast/domains/taskgraph/simulate.hpp"
#include "holdfast/domains/taskgraph/strategies/capped_lpa.hpp"
#include "holdfast/domains/taskgraph/strategies/makers.hpp"
#include "holdfast/kernel/random.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace holdfast::taskgraph {
namespace {

constexpr std::uint64_t kMostSimulated = 20'000'000;
constexpr std::size_t kSmall = 2000;  // tasks

// Returns the same instance with its tasks in another order: the task at k is the one that was at order[k].
Instance reordered(const Instance& instance, std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  Instance out;
  out.processors = instance.processors;
  std::vector<Edge> edges;
  for (const std::uint32_t task : order) {
    out.tasks.push_back(instance.tasks[task]);
    if (!instance.releases.empty()) out.releases.push_back(instance.releases[task]);
    for (const TaskIndex parent : instance.graph.parents(task))
      edges.push_back({place[parent], place[task]});
  }
  out.graph = Dag::from_edges(order.size(), edges).value();  // that of a graph that was checked
  return out;
}

// Returns the numbers of processors that are tried: 1, 2, 3, 4, 6, 8, 12, ... and the whole machine.
std::vector<std::int64_t> ladder(std::int64_t processors) {
  std::vector<std::int64_t> out;
  for (std::int64_t p = 1; p < processors; p *= 2) {
    out.push_back(p);
    if (p > 1 && p + p / 2 < processors) out.push_back(p + p / 2);
  }
  out.push_back(processors);
  return out;
}

std::vector<std::int64_t> medians(const Instance& instance, const Groups& groups,
                                  const Strategy& rule) {
  std::vector<std::vector<std::int64_t>> all(groups.names.size());
  for (std::size_t task = 0; task < instance.size(); ++task)
    all[groups.of[task]].push_back(rule.allocate({.task = task, .speedup = instance.tasks[task]}));
  std::vector<std::int64_t> out;
  for (auto& one : all) {
    const auto middle = one.begin() + std::ssize(one) / 2;
    std::ranges::nth_element(one, middle);
    out.push_back(*middle);
  }
  return out;
}

}  // namespace

Groups groups_of(const Instance& instance) {
  Groups out;
  std::unordered_map<std::string_view, std::uint32_t> known;
  for (const std::string& name : instance.groups) {
    const auto [place, is_new] =
        known.try_emplace(name, static_cast<std::uint32_t>(out.names.size()));
    if (is_new) out.names.push_back(name);
    out.of.push_back(place->second);
  }
  return out;
}

std::int64_t GroupRule::allocate(const Arrival& arrival) const {
  return std::min(allocations_[group_of_[arrival.task]], arrival.speedup.limit(processors_));
}

OrderlessScore::OrderlessScore(const Instance& instance, const Groups& groups) {
  const std::size_t count = instance.size() <= kSmall ? 10 : 3;
  Stream stream({.seed = 1, .purpose = Purpose::tool, .instance = 0, .scenario = 0});
  std::vector<std::uint32_t> order(instance.size());
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(
          order[i - 1],
          order[static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(i) - 1))]);
    }
    Order& one = orders_.emplace_back(Order{reordered(instance, order), {}});
    for (const std::uint32_t task : order) one.group_of.push_back(groups.of[task]);
  }
}

double OrderlessScore::operator()(std::span<const std::int64_t> allocations) {
  double sum = 0;
  for (const Order& one : orders_) {
    const GroupRule rule(one.instance, one.group_of, {allocations.begin(), allocations.end()},
                         QueueOrder::fifo);
    sum += simulate(one.instance, rule).makespan;
    simulated_ += one.instance.size();
  }
  return sum / static_cast<double>(orders_.size());
}

std::vector<std::int64_t> search_groups(const Instance& instance, const Groups& groups) {
  OrderlessScore score(instance, groups);
  const std::vector<std::int64_t> numbers = ladder(instance.processors);
  std::vector<std::int64_t> best(groups.names.size(), 1);
  double least = score(best);
  const auto take = [&](std::vector<std::int64_t> candidate) {
    const double value = score(candidate);
    if (!(value < least * (1 - 1e-9))) return false;
    least = value;
    best = std::move(candidate);
    return true;
  };
  if (const auto capped = CappedLpa::make(instance, {})) take(medians(instance, groups, *capped));
  for (const std::int64_t p : numbers) take(std::vector(groups.names.size(), p));
  bool improves = true;
  while (improves && score.simulated() < kMostSimulated) {
    improves = false;
    for (std::size_t group = 0; group < best.size(); ++group) {
      for (const std::int64_t p : numbers) {
        if (p == best[group]) continue;
        std::vector<std::int64_t> candidate = best;
        candidate[group] = p;
        improves = take(std::move(candidate)) || improves;
      }
    }
  }
  // Fewer processors where they do as well.
  for (std::size_t group = 0; group < best.size(); ++group) {
    for (const std::int64_t p : numbers) {
      if (p >= best[group]) break;
      std::vector<std::int64_t> candidate = best;
      candidate[group] = p;
      if (!(score(candidate) <= least * (1 + 1e-9))) continue;
      best = std::move(candidate);
      break;
    }
  }
  return best;
}

Made make_per_group(const StrategySpec& spec, const Instance& instance) {
  if (instance.groups.empty()) {
    return fail(ErrorCode::bad_value, "/tasks/0/group",
                "found nothing, expected the group whose tasks strategy per-group launches alike");
  }
  Groups groups = groups_of(instance);
  std::vector<std::int64_t> found = search_groups(instance, groups);
  return std::make_unique<GroupRule>(instance, std::move(groups.of), std::move(found),
                                     order_of(spec));
}

}  // namespace holdfast::taskgraph
