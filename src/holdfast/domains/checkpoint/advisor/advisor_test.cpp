#include "holdfast/domains/checkpoint/advisor/advisor.hpp"

#include "holdfast/algorithms/checkpoints/outlook.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/samplers.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

constexpr double kHour = 3600;
constexpr double kDay = 24 * kHour;

std::shared_ptr<const TabulatedLaw> tabulated_law(Law law) {
  return std::make_shared<const TabulatedLaw>(std::move(law));
}

// Nodes of one age, of which one fails every `mtbf` seconds.
NodeAges memoryless(double mtbf, std::int64_t nodes = 1) {
  const double mean = mtbf * static_cast<double>(nodes);
  return {tabulated_law(exponential_law(mean)), same_age(nodes, 0), 0};
}

NodeAges many_ages(double now) {
  std::vector<AgeGroup> groups;
  groups.reserve(50);
  for (int i = 0; i < 50; ++i) groups.push_back({kHour * (1 + i * i), 20});
  return {tabulated_law(weibull_law_of_mean(0.6, 3650 * kDay)), make_ages(groups), now};
}

bool agree(double found, double expected, double relative) {
  return std::fabs(found - expected) <= relative * std::fabs(expected);
}

}  // namespace

TEST_CASE("advisor: a job without end is given the best period of its rate") {
  Advisor advisor({.checkpoint = 60}, memoryless(20 * kHour));
  REQUIRE(advisor.ready(100));
  const double best = optimal_period(60, 20 * kHour);
  CHECK(agree(advisor.due() - 100, best, 2e-3));
  CHECK(advisor.level(advisor.due() - 1) == 0);
  CHECK(advisor.level(advisor.due()) == 1);
  // Of equal segments C + w apart, the part that is saved until the next failure.
  const double rate = 1 / (20 * kHour);
  const double survived = std::exp(-rate * (best + 60));
  const double share = best * rate * survived / (1 - survived);
  CHECK(agree(advisor.advice(100).share_before_failure, share, 1e-5));
  CHECK(agree(advisor.advice(100).rate, rate, 1e-9));
  CHECK(agree(advisor.advice(100).young_daly, std::sqrt(2 * 60 * 20 * kHour), 1e-9));
}

TEST_CASE("advisor: the first segment of the plan from the ages of now") {
  const double now = 12345;
  Advisor advisor({.work = 100 * kHour, .checkpoint = 300, .trust = AdvisorSettings::kNever},
                  many_ages(0));
  REQUIRE(advisor.ready(now));
  const NodeAges nodes = many_ages(0);
  checkpoints::AgesOutlook outlook(nodes.law(), nodes.at(now));
  const double usual = young_daly_period(300, 1 / nodes.mean_rate());
  checkpoints::ContinuousPlanner planner(300, {}, checkpoints::Goal::share, usual);
  const double first = planner.plan(outlook, 100 * kHour).front();
  CHECK(agree(advisor.due() - now, first, 1e-5));
}

TEST_CASE("advisor: the rate corrects itself") {
  // Every 1000 s by the law; the job is exposed for 300 + 900 + 50 s, and not while it is down.
  Advisor advisor({.checkpoint = 10, .trust = 3}, memoryless(1000, 4));
  CHECK(advisor.theta() == 1);
  REQUIRE(advisor.start(0, false));
  REQUIRE(advisor.ready(300));
  REQUIRE(advisor.failure(1200, {}));
  REQUIRE(advisor.start(1700, true));
  REQUIRE(advisor.failure(1750, {}));
  CHECK(agree(advisor.theta(), (3 + 2) / (3 + 1.25), 1e-9));
  CHECK(agree(advisor.learned(5000).expected, 1.25, 1e-9));
  // An end that says nothing about the nodes counts no failure, but the time counts.
  REQUIRE(advisor.ready(5000));
  REQUIRE(advisor.failure(5010, {.counts = false}));
  CHECK(agree(advisor.theta(), 5 / 4.26, 1e-9));
  CHECK(advisor.advice(5010).failures == 3);
  // What one run has learned is the next one's.
  Advisor next({.checkpoint = 10, .trust = 3}, memoryless(1000, 4));
  next.remember(advisor.learned(5010));
  CHECK(agree(next.theta(), 5 / 4.26, 1e-9));
  // And nothing is learned where the law is trusted.
  Advisor sure({.checkpoint = 10, .trust = AdvisorSettings::kNever}, memoryless(1000, 4));
  sure.ready(0);
  sure.failure(1, {});
  CHECK(sure.theta() == 1);
}

TEST_CASE("advisor: theta stays within a factor of 50, and scales the plan") {
  Advisor unlucky({.checkpoint = 10, .trust = 0.01}, memoryless(1e6));
  for (int i = 0; i < 100; ++i) {
    unlucky.ready(100.0 * i);
    unlucky.failure(100.0 * i + 90, {});
  }
  CHECK(unlucky.theta() == 50);
  unlucky.ready(1e5);
  CHECK(agree(unlucky.due() - 1e5, optimal_period(10, 1e6 / 50), 3e-3));
  Advisor lucky({.checkpoint = 10}, memoryless(1000));
  lucky.ready(0);
  lucky.checkpoint_begin(1e6);
  CHECK(lucky.theta() == 1.0 / 50);
}

TEST_CASE("advisor: an unknown cost is measured after the first minute") {
  Advisor advisor({}, memoryless(20 * kHour));
  advisor.ready(0);
  CHECK(advisor.due() == 60);
  CHECK(std::isnan(advisor.advice(0).checkpoint));
  advisor.checkpoint_begin(60);
  CHECK(advisor.due() == Advisor::kNever);
  advisor.checkpoint_end(85, true);
  CHECK(advisor.advice(85).checkpoint == 25);
  CHECK(agree(advisor.due() - 85, optimal_period(25, 20 * kHour), 2e-3));
}

TEST_CASE("advisor: bounds on the interval, and the nearest boundary") {
  const auto due_with = [](AdvisorSettings settings, double spacing) {
    settings.checkpoint = 60;
    Advisor advisor(settings, memoryless(20 * kHour));
    advisor.questions_every(spacing);
    advisor.ready(0);
    return advisor.due();
  };
  const double best = due_with({}, 0);
  CHECK(due_with({.min_interval = 2 * kHour}, 0) == 2 * kHour);
  CHECK(due_with({.max_interval = kHour / 4}, 0) == kHour / 4);
  CHECK(agree(due_with({.max_overhead = 0.01}, 0), 60 * 99, 1e-12));
  CHECK(due_with({.flush = 2 * kHour}, 0) == 2 * kHour);
  CHECK(agree(due_with({}, 100), best - 50, 1e-12));
}

TEST_CASE("advisor: a checkpoint that fails is asked for again, later each time") {
  Advisor advisor({.checkpoint = 60, .min_interval = 2000, .max_interval = 2000},
                  memoryless(20 * kHour));
  advisor.ready(0);
  double now = 2000;
  for (const double wait : {500.0, 1000.0, 2000.0, 2000.0}) {
    advisor.checkpoint_begin(now);
    advisor.checkpoint_end(now + 60, false);
    CHECK(agree(advisor.due() - (now + 60), wait, 1e-12));
    now += 60 + wait;
  }
  CHECK(advisor.unsaved(now) == 2000 + 500 + 1000 + 2000 + 2000);
  advisor.checkpoint_begin(now);
  advisor.checkpoint_end(now + 60, true);
  CHECK(advisor.unsaved(now + 60) == 0);
  CHECK(agree(advisor.due(), now + 60 + 2000, 1e-12));
  CHECK(advisor.advice(now + 60).checkpoint == 60);
}

TEST_CASE("advisor: asynchronous checkpoints are planned as if all nodes were older") {
  const double flush = kHour / 4;
  const AdvisorSettings sync{.work = 200 * kHour, .checkpoint = 30};
  AdvisorSettings async = sync;
  async.flush = flush;
  Advisor later(async, many_ages(0));
  later.ready(0);
  Advisor older(sync, many_ages(-flush));
  older.ready(0);
  CHECK(later.due() == older.due());
  REQUIRE(later.due() > flush);
  // What is not safe yet is lost with the rest, and nothing is written before it is.
  const double work = later.due();
  const double saved_at = work + 30;
  later.checkpoint_begin(work);
  later.checkpoint_end(saved_at, true);
  CHECK(agree(later.unsaved(saved_at + flush), work + flush, 1e-12));
  CHECK(later.level(saved_at + 9 * flush) == 0);
  CHECK(later.checkpoint_durable(saved_at + flush));
  CHECK(agree(later.unsaved(saved_at + flush), flush, 1e-12));
  CHECK_FALSE(later.checkpoint_durable(saved_at + flush));
}

TEST_CASE("advisor: each begin says whether its checkpoint is asynchronous") {
  Advisor advisor({.checkpoint = 10, .min_interval = 100, .max_interval = 100},
                  memoryless(20 * kHour));
  advisor.ready(0);
  CHECK(advisor.checkpoint_begin(100, Level::global, true));
  CHECK(advisor.checkpoint_end(110, true));
  CHECK(advisor.unsaved(140) == 100 + 30);  // from the first one on, before any is durable
  CHECK(advisor.checkpoint_durable(150));
  CHECK(advisor.unsaved(150) == 40);
  CHECK(advisor.learned(150).flush.value() == 40);
  // One that never becomes durable saves nothing; the next synchronous one saves its work too.
  advisor.checkpoint_begin(210, Level::global, true);
  advisor.checkpoint_end(220, true);
  CHECK(advisor.unsaved(320) == 100 + 100);
  advisor.checkpoint_begin(320);
  advisor.checkpoint_end(330, true);
  CHECK(advisor.unsaved(330) == 0);
  CHECK_FALSE(advisor.checkpoint_durable(331));
  Advisor two({.checkpoint = 10, .local = {.checkpoint = 1, .share = 0.5}}, memoryless(kHour));
  two.ready(0);
  CHECK_FALSE(two.checkpoint_begin(100, Level::global, true));
  CHECK(two.checkpoint_begin(100));
}

TEST_CASE("advisor: the last checkpoint of an allocation") {
  Advisor advisor({.checkpoint = 60}, memoryless(1000 * kHour));
  advisor.ready(0);
  CHECK(advisor.stop_date() == Advisor::kNever);
  advisor.questions_every(20);
  advisor.time_left(100, 3600);
  CHECK(advisor.stop_date() == 3700 - 2 * 60 - 20 - 5);
  CHECK(advisor.due() <= advisor.stop_date());
  advisor.checkpoint_begin(advisor.stop_date() + 1);
  advisor.checkpoint_end(3600, true);
  CHECK(advisor.should_stop(3600));
  CHECK(advisor.level(3600) == 0);
  advisor.time_left(3600, 3600);  // prolonged
  CHECK_FALSE(advisor.should_stop(3600));
  CHECK(advisor.due() < advisor.stop_date() + 1);
  // An allocation that is shorter than a checkpoint.
  Advisor late({.checkpoint = 720}, memoryless(1000 * kHour));
  late.time_left(0, 600);
  late.ready(0);
  CHECK(late.should_stop(0));
  CHECK(late.reserve(0) > 600);
}

TEST_CASE("advisor: segments come out even before the end of the allocation") {
  Advisor advisor({.checkpoint = 60, .trust = AdvisorSettings::kNever}, memoryless(20 * kHour));
  advisor.time_left(0, 3 * kHour);
  advisor.ready(0);
  const double room = 3 * kHour - 2 * 60 - 5;
  // Four, of which the first is the longest by a little: it is the likeliest to be of use.
  const double even = (room + 60) / 4 - 60;
  CHECK(advisor.due() > even);
  CHECK(agree(advisor.due(), even, 0.01));
}

TEST_CASE("advisor: progress says how much work is left") {
  Advisor advisor({.checkpoint = 60}, memoryless(20 * kHour));
  advisor.ready(0);
  for (int i = 1; i <= 100; ++i) advisor.progress(i, 2.0 * i, 1000);
  advisor.checkpoint_begin(100);
  advisor.checkpoint_end(160, true);
  // 800 units at 2 a second: too little to be cut in two.
  CHECK(agree(advisor.due(), 160 + 400, 1e-9));
  // A failure takes back what was not saved: position 100 again.
  advisor.failure(260, {});
  advisor.ready(300);
  CHECK(agree(advisor.due(), 300 + 400, 1e-9));
}

TEST_CASE("advisor: a job that writes its results itself is not asked at its end") {
  const double best = optimal_period(60, 20 * kHour);
  const auto due = [&](double work, bool final_checkpoint) {
    Advisor advisor(
        {.work = work, .checkpoint = 60, .ends = {.final_checkpoint = final_checkpoint}},
        memoryless(20 * kHour));
    REQUIRE(advisor.ready(100));
    return advisor.due() - 100;
  };
  const double work = best / 2;
  CHECK(agree(due(work, true), work, 1e-12));
  // It takes longer than was said: as if it had no end.
  CHECK(agree(due(work, false), best, 2e-3));
  // But not in the minute of a checkpoint in which it may just be ending.
  CHECK(agree(due(best, false), best + 60, 2e-3));
  // Of a job of several segments the last one alone is meant.
  CHECK(agree(due(10 * best, false), due(10 * best, true), 0.1));
  CHECK(due(10 * best, false) < 1.1 * best);

  Advisor limited({.work = work, .checkpoint = 60, .ends = {.final_checkpoint = false}},
                  memoryless(20 * kHour));
  REQUIRE(limited.ready(0));
  limited.time_left(0, work + 1000);
  CHECK(limited.due() < work + 1000);  // before the allocation ends it is saved all the same
  limited.time_left(0, work / 2);
  CHECK(limited.due() < work / 2);
}

TEST_CASE("advisor: events out of order change nothing") {
  Advisor advisor({.checkpoint = 60}, memoryless(20 * kHour));
  CHECK_FALSE(advisor.checkpoint_begin(0));
  CHECK_FALSE(advisor.checkpoint_end(0, true));
  CHECK_FALSE(advisor.checkpoint_durable(0));
  CHECK_FALSE(advisor.progress(0, 1, 2));
  CHECK_FALSE(advisor.failure(0, {}));
  CHECK_FALSE(advisor.stopped(0));
  CHECK(advisor.start(0, false));
  CHECK_FALSE(advisor.start(0, false));
  CHECK(advisor.ready(1));
  CHECK_FALSE(advisor.ready(2));
  const double due = advisor.due();
  CHECK_FALSE(advisor.checkpoint_end(3, true));
  CHECK(advisor.due() == due);
  CHECK(advisor.advice(3).checkpoints == 0);
}

TEST_CASE("advisor: recovery and downtime are measured") {
  Advisor advisor({}, memoryless(20 * kHour));
  advisor.start(0, false);
  advisor.ready(7);  // no recovery
  CHECK(std::isnan(advisor.advice(7).recovery));
  advisor.failure(100, {});
  advisor.start(160, true);
  advisor.ready(180);
  CHECK(advisor.advice(180).recovery == 20);
  CHECK(advisor.learned(180).downtime.value() == 60);
}

TEST_CASE("advisor: another strategy in place of its own rule") {
  struct Half final : Strategy {
    double cut = 0;
    std::span<const double> decide(const State& state) override {
      cut = state.work_left / 2;
      return {&cut, 1};
    }
  };
  Advisor advisor({.work = 1000, .checkpoint = 10}, memoryless(20 * kHour),
                  std::make_unique<Half>());
  advisor.ready(0);
  CHECK(advisor.due() == 500);
  Advisor young_daly({.rule = AdvisorRule::young_daly, .checkpoint = 10}, memoryless(2000));
  young_daly.ready(0);
  CHECK(agree(young_daly.due(), 200, 1e-12));
}

TEST_CASE("advisor: runs with an end save their last work, whatever checkpoints take") {
  // A lognormal C of mean 60 s and spread 0.5; the program asks every 7 s.
  const double log_sd = std::sqrt(std::log(1.25));
  int saved = 0;
  int runs_with_a_checkpoint = 0;
  constexpr int kRuns = 400;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    Stream stream({.purpose = Purpose::durations, .scenario = run});
    const double end = 600 + 20'000 * stream.uniform();
    Advisor advisor({.checkpoint = 60}, memoryless(3 * kHour));
    advisor.time_left(0, end);
    advisor.ready(0);
    double now = 0;
    bool is_saved = false;
    while (now < end) {
      now += 7;
      advisor.questions_every(7);
      if (advisor.level(now) == 0) continue;
      advisor.checkpoint_begin(now);
      now += 60 * sample_lognormal(stream, -log_sd * log_sd / 2, log_sd);
      if (now > end) break;
      advisor.checkpoint_end(now, true);
      is_saved = advisor.should_stop(now);
      if (is_saved) break;
    }
    if (is_saved) ++saved;
    if (is_saved || advisor.advice(now).checkpoints > 0) ++runs_with_a_checkpoint;
  }
  CAPTURE(runs_with_a_checkpoint);
  CHECK(saved >= 0.95 * kRuns);
  CHECK(runs_with_a_checkpoint >= 0.99 * kRuns);
}
