#include "holdfast/domains/checkpoint/pool_fate.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/inputs/logged_platform.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace holdfast::checkpoint {
namespace {

StreamKey with(StreamKey key, Purpose purpose, std::uint64_t entity) {
  key.purpose = purpose;
  key.entity = entity;
  return key;
}

// An exponential variate of mean 1.
double exponential_of(double uniform) {
  return -elementary::log1p(-uniform);
}

// Brings items into a random order, which belongs to the draw.
template <class Item>
void shuffle(std::vector<Item>& items, const StreamKey& key) {
  Stream stream(with(key, Purpose::choices, 1));
  for (std::size_t i = items.size(); i-- > 1;) {
    std::swap(items[i],
              items[static_cast<std::size_t>(stream.integer(0, static_cast<std::int64_t>(i)))]);
  }
}

/// Lives and repairs that are drawn.
class DrawnFate final : public PoolFate {
 public:
  DrawnFate(const Instance& instance, std::shared_ptr<const TabulatedLaw> law, const StreamKey& key)
      : law_{std::move(law)},
        platform_{instance.platform},
        platform_age_{instance.platform_age},
        key_{key},
        choices_{with(key, Purpose::choices, 0)},
        counts_(
            static_cast<std::size_t>(instance.processors + instance.platform.spares.value_or(0))) {
    if (instance.ages.empty()) return;
    for (const auto& [age, count] :
         spread_ages(instance.ages, static_cast<std::int64_t>(counts_.size()))) {
      ages_.insert(ages_.end(), static_cast<std::size_t>(count), age);
    }
    if (ages_.front() == ages_.back()) return;
    shuffle(ages_, key);
  }

  PoolStart start(std::uint32_t node) override {
    if (!ages_.empty()) {
      return {.age = ages_[node], .life = law_->residual(ages_[node], next_life(node))};
    }
    double since = -platform_age_;
    for (;;) {
      const double life = law_->inverse_cumulative_hazard(next_life(node));
      if (since + life > 0 || platform_age_ == 0) return {.age = -since, .life = since + life};
      since += life;
    }
  }

  double repair(std::uint32_t node) override {
    return platform_.repair->length(
        uniform_at(with(key_, Purpose::repairs, node), counts_[node].repairs++));
  }

  PoolRepair repaired(std::uint32_t node, double /*date*/) override {
    const bool helps = platform_.repair_failure == 0 ||
                       uniform_at(with(key_, Purpose::outcomes, node), counts_[node].outcomes++) >=
                           platform_.repair_failure;
    if (!helps && !platform_.relapse) return {.helps = false, .is_over = false};
    const double y = next_life(node);
    return {.helps = helps,
            .life = helps ? law_->inverse_cumulative_hazard(y)
                          : platform_.relapse->inverse_cumulative_hazard(y)};
  }

  std::size_t choice(std::size_t count) override {
    return static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(count) - 1));
  }

 private:
  /// The numbers that a node has taken from its streams.
  struct Counts {
    std::uint32_t lives = 0;
    std::uint32_t repairs = 0;
    std::uint32_t outcomes = 0;
  };

  double next_life(std::uint32_t node) {
    return exponential_of(uniform_at(with(key_, Purpose::failures, node), counts_[node].lives++));
  }

  std::shared_ptr<const TabulatedLaw> law_;
  SparePlatform platform_;
  double platform_age_;
  StreamKey key_;
  Stream choices_;
  std::vector<Counts> counts_;  ///< [nodes]
  std::vector<double> ages_;    ///< [nodes] at the start; empty: by the platform's age
};

/// A node whose outages are known.
struct KnownNode {
  double age = 0;                          ///< at the start
  double down = 0;                         ///< above 0: it is in repair at the start, for that long
  std::uint32_t rank = 0;                  ///< among nodes that are repaired at one date
  std::vector<FailureEvent> outages = {};  ///< by date
  std::size_t next = 0;                    ///< the first one that is not over
};

/// Outages that a document or a log gives.
class GivenFate final : public PoolFate {
 public:
  GivenFate(std::vector<KnownNode> nodes, const StreamKey& key)
      : choices_{with(key, Purpose::choices, 0)}, nodes_{std::move(nodes)} {}

  PoolStart start(std::uint32_t node) override {
    const KnownNode& of = nodes_[node];
    if (of.down > 0) return {.down = of.down};
    return {.age = of.age, .life = life(node, 0)};
  }
  double repair(std::uint32_t node) override {
    KnownNode& of = nodes_[node];
    return of.down > 0 ? std::exchange(of.down, 0) : of.outages[of.next - 1].repair;
  }
  PoolRepair repaired(std::uint32_t node, double date) override {
    return {.life = life(node, date)};
  }
  std::uint32_t rank(std::uint32_t node) override { return nodes_[node].rank; }
  std::size_t choice(std::size_t count) override {
    return static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(count) - 1));
  }

 private:
  // Time until the next outage; those that would begin during another one are part of it.
  double life(std::uint32_t node, double date) {
    KnownNode& of = nodes_[node];
    while (of.next < of.outages.size() && of.outages[of.next].date < date) ++of.next;
    if (of.next == of.outages.size()) return NodePool::kNever;
    return of.outages[of.next++].date - date;
  }

  Stream choices_;
  std::vector<KnownNode> nodes_;
};

std::vector<KnownNode> given_nodes(const Instance& instance) {
  const std::int64_t all = instance.processors + instance.platform.spares.value_or(0);
  std::vector<KnownNode> nodes(static_cast<std::size_t>(all));
  std::size_t first = 0;
  for (const auto& [age, count] : initial_groups(instance)) {
    for (std::int64_t i = 0; i < count; ++i) nodes[first++].age = age;
  }
  for (; first < nodes.size(); ++first) nodes[first].age = instance.platform_age;
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].rank = static_cast<std::uint32_t>(i);
  for (const FailureEvent& event : *instance.events)
    nodes[static_cast<std::size_t>(event.processor)].outages.push_back(event);
  return nodes;
}

// The nodes of the log in a random order, as they are from a date on. Those beyond the spares are left out. Nodes of equal age at the
// start step in in that order, those that are repaired at the same date later in the order of their numbers in the log.
std::vector<KnownNode> recorded_nodes(const Instance& instance, const StreamKey& key) {
  const RecordedOutages& recorded = *instance.recorded;
  const double start = replay_start(instance, key);
  std::vector<std::size_t> place(static_cast<std::size_t>(recorded.nodes));
  for (std::size_t i = 0; i < place.size(); ++i) place[i] = i;
  shuffle(place, key);
  std::vector<KnownNode> nodes(place.size(), KnownNode{.age = start});
  for (std::size_t i = 0; i < place.size(); ++i)
    nodes[place[i]].rank = static_cast<std::uint32_t>(i);
  for (FailureEvent outage : recorded.outages) {
    KnownNode& node = nodes[place[static_cast<std::size_t>(outage.processor)]];
    outage.date -= start;
    const double end = outage.date + outage.repair;
    if (outage.date >= 0 && !(outage.date == 0 && start == 0)) {
      node.outages.push_back(outage);
    } else if (end > 0) {
      node.down = end;
    } else {
      node.age = -end;
    }
  }
  nodes.resize(static_cast<std::size_t>(instance.processors + *instance.platform.spares));
  return nodes;
}

StepsIn steps_in(Replacement rule) {
  switch (rule) {
    case Replacement::last_repaired:
      return StepsIn::last_repaired;
    case Replacement::random:
      return StepsIn::random;
    case Replacement::same:
      return StepsIn::same;
    default:
      return StepsIn::oldest;
  }
}

}  // namespace

double replay_start(const Instance& instance, const StreamKey& key) {
  if (instance.is_window) return 0;
  const double latest = std::max(0.0, instance.recorded->length - instance.work);
  return latest * uniform_at(with(key, Purpose::choices, 2), 0);
}

std::unique_ptr<NodePool> make_pool(const Instance& instance,
                                    std::shared_ptr<const TabulatedLaw> law, const StreamKey& key) {
  const SparePlatform& platform = instance.platform;
  const PoolRules rules{.nodes = instance.processors,
                        .spares = platform.spares.value_or(0),
                        .steps_in = steps_in(platform.chosen()),
                        .repairers = platform.repairers.value_or(SpareNodes::kUnlimited),
                        .idle_ageing = platform.idle_ageing,
                        .spare_delay = platform.spare_delay,
                        .chooses_first = instance.recorded.has_value(),
                        .least = platform.minimum_nodes.value_or(0)};
  std::unique_ptr<PoolFate> fate;
  if (instance.recorded) {
    fate = std::make_unique<GivenFate>(recorded_nodes(instance, key), key);
  } else if (instance.events) {
    fate = std::make_unique<GivenFate>(given_nodes(instance), key);
  } else {
    fate = std::make_unique<DrawnFate>(instance, std::move(law), key);
  }
  return std::make_unique<NodePool>(rules, std::move(fate));
}

}  // namespace holdfast::checkpoint
