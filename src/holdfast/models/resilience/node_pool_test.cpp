#include "holdfast/models/resilience/node_pool.hpp"

#include "holdfast/kernel/random.hpp"
#include "holdfast/models/failures/law.hpp"
#include "holdfast/models/resilience/spares.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

using namespace holdfast;

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct Outage {
  std::uint32_t node;
  double down;
  double length;
};

// Outages that are written down; nodes have the ages that are given, else 0.
class Written final : public PoolFate {
 public:
  explicit Written(std::vector<Outage> outages, std::vector<double> ages = {})
      : outages_{std::move(outages)}, ages_{std::move(ages)} {}

  PoolStart start(std::uint32_t node) override {
    return {.age = node < ages_.size() ? ages_[node] : 0, .life = next(node, 0)};
  }
  double repair(std::uint32_t node) override { return length_[node]; }
  PoolRepair repaired(std::uint32_t node, double date) override {
    return {.life = next(node, date) - date};
  }
  std::size_t choice(std::size_t count) override { return count - 1; }

 private:
  double next(std::uint32_t node, double date) {
    for (const Outage& outage : outages_) {
      if (outage.node != node || outage.down < date || outage.down <= last_[node]) continue;
      last_[node] = outage.down;
      length_[node] = outage.length;
      return outage.down;
    }
    return kNever;
  }

  std::vector<Outage> outages_;
  std::vector<double> ages_;
  std::map<std::uint32_t, double> last_;
  std::map<std::uint32_t, double> length_;
};

NodePool pool_of(const PoolRules& rules, std::vector<Outage> outages,
                 std::vector<double> ages = {}) {
  return {rules, std::make_unique<Written>(std::move(outages), std::move(ages))};
}

// The state after each change, "in use/idle".
std::string history(NodePool& pool) {
  std::string out;
  for (std::size_t i = 0; pool.reach(i) && i < 40; ++i) {
    const PoolChange& change = pool.change(i);
    out += std::to_string(static_cast<int>(change.date)) + ":" + std::to_string(change.in_use) +
           "/" + std::to_string(change.idle) + " ";
  }
  return out;
}

// Lives and repairs of the laws of a test, from one stream for each node.
class Drawn final : public PoolFate {
 public:
  Drawn(Law life, double repair, std::uint64_t seed, double failing = 0,
        std::optional<Law> relapse = {})
      : life_{std::move(life)},
        repair_{repair},
        seed_{seed},
        failing_{failing},
        relapse_{std::move(relapse)} {}

  PoolStart start(std::uint32_t node) override { return {.age = 0, .life = life_.draw(of(node))}; }
  double repair(std::uint32_t node) override { return exponential_law(repair_).draw(of(node)); }
  PoolRepair repaired(std::uint32_t node, double) override {
    const bool helps = failing_ == 0 || !of(node).chance(failing_);
    if (!helps && !relapse_) return {.helps = false, .is_over = false};
    return {.helps = helps, .life = (helps ? life_ : *relapse_).draw(of(node))};
  }
  std::size_t choice(std::size_t count) override {
    return static_cast<std::size_t>(of(1'000'000).integer(0, static_cast<std::int64_t>(count) - 1));
  }

 private:
  Stream& of(std::uint32_t node) {
    const auto place = streams_.try_emplace(node, StreamKey{.seed = seed_, .entity = node});
    return place.first->second;
  }

  Law life_;
  double repair_;
  std::uint64_t seed_;
  double failing_;
  std::optional<Law> relapse_;
  std::map<std::uint32_t, Stream> streams_;
};

struct Estimate {
  double mean = 0;
  double error = 0;
};

Estimate estimate(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  for (const double value : values) squares += (value - sum / n) * (value - sum / n);
  return {sum / n, std::sqrt(squares / (n - 1) / n)};
}

// Share of the time with all nodes, and idle nodes on average, over one long draw.
std::pair<double, double> shares(NodePool& pool, double length) {
  double full = 0;
  for (std::size_t i = 0; pool.reach(i) && pool.change(i).date < length; ++i) {
    const double end = pool.reach(i + 1) ? std::min(length, pool.change(i + 1).date) : length;
    if (pool.change(i).in_use == pool.rules().nodes) full += end - pool.change(i).date;
  }
  return {full / length, pool.account(length).idle_seconds / length};
}

}  // namespace

TEST_CASE("node pool: outages that are written down") {
  // One spare steps in at 70; the failed node is idle from 170 on.
  auto pool = pool_of({.nodes = 2, .spares = 1}, {{0, 70, 100}});
  CHECK(history(pool) == "0:2/1 70:2/0 170:2/1 ");
  CHECK(pool.account(141).idle_seconds == 70);
  CHECK(pool.account(200).idle_seconds == 100);
  CHECK(pool.account(70).failures == 0);
  CHECK(pool.account(70.5).failures == 1);
  auto none = pool_of({.nodes = 2, .spares = 0}, {{0, 70, 100}});
  CHECK(history(none) == "0:2/0 70:1/0 170:2/0 ");
  CHECK(none.account(300).shortages == 1);
  auto same = pool_of({.nodes = 2, .spares = 1, .steps_in = StepsIn::same}, {{0, 70, 100}});
  CHECK(history(same) == "0:2/1 70:1/1 170:2/1 ");
  // A repair that ends at the date of a failure comes before it; two failures of one date are one instant.
  auto before = pool_of({.nodes = 2, .spares = 1}, {{2, 20, 50}, {0, 70, 100}});
  CHECK(history(before) == "0:2/1 20:2/0 70:2/0 170:2/1 ");
  auto both = pool_of({.nodes = 2, .spares = 1}, {{0, 70, 30}, {1, 70, 50}});
  CHECK(history(both) == "0:2/1 70:1/0 100:2/0 120:2/1 ");
  CHECK(both.change(1).failed == 2);
  CHECK(both.strikes() == 1);
  // One repairer: the second repair begins at 50.
  auto one = pool_of({.nodes = 2, .spares = 1, .repairers = 1}, {{0, 10, 40}, {1, 20, 40}});
  CHECK(history(one) == "0:2/1 10:2/0 20:1/0 50:2/0 90:2/1 ");
  // A repair without length is a change of its own, at the same date.
  auto at_once = pool_of({.nodes = 1, .spares = 0}, {{0, 5, 0}});
  CHECK(history(at_once) == "0:1/0 5:0/0 5:1/0 ");
}

TEST_CASE("node pool: which node steps in") {
  struct Row {
    StepsIn rule;
    std::uint32_t first;  // of ages 5, 9, 9, 2
    std::uint32_t second;
  };
  for (const Row& row : {Row{StepsIn::oldest, 2, 3}, Row{StepsIn::last_repaired, 4, 1},
                         Row{StepsIn::random, 4, 3}}) {
    auto pool = pool_of({.nodes = 1, .spares = 4, .steps_in = row.rule},
                        {{0, 10, 1000}, {row.first, 20, 1000}}, {1, 5, 9, 9, 2});
    REQUIRE(pool.reach(2));
    CHECK(pool.moves(1)[1].node == row.first);
    CHECK(pool.moves(2)[1].node == row.second);
    const double ages[] = {1, 5, 9, 9, 2};
    CHECK(pool.moves(2)[1].born == -ages[row.second]);
  }
  // Cold spares do not age: the one of age 9 has it still at 10, and lives for 30 s more from then on.
  auto cold =
      pool_of({.nodes = 1, .spares = 1, .idle_ageing = 0}, {{0, 10, 1000}, {1, 30, 7}}, {0, 9});
  REQUIRE(cold.reach(2));
  CHECK(cold.moves(1)[1].born == 1);
  CHECK(cold.change(2).date == 40);
  auto lukewarm =
      pool_of({.nodes = 1, .spares = 1, .idle_ageing = 0.5}, {{0, 10, 1000}, {1, 30, 7}}, {0, 9});
  REQUIRE(lukewarm.reach(2));
  CHECK(lukewarm.change(2).date == 35);
}

TEST_CASE("node pool: when a job can go on") {
  const auto ready = [](const PoolRules& rules, std::vector<Outage> outages, double from) {
    auto pool = pool_of(rules, std::move(outages));
    REQUIRE(pool.reach(1));
    const PoolReady out = ready_after(pool, 2, from);
    return std::tuple(out.date, out.waited, out.next);
  };
  using Ready = std::tuple<double, double, std::size_t>;
  CHECK(ready({.nodes = 2, .spares = 1}, {{0, 70, 100}}, 71) == Ready{71, 0, 2});
  CHECK(ready({.nodes = 2, .spares = 0}, {{0, 70, 100}}, 71) == Ready{170, 99, 3});
  CHECK(ready({.nodes = 2, .spares = 1, .spare_delay = 30}, {{0, 70, 100}}, 71) ==
        Ready{100, 0, 2});
  // The spare fails before it is ready: another one is chosen, and is ready 30 s later.
  CHECK(ready({.nodes = 2, .spares = 2, .spare_delay = 30}, {{0, 70, 100}, {2, 80, 100}}, 71) ==
        Ready{110, 0, 3});
  // A failure at the very end of the downtime strikes the recovery; one during it does not.
  CHECK(ready({.nodes = 2, .spares = 2}, {{0, 70, 100}, {1, 80, 9}}, 80) == Ready{80, 0, 2});
  CHECK(ready({.nodes = 2, .spares = 2}, {{0, 70, 100}, {1, 79, 9}}, 80) == Ready{80, 0, 3});
  // At one instant: a repair ends, a node fails, and the repaired one steps in for it.
  CHECK(ready({.nodes = 2, .spares = 0}, {{0, 70, 100}, {1, 170, 5}}, 71) == Ready{175, 104, 4});
  // Nobody comes back.
  CHECK(ready({.nodes = 2, .spares = 0}, {{0, 70, kNever}}, 71) == Ready{kNever, kNever, 2});
}

TEST_CASE("node pool: the long run is that of the closed form") {
  struct Row {
    double idle_ageing;
    std::int64_t repairers;
    double failing;
    bool returns;
  };
  for (const Row& row : {Row{1, 1000, 0, false}, Row{0, 1000, 0, false}, Row{0.5, 2, 0, false},
                         Row{1, 1, 0, false}, Row{1, 2, 0.3, false}, Row{1, 1000, 0.4, true}}) {
    SpareNodes means{.nodes = 5,
                     .spares = 2,
                     .life = 100,
                     .repair = 10,
                     .repairers = row.repairers,
                     .idle_ageing = row.idle_ageing};
    if (row.returns) means.life = (1 - row.failing) * 100 + row.failing * 20;
    if (!row.returns) means.repair /= 1 - row.failing;
    const SpareShares expected = shares_of(means);
    std::vector<double> full, idle, shortages;
    constexpr double kLength = 20'000;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      NodePool pool(
          {.nodes = 5, .spares = 2, .repairers = row.repairers, .idle_ageing = row.idle_ageing},
          std::make_unique<Drawn>(exponential_law(100), 10, seed, row.failing,
                                  row.returns ? std::optional(exponential_law(20)) : std::nullopt));
      const auto [share, mean] = shares(pool, kLength);
      full.push_back(share);
      idle.push_back(mean);
      shortages.push_back(static_cast<double>(pool.account(kLength).shortages) / kLength);
    }
    CAPTURE(row.idle_ageing);
    CAPTURE(row.repairers);
    CAPTURE(row.failing);
    for (const auto& [found, exact] :
         {std::pair{estimate(full), expected.full}, std::pair{estimate(idle), expected.idle},
          std::pair{estimate(shortages), expected.shortage_rate}}) {
      CAPTURE(found.mean);
      CAPTURE(exact);
      CHECK(std::fabs(found.mean - exact) < 3.5 * found.error);
    }
  }
}

TEST_CASE("node pool: more spares are never worse for independent nodes, draw by draw") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    double before = 0;
    for (std::int64_t spares = 0; spares < 4; ++spares) {
      NodePool pool({.nodes = 5, .spares = spares},
                    std::make_unique<Drawn>(weibull_law_of_mean(0.6, 100), 20, seed));
      const double full = shares(pool, 3000).first;
      CHECK(full >= before);
      before = full;
    }
  }
}
