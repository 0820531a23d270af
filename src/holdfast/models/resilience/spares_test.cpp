#include "holdfast/models/resilience/spares.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace holdfast;

namespace {

constexpr double kDay = 86400;

bool is_near(double value, double reference, double relative) {
  return std::fabs(value - reference) <= relative * std::fabs(reference);
}

SpareNodes small(double idle_ageing, std::int64_t repairers, std::int64_t spares = 1) {
  return {.nodes = 3,
          .spares = spares,
          .life = 100,
          .repair = 10,
          .repairers = repairers,
          .idle_ageing = idle_ageing};
}

// The probabilities of k nodes down, from the balance of all states: a linear recursion in long double, without logarithms,
// modes or cuts.
std::vector<long double> brute_force(const SpareNodes& platform) {
  const std::int64_t all = platform.nodes + platform.spares;
  std::vector<long double> out{1};
  long double total = 1;
  for (std::int64_t k = 0; k < all; ++k) {
    const std::int64_t up = all - k;
    const std::int64_t used = up < platform.nodes ? up : platform.nodes;
    const long double fails =
        (static_cast<long double>(used) +
         static_cast<long double>(platform.idle_ageing) * static_cast<long double>(up - used)) /
        static_cast<long double>(platform.life);
    const std::int64_t busy = k + 1 < platform.repairers ? k + 1 : platform.repairers;
    const long double repaired =
        static_cast<long double>(busy) / static_cast<long double>(platform.repair);
    out.push_back(out.back() * fails / repaired);
    total += out.back();
  }
  for (long double& share : out) share /= total;
  return out;
}

std::int64_t spares_for(SpareNodes platform, double target) {
  for (platform.spares = 0; shares_of(platform).full < target;) ++platform.spares;
  return platform.spares;
}

}  // namespace

TEST_CASE("spares: three nodes and a spare, by a reference program") {
  const ResilienceCosts costs{.checkpoint = 0.5, .recovery = 1, .downtime = 0};
  const double period = optimal_period(costs.checkpoint, 100.0 / 3);
  CHECK(is_near(period, 5.44509287, 1e-8));
  const SpareNodes hot = small(1, SpareNodes::kUnlimited);
  const double shares[] = {.683013455, .273205382, .040980807, .002732054, .000068301};
  double sum = 0;
  for (std::int64_t k = 0; k < 5; ++k) {
    sum += shares[k];
    CHECK(std::fabs(share_with_at_most(hot, k) - sum) < 2e-9);
  }
  const SpareShares steady = shares_of(hot);
  CHECK(is_near(steady.full, .956218838, 1e-9));
  CHECK(is_near(steady.idle, .683013455, 1e-9));
  CHECK(is_near(steady.shortage_rate, .00819616146, 1e-9));
  CHECK(is_near(steady.shortage_length, 5.34166667, 1e-9));
  CHECK(is_near(spare_efficiency(hot, period, costs, true), .811920552, 2e-9));
  CHECK(is_near(spare_efficiency(hot, period, costs), .776373726, 2e-9));
  const ResilienceCosts down{.checkpoint = 0.5, .recovery = 1, .downtime = 3};
  CHECK(is_near(spare_efficiency(hot, period, down, true), .744881240, 2e-9));
  CHECK(is_near(spare_efficiency(hot, period, down), .725362532, 2e-9));
}

TEST_CASE("spares: one repairer, cold spares and none, by the same program") {
  struct Row {
    SpareNodes platform;
    double full;
    double length;
    double efficiency;
  };
  const ResilienceCosts costs{.checkpoint = 0.5, .recovery = 1, .downtime = 0};
  const double period = optimal_period(costs.checkpoint, 100.0 / 3);
  for (const Row& row :
       {Row{small(1, 1), .905328505, 12.2, .735054819},
        Row{small(0, SpareNodes::kUnlimited), .964338038, 5.34166667, .782965872},
        Row{small(1, SpareNodes::kUnlimited, 0), .751314801, 11.0333333, .610007928}}) {
    const SpareShares steady = shares_of(row.platform);
    CHECK(is_near(steady.full, row.full, 1e-9));
    CHECK(is_near(steady.shortage_length, row.length, 1e-8));
    CHECK(is_near(spare_efficiency(row.platform, period, costs), row.efficiency, 2e-9));
  }
}

TEST_CASE("spares: 360 nodes of a public log") {
  SpareNodes of_log{
      .nodes = 360, .spares = 10, .life = 247 * kDay, .repair = 1 / 1.9419587372607505e-06};
  const ResilienceCosts costs{.checkpoint = 60, .recovery = 900, .downtime = 0};
  const double period = optimal_period(60, of_log.life / 360);
  CHECK(is_near(period, 2627.28417, 1e-8));
  CHECK(is_near(spare_efficiency(of_log, period, costs, true), .941280365, 2e-9));
  CHECK(is_near(shares_of(of_log).full, .740666089, 2e-9));
  CHECK(is_near(spare_efficiency(of_log, period, costs), .697174447, 2e-9));
  CHECK(is_near(shares_of(of_log).shortage_length, 132926.179, 1e-8));
  of_log.repairers = 12;
  CHECK(is_near(shares_of(of_log).full, .696588555, 2e-9));

  struct Row {
    double repair;
    std::int64_t repairers;
    std::int64_t spares[3];
  };
  for (const Row& row :
       {Row{6.096, SpareNodes::kUnlimited, {13, 17, 20}},
        Row{3.048, SpareNodes::kUnlimited, {7, 10, 12}}, Row{6.096, 12, {15, 25, 35}}}) {
    const SpareNodes platform{.nodes = 360,
                              .spares = 0,
                              .life = 241 * kDay,
                              .repair = row.repair * kDay,
                              .repairers = row.repairers};
    CHECK(spares_for(platform, .9) == row.spares[0]);
    CHECK(spares_for(platform, .99) == row.spares[1]);
    CHECK(spares_for(platform, .999) == row.spares[2]);
  }
  const SpareNodes few{
      .nodes = 360, .spares = 0, .life = 241 * kDay, .repair = 6.096 * kDay, .repairers = 10};
  CHECK(is_near(most_full_share(few), .965802222, 1e-9));
}

TEST_CASE(
    "spares: the chain is that of all states in long double, and binomial for independent nodes") {
  for (const double idle_ageing : {0.0, 0.3, 1.0}) {
    for (const std::int64_t repairers :
         {std::int64_t{1}, std::int64_t{2}, std::int64_t{7}, SpareNodes::kUnlimited}) {
      for (const double repair : {1.0, 40.0, 3000.0}) {
        const SpareNodes platform{.nodes = 5,
                                  .spares = 4,
                                  .life = 100,
                                  .repair = repair,
                                  .repairers = repairers,
                                  .idle_ageing = idle_ageing};
        const auto expected = brute_force(platform);
        long double sum = 0, idle = 0;
        for (std::size_t k = 0; k < expected.size(); ++k) {
          sum += expected[k];
          const auto down = static_cast<std::int64_t>(k);
          if (down <= 4) idle += static_cast<long double>(4 - down) * expected[k];
          CHECK(is_near(share_with_at_most(platform, down), static_cast<double>(sum), 1e-13));
        }
        const SpareShares steady = shares_of(platform);
        CHECK(is_near(steady.idle, static_cast<double>(idle), 1e-13));
        CHECK(is_near(steady.shortage_rate, static_cast<double>(expected[4]) * 5 / 100, 1e-13));
      }
    }
  }
  // Ten nodes, each down with probability 1/11.
  const SpareNodes independent{.nodes = 8, .spares = 2, .life = 100, .repair = 10};
  const double up = 10.0 / 11, down = 1.0 / 11;
  const double none = elementary::pow(up, 10);
  const double one = 10 * elementary::pow(up, 9) * down;
  const double two = 45 * elementary::pow(up, 8) * down * down;
  CHECK(is_near(shares_of(independent).full, none + one + two, 1e-12));
  // M / (life + repair) times the probability that S of the others are down.
  const double others = 36 * elementary::pow(up, 7) * down * down;
  CHECK(is_near(shares_of(independent).shortage_rate, 10.0 / 110 * others, 1e-12));
}

TEST_CASE("spares: more of them tend to the ceiling") {
  for (const double idle_ageing : {0.0, 0.2, 1.0}) {
    for (const std::int64_t repairers : {std::int64_t{2}, std::int64_t{3}, std::int64_t{5}}) {
      SpareNodes platform{.nodes = 30,
                          .spares = 3000,
                          .life = 100,
                          .repair = 10,
                          .repairers = repairers,
                          .idle_ageing = idle_ageing};
      if (idle_ageing == 0 && repairers == 3) continue;  // the load is 1: no limit in 3000 spares
      CAPTURE(idle_ageing);
      CAPTURE(repairers);
      CHECK(is_near(shares_of(platform).full, most_full_share(platform), 1e-9));
    }
  }
  CHECK(most_full_share(small(0.5, SpareNodes::kUnlimited)) == 1);
}

TEST_CASE("spares: scaling all times changes no share, and a million nodes are no work") {
  SpareNodes large{.nodes = 1'000'000, .spares = 25'000, .life = 240 * kDay, .repair = 6 * kDay};
  const double full = shares_of(large).full;
  CHECK((full > 0 && full < 1));
  large.life *= 1024;
  large.repair *= 1024;
  CHECK(shares_of(large).full == full);
  // The mean number of nodes down is M u.
  large.spares = 60'000;
  CHECK(is_near(shares_of(large).idle, 60'000 - 1'060'000 * 6.0 / 246, 1e-9));
}
