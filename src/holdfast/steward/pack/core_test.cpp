#include "holdfast/steward/pack/core.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/domains/cosched/plan.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

namespace holdfast::steward::pack {
namespace {

using Do = Action::Do;
using What = Event::What;

/// Applications a, b ... of 100, 200 ... s of work on one processor, which it divides, and the guards that they would have.
struct Problem {
  explicit Problem(std::size_t count, std::int64_t processors = 8,
                   std::string_view rule = "iterated-greedy-end-greedy") {
    instance.processors = processors;
    instance.mtbf = 1e6;
    instance.downtime = 1;
    instance.checkpoint_unit_cost = 0.01;
    instance.redistribution_unit_cost = 0;
    for (std::size_t at = 0; at < count; ++at) {
      instance.tasks.push_back(
          {.id = std::string(1, static_cast<char>('a' + at)),
           .data = 2,
           .profile = Speedup::amdahl(100.0 * static_cast<double>(at + 1), 0)});
    }
    times = cosched::task_times(instance);
    strategy = cosched::make_strategy(parse_strategy(rule, cosched::strategies()).value(), instance)
                   .value();
    charge = {.instance = &instance, .times = times, .strategy = &strategy};
    state = begin(charge, {{.name = "n1", .slots = 4}, {.name = "n2", .slots = processors - 4}}, 0);
    seen.resize(count);
  }

  /// A step, and what the guards make of its actions: they begin, and save and end, at once.
  Said go(double now) {
    Said said = decide(now);
    for (const Action& action : said.actions) perform(action);
    return said;
  }
  Said decide(double now) {
    for (std::size_t at = 0; at < seen.size(); ++at) {
      const Application& it = state.applications[at];
      seen[at].is_claimed = starts.contains(name(at));
      if (it.phase != Phase::runs) continue;
      seen[at].saved += (now - last) / times[at].time(std::ssize(it.processors)) * work(at);
      seen[at].since = now - 1e-3;
    }
    last = now;
    return step(state, seen, now, charge);
  }
  void perform(const Action& action) {
    Seen& one = seen[action.of];
    if (action.what == Do::start) {
      const bool is_new = ++starts[name(action.of)] == 1;
      CHECK(is_new);
      one.is_guarded = true;
      ++one.programs;
      one.end.clear();
    } else if (action.what == Do::stop) {
      one.is_guarded = false;
      one.end = "stop";
      one.since = 0;
    }
  }
  void finish(std::size_t at) {
    seen[at].is_guarded = false;
    seen[at].end = "finish";
    seen[at].since = 0;
  }
  /// "b.2": a start by its name.
  std::string name(std::size_t at) const {
    return state.applications[at].id + "." + std::to_string(state.applications[at].launch);
  }
  // In seconds of the present number of processors.
  double work(std::size_t at) const {
    return times[at].time(std::ssize(state.applications[at].processors));
  }
  const Application& of(std::size_t at) const { return state.applications[at]; }

  cosched::Instance instance;
  std::vector<cosched::TaskTimes> times;
  cosched::Strategy strategy;
  Charge charge;
  State state;
  std::vector<Seen> seen;
  std::map<std::string, int> starts;
  double last = 0;
};

std::size_t count(const Said& said, Do what) {
  return static_cast<std::size_t>(std::ranges::count(said.actions, what, &Action::what));
}

}  // namespace

TEST_CASE("pack: all begin on the first allocation, on processors of their own") {
  Problem problem(2, 12);
  CHECK(count(problem.go(0), Do::start) == 2);
  CHECK(problem.of(0).processors == Processors{0, 1, 2, 3});  // a third of the work
  CHECK(problem.of(1).processors.size() == 8);
  CHECK(problem.state.hosts(problem.of(1).processors) == "n2:8");
  CHECK(problem.go(1).events.size() == 2);
  CHECK(problem.of(0).phase == Phase::runs);
  CHECK(problem.go(2).actions.empty());
}

TEST_CASE("pack: at an end the others save, end, and start on the processors that became free") {
  Problem problem(2, 12);
  problem.go(0);
  problem.go(1);
  problem.finish(0);
  const Said said = problem.go(11);
  REQUIRE(said.decisions.size() == 1);
  CHECK(said.decisions[0].moves == std::vector<std::string>{"b 8 -> 12"});
  CHECK(said.decisions[0].expected < said.decisions[0].without);
  CHECK(count(said, Do::stop) == 1);
  CHECK(problem.of(1).phase == Phase::stops);
  CHECK(count(problem.go(12), Do::start) == 1);
  CHECK(problem.of(1).processors.size() == 12);
  // 10 s on 8 of 12 processors' worth of 25 s, and a second more until it was seen to have ended.
  CHECK(problem.of(1).left == doctest::Approx(1 - 10 / 25.0).epsilon(1e-9));
  problem.go(13);
  problem.finish(1);
  problem.go(30);
  CHECK(problem.state.is_over());
}

TEST_CASE("pack: what is to be had by one starts when the other has let it go") {
  Problem problem(2, 12);
  problem.go(0);
  problem.go(1);
  problem.state.applications[0].planned = {0, 1};
  problem.state.applications[1].planned = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  Said said = step(problem.state, problem.seen, 2, problem.charge);
  CHECK(count(said, Do::stop) == 2);
  problem.perform({Do::stop, 1});  // b has ended, a has not
  said = step(problem.state, problem.seen, 3, problem.charge);
  CHECK(count(said, Do::start) == 0);
  CHECK(problem.of(1).phase == Phase::waits);
  problem.perform({Do::stop, 0});
  CHECK(count(problem.go(4), Do::start) == 2);
}

TEST_CASE("pack: a failure of the one that ends last takes processors from the other") {
  Problem problem(2, 12);
  problem.go(0);
  problem.go(1);
  problem.go(16);
  problem.seen[1].failures = 1;
  problem.seen[1].failure = "signal 9";
  problem.seen[1].saved = 0;  // everything was lost
  const Said said = step(problem.state, problem.seen, 17, problem.charge);
  REQUIRE(said.decisions.size() == 1);
  CHECK(said.decisions[0].event.text == "signal 9");
  CHECK(problem.of(1).planned.size() > 8);
  CHECK(problem.of(0).planned.size() < 4);
  CHECK(step(problem.state, problem.seen, 18, problem.charge).decisions.empty());
}

TEST_CASE("pack: a decision is that of advise") {
  Problem problem(3, 12, "end-local");
  problem.go(0);
  problem.go(1);
  cosched::LiveState live;
  live.instance = problem.instance;
  live.now = 5;
  live.completed = 0;
  cosched::Allocation allocation;
  for (std::size_t at = 0; at < 3; ++at) {
    const std::int64_t size = std::ssize(problem.of(at).processors);
    live.tasks.push_back(
        {.processors = size, .left = 1 - 4 / problem.times[at].time(size), .since = 5 - 1e-3});
    allocation.push_back(size);
  }
  live.owners = cosched::Ownership(12, 3);
  live.owners.assign(allocation);
  const cosched::Advice advice = cosched::advise(live, problem.strategy);
  problem.finish(0);
  const Said said = problem.go(5);
  REQUIRE(said.decisions.size() == 1);
  CHECK(said.decisions[0].expected == doctest::Approx(advice.expected_makespan).epsilon(1e-12));
  for (std::size_t at = 1; at < 3; ++at)
    CHECK(std::ssize(problem.of(at).planned) == advice.allocation[at]);
}

TEST_CASE(
    "pack: what was asked to end by others is held, and a guard that launches nothing is given "
    "up") {
  Problem problem(2);
  problem.go(0);
  problem.go(1);
  problem.seen[0].is_guarded = false;
  problem.seen[0].end = "stop";
  problem.seen[0].reason = "the time limit";
  CHECK(step(problem.state, problem.seen, 2, problem.charge).actions.empty());
  CHECK(problem.of(0).phase == Phase::held);
  CHECK(problem.of(0).why == "the time limit");
  for (int time = 0; time < kRefusals; ++time) {
    Seen& one = problem.seen[1];
    one = {.is_claimed = true, .programs = 1, .reason = "no such option"};
    problem.state.applications[1].programs = 1;
    problem.state.applications[1].phase = Phase::starts;
    static_cast<void>(step(problem.state, problem.seen, 10.0 * (time + 1), problem.charge));
  }
  CHECK(problem.of(1).phase == Phase::given_up);
  CHECK(problem.of(1).why == "no such option");
}

TEST_CASE("pack: asked to halt, all save and end, and nothing starts") {
  Problem problem(3);
  problem.go(0);
  problem.go(1);
  problem.charge.halts = true;
  CHECK(count(problem.go(2), Do::stop) == 3);
  CHECK(problem.go(3).actions.empty());
  for (const Application& it : problem.state.applications) CHECK(it.phase == Phase::held);
}

TEST_CASE("pack: nodes without an application are given back, but not the first") {
  Problem problem(1, 8, "none");
  problem.charge.gives_back = true;
  problem.state.nodes = {
      {.name = "n1", .slots = 2}, {.name = "n2", .slots = 4}, {.name = "n3", .slots = 2}};
  problem.state.applications[0].planned = {2, 3, 4, 5};
  const Said said = problem.go(0);
  REQUIRE(count(said, Do::give_back) == 1);
  CHECK(problem.state.nodes[said.actions.back().of].name == "n3");
  CHECK(problem.state.nodes[2].lent == Node::Lent::going);
  CHECK(count(problem.go(1), Do::give_back) == 1);  // again, until it was done
  problem.state.nodes[2].lent = Node::Lent::gone;
  CHECK(count(problem.go(2), Do::give_back) == 0);
  CHECK(problem.state.usable().size() == 6);
}

TEST_CASE("pack: other nodes are taken if they are enough and nothing runs on the old ones") {
  Problem problem(2);
  const std::vector<Node> others = {{.name = "m1", .slots = 2}, {.name = "m2", .slots = 6}};
  CHECK(fit(problem.state, others).has_value());
  CHECK(problem.state.hosts(problem.of(0).planned) == "m1:2");
  CHECK(fit(problem.state, {{.name = "m1", .slots = 4}}).error().message ==
        "found 4 processors, expected at least 8, which the applications had");
  problem.go(0);
  CHECK(fit(problem.state, {{.name = "m1", .slots = 8}}).error().where == "/nodes");
}

TEST_CASE("pack: killed at any moment, it starts each guard once and comes to the same end") {
  std::size_t met = 0;  // kills between a decision to start and the start
  for (int kill = 0; kill < 80; ++kill) {
    Problem problem(4, 16);
    for (int look = 0; look < 60 && !problem.state.is_over(); ++look) {
      if (look != kill / 2) {
        problem.go(look);
      } else {  // killed before it did what it wanted: before the state was kept, or after that
        const State before = problem.state;
        const Said said = problem.decide(look);
        if (count(said, Do::start) > 0 && kill % 2 != 0) ++met;
        if (kill % 2 == 0) problem.state = before;
      }
      problem.state = read_state(to_value(problem.state)).value();
      for (std::size_t at = 0; at < 4; ++at) {
        if (problem.of(at).phase == Phase::runs && look > 8 * (static_cast<int>(at) + 1))
          problem.finish(at);
      }
    }
    CHECK(problem.state.is_over());
    for (const Application& it : problem.state.applications) {
      CHECK(it.phase == Phase::ended);
      for (std::int64_t launch = 1; launch <= it.launch; ++launch)
        CHECK(problem.starts.at(it.id + "." + std::to_string(launch)) == 1);
    }
  }
  CHECK(met >= 4);
}

}  // namespace holdfast::steward::pack
