#include "holdfast/domains/checkpoint/instance_io.hpp"
#include "holdfast/domains/checkpoint/realisation.hpp"
#include "holdfast/domains/checkpoint/simulate.hpp"
#include "holdfast/domains/checkpoint/spare_count.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/domains/checkpoint/validate.hpp"
#include "holdfast/kernel/random.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace holdfast;
using namespace holdfast::checkpoint;

Result<Instance> elastic_instance(const std::string& json) {
  const auto document = parse_json(json);
  REQUIRE(document);
  return read_instance(*document, ".");
}

// One run, which passes the independent checks.
Metrics elastic_run(const Instance& instance, const std::string& strategy, const Draw& draw = {}) {
  const StrategySpec spec = parse_strategy(strategy, strategies()).value();
  auto rule = make_strategy(spec, instance);
  if (!rule) FAIL(rule.error().text());
  const auto law = instance.law ? std::make_shared<const TabulatedLaw>(*instance.law) : nullptr;
  const auto realisation = Realisation::make(instance, law, draw);
  std::vector<ScheduleRow> rows;
  const Metrics out = simulate(instance, **rule, *realisation, replans(spec), &rows);
  const Status valid = validate_run(instance, replans(spec), *realisation, rows, out);
  if (!valid) FAIL_CHECK(valid.error().text());
  return out;
}

struct Outage {
  double down;
  double up;
  int node;
};

// A job that goes on with fewer nodes, in steps of a quarter of a second: nothing of the simulator is repeated but its rules.
class ElasticByTheClock {
 public:
  ElasticByTheClock(const Instance& job, std::vector<Outage> outages)
      : job_{job}, outages_{std::move(outages)} {
    for (int i = 0; i < job.processors; ++i) in_use_.insert(i);
    for (std::int64_t i = job.processors; i < job.processors + *job.platform.spares; ++i)
      idle_.insert({0, static_cast<int>(i)});
    begin_segment();
  }

  Metrics run() {
    for (double now = 0;; now += 0.25) {
      const bool is_saved = end_phase();
      if (segment_ == job_.segments.size()) {
        out_.makespan = now;
        return out_;
      }
      const bool is_struck = change_nodes(now);
      if (is_struck && is_up()) {
        ++out_.failures;
        enter(Doing::down, job_.downtime);
        fill();
        end_phase();
      }
      if (!is_up()) fill();
      if (doing_ == Doing::wait && is_enough()) enter(Doing::recover, job_.recovery);
      if (is_saved && !is_struck && job_.platform.join == Join::checkpoint && fill()) {
        *out_.joins += 1;
        enter(Doing::recover, job_.recovery);
      }
      if (doing_ == Doing::wait) *out_.waiting += 0.25;
      *out_.idle += 0.25 * static_cast<double>(idle_.size());
      rest_ -= doing_ == Doing::work ? 0.25 * speed() : 0.25;
    }
  }

 private:
  enum class Doing : std::uint8_t { work, save, down, wait, recover };

  bool is_up() const { return doing_ != Doing::down && doing_ != Doing::wait; }
  std::int64_t count() const { return static_cast<std::int64_t>(in_use_.size()); }
  bool is_enough() const { return count() >= *job_.platform.minimum_nodes; }
  double speed() const { return job_.platform.speed_of(count(), job_.processors); }
  void enter(Doing what, double length) {
    doing_ = what;
    rest_ = length;
  }
  void begin_segment() {
    if (segment_ < job_.segments.size()) enter(Doing::work, job_.segments[segment_]);
  }
  // True if a checkpoint has ended, and not the last one.
  bool end_phase() {
    if (doing_ == Doing::wait || rest_ > 0) return false;
    if (doing_ == Doing::work) {
      enter(Doing::save, job_.checkpoint);
      return false;
    }
    if (doing_ == Doing::down) {
      if (is_enough())
        enter(Doing::recover, job_.recovery);
      else
        enter(Doing::wait, 0);
      return false;
    }
    const bool is_saved = doing_ == Doing::save;
    if (is_saved) ++segment_;
    begin_segment();
    return is_saved && segment_ < job_.segments.size();
  }
  // Repairs that end, then failures; true if a node in use fails.
  bool change_nodes(double now) {
    for (const Outage& outage : outages_)
      if (outage.up == now) idle_.insert({now, outage.node});
    bool is_struck = false;
    for (const Outage& outage : outages_) {
      if (outage.down != now) continue;
      is_struck = in_use_.erase(outage.node) > 0 || is_struck;
      std::erase_if(idle_, [&](const auto& idle) { return idle.second == outage.node; });
    }
    return is_struck;
  }
  // True if a node came in. The one that has been up longest goes first.
  bool fill() {
    const std::int64_t before = count();
    while (count() < job_.processors && !idle_.empty()) {
      in_use_.insert(idle_.begin()->second);
      idle_.erase(idle_.begin());
    }
    return count() > before;
  }

  const Instance& job_;
  std::vector<Outage> outages_;
  std::set<int> in_use_;
  std::set<std::pair<double, int>> idle_;  ///< since when they are up
  Doing doing_ = Doing::work;
  double rest_ = 0;
  std::size_t segment_ = 0;
  Metrics out_{.waiting = 0, .idle = 0, .joins = 0};
};

// Random outages on quarters of a second; a node is up for a second at least between two.
std::vector<Outage> random_outages(Stream& stream, std::int64_t nodes) {
  const auto quarters = [&](std::int64_t low, std::int64_t high) {
    return 0.25 * static_cast<double>(stream.integer(low, high));
  };
  std::vector<Outage> out;
  for (int node = 0; node < nodes; ++node) {
    double now = 0;
    for (;;) {
      const double down = now + quarters(4, 160);
      if (down > 300) break;
      now = down + quarters(1, 60);
      out.push_back({down, now, node});
    }
  }
  std::ranges::sort(out, {}, [](const Outage& one) { return std::pair(one.down, one.node); });
  return out;
}

Instance random_elastic_job(Stream& stream, const std::vector<Outage>& outages, std::int64_t nodes,
                            std::int64_t spares) {
  Instance out;
  out.processors = nodes;
  out.platform.spares = spares;
  out.platform.minimum_nodes = stream.integer(1, nodes);
  out.platform.join = stream.integer(0, 1) == 0 ? Join::checkpoint : Join::failure;
  if (stream.integer(0, 1) == 0) out.platform.replacement = Replacement::oldest;
  double speed = 0.25;
  for (std::int64_t n = 1; n < nodes; ++n) {
    if (speed < 1 && stream.integer(0, 1) == 0) speed *= 2;
    out.platform.speed.emplace_back(n, speed);
  }
  out.platform.speed.emplace_back(nodes, 1);
  out.work = 0;
  for (std::int64_t i = stream.integer(1, 5); i > 0; --i) {
    out.segments.push_back(0.25 * static_cast<double>(stream.integer(1, 40)));
    out.work += out.segments.back();
  }
  out.checkpoint = 0.25 * static_cast<double>(stream.integer(1, 8));
  out.recovery = 0.25 * static_cast<double>(stream.integer(1, 8));
  out.downtime = 0.25 * static_cast<double>(stream.integer(0, 4));
  out.events.emplace();
  for (const Outage& outage : outages)
    out.events->push_back(
        {.date = outage.down, .processor = outage.node, .repair = outage.up - outage.down});
  return out;
}

}  // namespace

TEST_CASE("elastic: runs computed by hand") {
  const auto job = [](const std::string& segments, double repair, const std::string& more) {
    return elastic_instance(
               fmt::format(R"({{"segments": [{}], "checkpoint": 10, "recovery": 10, "downtime": 1,
                   "processors": 2, "spares": 0, "minimum_nodes": 1{},
                   "failures": {{"events": [[70, 0, {}]]}}}})",
                           segments, more, repair))
        .value();
  };
  const Metrics alone = elastic_run(job("50, 50", 200, ""), "as-given");
  CHECK(alone.makespan == 191);
  CHECK(alone.failures == 1);
  CHECK(alone.waiting == 0);
  CHECK(alone.idle == 0);
  CHECK(alone.joins == 0);
  const Metrics joined = elastic_run(job("50, 50, 50", 80, ""), "as-given");
  CHECK(joined.makespan == 261);
  CHECK(joined.failures == 1);
  CHECK(joined.waiting == 0);
  CHECK(joined.idle == 41);
  CHECK(joined.joins == 1);
  const Metrics apart = elastic_run(job("50, 50, 50", 80, R"(, "join": "failure")"), "as-given");
  CHECK(apart.makespan == 301);
  CHECK(apart.failures == 1);
  CHECK(apart.idle == 151);
  CHECK(apart.joins == 0);
  // At two fifths of the speed the second segment ends at 206.
  CHECK(elastic_run(job("50, 50", 200, R"(, "speed": "1:0.4,2:1")"), "as-given").makespan == 216);
}

TEST_CASE("elastic: another simulation, in steps of a quarter of a second, gives the same runs") {
  Stream stream({.seed = 7, .purpose = Purpose::failures});
  std::int64_t joins = 0, waits = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::int64_t nodes = stream.integer(2, 4), spares = stream.integer(0, 2);
    const std::vector<Outage> outages = random_outages(stream, nodes + spares);
    const Instance job = random_elastic_job(stream, outages, nodes, spares);
    REQUIRE(check(job).has_value());
    if (!job.is_elastic()) continue;
    const Metrics expected = ElasticByTheClock(job, outages).run();
    const Metrics found = elastic_run(job, "as-given");
    CAPTURE(i);
    CAPTURE(to_compact_json(to_value(job)));
    CHECK(found.makespan == expected.makespan);
    CHECK(found.failures == expected.failures);
    CHECK(found.waiting == expected.waiting);
    CHECK(found.idle == expected.idle);
    CHECK(found.joins == expected.joins);
    joins += *expected.joins;
    waits += *expected.waiting > 0;
    if (found.makespan != expected.makespan) return;
  }
  CHECK(joins > 200);
  CHECK(waits > 200);
}

TEST_CASE("elastic: every strategy, law and rule passes the independent checks") {
  for (
      const char* more :
      {R"("mtbf": 3000}, "repair": 1500)",
       R"("distribution": "weibull", "shape": 0.6, "mtbf": 3000}, "repair": 1500, "join": "failure")",
       R"("mtbf": 3000}, "repair": 1500, "repairers": 1, "idle_ageing": 0.3, "spare_delay": 7)",
       R"("mtbf": 3000}, "repair": 1500, "time_limit": 400, "replacement": "random")",
       R"("mtbf": 3000}, "repair": 1500, "replacement": "same", "iteration": 7)"}) {
    const Instance job =
        elastic_instance(
            fmt::format(R"({{"work": 3000, "checkpoint": 10, "recovery": 15, "downtime": 5,
                "processors": 5, "spares": 1, "minimum_nodes": 3, "failures": {{{}}})",
                        more))
            .value();
    CAPTURE(more);
    for (const char* strategy :
         {"next-step", "next-step-grid", "young-daly", "daly", "fixed:200", "local-young-daly",
          "optimal-exponential", "none", "lazy:shape=0.7", "bi-periodic", "next-failure"}) {
      CAPTURE(strategy);
      for (std::uint64_t scenario = 0; scenario < 8; ++scenario) {
        const Metrics found = elastic_run(job, strategy, {.seed = 2, .scenario = scenario});
        CHECK(found.completed);
        CHECK(found == elastic_run(job, strategy, {.seed = 2, .scenario = scenario}));
      }
    }
  }
}

TEST_CASE("elastic: it changes nothing where it has no part") {
  const std::string job = R"({"work": 20000, "checkpoint": 10, "recovery": 15, "downtime": 5,
      "processors": 4, "failures": {"mtbf": 3000}, "repair": 600, "spares": )";
  const Instance waits = elastic_instance(job + "1}").value();
  const Instance all = elastic_instance(job + R"(1, "minimum_nodes": 4})").value();
  CHECK_FALSE(all.is_elastic());
  const Instance many = elastic_instance(job + "60}").value();
  const Instance reserve = elastic_instance(job + R"(60, "minimum_nodes": 2})").value();
  for (const char* strategy : {"young-daly", "next-step"}) {
    for (std::uint64_t scenario = 0; scenario < 5; ++scenario) {
      const Draw draw{.scenario = scenario};
      CHECK(elastic_run(all, strategy, draw) == elastic_run(waits, strategy, draw));
      Metrics other = elastic_run(reserve, strategy, draw);
      CHECK(other.joins == 0);
      other.joins.reset();
      CHECK(other == elastic_run(many, strategy, draw));
    }
  }
  // A plan for fewer nodes: the period in time is that of their failures, and in work that times their speed.
  const Instance smaller = elastic_instance(job + R"(1, "minimum_nodes": 1})").value();
  const auto rule =
      make_strategy(parse_strategy("local-young-daly", strategies()).value(), smaller).value();
  const TabulatedLaw law(*smaller.law);
  checkpoints::AgesOutlook two(law, same_age(2, 0));
  const auto cuts = rule->decide({.work_left = 1e6, .outlook = two, .nodes = 2});
  const double period = std::sqrt(2 * 10 * 3000 / 2.0);
  CHECK(std::fabs(cuts.front() - 1e6 / std::ceil(2e6 / period)) < 1e-6);
}

TEST_CASE("elastic: what is refused, and how it is said") {
  const auto refusal = [](const std::string& members) {
    const auto found = elastic_instance(
        R"({"work": 100, "processors": 4, "checkpoint": 10, "failures": {"mtbf": 1000}, )" +
        members + "}");
    return found ? std::string("(accepted)") : found.error().text();
  };
  const std::string pool = R"("spares": 1, "repair": 10, )";
  CHECK(
      refusal(R"("minimum_nodes": 2)") ==
      "/minimum_nodes: found without 'spares', expected with their number, 0 or more: otherwise a "
      "new node is always there");
  CHECK(refusal(pool + R"("minimum_nodes": 5)") ==
        "/minimum_nodes: found 5, expected at most the 4 processors");
  CHECK(refusal(pool + R"("speed": [[4, 1]])") ==
        "/speed: found without 'minimum_nodes', expected with it: the job waits for all nodes");
  CHECK(refusal(pool + R"("join": "failure")") ==
        "/join: found without 'minimum_nodes', expected with it: the job waits for all nodes");
  const std::string two = pool + R"("minimum_nodes": 2, )";
  CHECK(refusal(two + R"("speed": [[2, 0.5], [4, 0.9]])") ==
        "/speed: found speed 0.9 on 4 nodes as the last, expected 1 on all 4");
  CHECK(
      refusal(two + R"("speed": "2:0.5,3:0.4,4:1")") ==
      "/speed/1: found speed 0.4 on 3 after 0.5 on 2 nodes, expected more nodes, and a speed that "
      "is not smaller");
  CHECK(refusal(two + R"("speed": [[3, 0.5], [4, 1]])") ==
        "/speed: found no speed below 3 nodes, expected one for the 2 of 'minimum_nodes'");
  CHECK(refusal(two + R"("speed": [[2, 0], [4, 1]])").starts_with("/speed/0/1: found 0"));
  CHECK(refusal(two + R"("speed": [[2.5, 0.5], [4, 1]])") ==
        "/speed/0/0: found 2.5, expected a whole number of nodes");
  CHECK(refusal(two + R"("speed": "half")") ==
        "/speed: found 'half', expected linear or NODES:SPEED, such as 16:0.5,32:1");
  CHECK(refusal(two + R"("flush": 5)")
            .starts_with("/minimum_nodes: found with 'flush', expected one of them"));
  CHECK(refusal(two + R"("speed": "linear", "join": "checkpoint")") == "(accepted)");
  const auto kept = elastic_instance(
      R"({"work": 100, "processors": 4, "checkpoint": 10, "failures": {"mtbf": 1000}, )" + two +
      R"("speed": "2:0.5,4:1", "join": "failure"})");
  REQUIRE(kept);
  CHECK(to_value(read_instance(to_value(*kept), ".").value()) == to_value(*kept));
  CHECK(kept->platform.speed_of(3, 4) == 0.75);
  CHECK(kept->platform.speed_of(1, 4) == 0);
  const auto advised = make_strategy(parse_strategy("advised", strategies()).value(), *kept);
  REQUIRE_FALSE(advised);
  CHECK(advised.error().text() ==
        "/minimum_nodes: is given; strategy 'advised' is for jobs that always have all their "
        "nodes");
}

TEST_CASE(
    "elastic: the efficiency is that of the closed form, which is up to half a per cent too high") {
  struct Row {
    double repair;
    const char* more;
  };
  for (const Row& row : {Row{40, ""}, Row{80, ""}, Row{80, R"(, "repairers": 3)"},
                         Row{80, R"(, "idle_ageing": 0)"}}) {
    const Instance job =
        elastic_instance(
            fmt::format(R"({{"work": 20000, "checkpoint": 0.02, "recovery": 0.2, "processors": 10,
                "spares": 1, "minimum_nodes": 6, "repair": {}, "failures": {{"mtbf": 1000}}{}}})",
                        row.repair, row.more))
            .value();
    CAPTURE(row.repair);
    CAPTURE(row.more);
    Moments found;
    for (std::uint64_t scenario = 0; scenario < 40; ++scenario)
      found.add(elastic_run(job, "optimal-exponential", {.scenario = scenario}).efficiency);
    const SpareRow expected = closed_forms(job, 1, 0)(1);
    CAPTURE(found.mean());
    CAPTURE(expected.efficiency);
    const double error = 3.5 * std::sqrt(*found.variance() / 40);
    CHECK(found.mean() > expected.efficiency * (1 - 0.005) - error);
    CHECK(found.mean() < expected.efficiency + error);
    CHECK(expected.works > expected.full);
    CHECK(expected.efficiency > expected.full * expected.bound);
  }
}

TEST_CASE("elastic: shares of time by the chain of all states, and by simulation") {
  // N 3, S 1, least 2, lambda .01, mu .1: pi of vector 12.
  const SpareNodes nodes{.nodes = 3, .spares = 1, .life = 100, .repair = 10};
  const SmallerShares shares = smaller_shares(
      nodes, {.least = 2, .useful = [](std::int64_t n) { return n == 3 ? 0.9 : 0.5; }, .join = 2});
  const double full = .683013455 + .273205382;
  CHECK(std::fabs(shares.works - (full + .040980807)) < 1e-8);
  CHECK(std::fabs(shares.efficiency - (.9 * full + .5 * .040980807 - 2 * .040980807 * 2 / 10)) <
        1e-8);
}
