#include "holdfast/steward/core.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/domains/capacity/strategies.hpp"
#include "holdfast/steward/reconcile.hpp"
#include "holdfast/steward/slurm.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace holdfast;
using namespace holdfast::steward;

namespace {

/// A Slurm of three nodes of 4 CPUs, as it looks to a steward. Jobs do what they are told.
struct ToySlurm {
  Look look{.now = 1000,
            .jobs = {},
            .nodes = {{"n1", "IDLE", "", "all", 4},
                      {"n2", "IDLE", "", "all", 4},
                      {"n3", "IDLE", "", "all", 4}}};

  SeenJob& submit(const std::string& id, std::int64_t cores, std::int64_t length) {
    look.jobs.push_back({.id = id,
                         .state = "PENDING",
                         .cores = cores,
                         .partition = "all",
                         .submitted = look.now,
                         .limit = length,
                         .reason = "Resources"});
    return look.jobs.back();
  }
  SeenJob& job(const std::string& id) { return *std::ranges::find(look.jobs, id, &SeenJob::id); }
  SeenNode& node(const std::string& name) {
    return *std::ranges::find(look.nodes, name, &SeenNode::name);
  }
  void run(const std::string& id, const std::string& node) {
    SeenJob& one = job(id);
    one.state = "RUNNING";
    one.nodes = node;
    one.start = look.now;
  }
  void obey(const Action& action) {
    if (action.what == Action::Do::place) job(action.job).wanted = action.node;
    if (action.what == Action::Do::hold) {
      job(action.job).reason = "BeginTime";
      job(action.job).start = action.until;
    }
    if (action.what == Action::Do::release) {
      job(action.job).reason = "Resources";
      job(action.job).start.reset();
    }
    if (action.takes_out()) {
      node(action.node).state = "IDLE+DRAIN";
      node(action.node).reason = "holdfast: " + action.because;
    }
    if (action.what == Action::Do::on || action.what == Action::Do::resume) {
      node(action.node).state = "IDLE";
      node(action.node).reason.clear();
    }
  }
};

Charge charge_with(std::string_view policy) {
  const auto entries = capacity::strategies();
  return {.nodes = {"n1", "n2", "n3"},
          .partition = "all",
          .policy = parse_strategy(policy, entries).value(),
          .how = Switch::drain};
}

/// One look of a steward, as text: "place a n1; off n3".
struct Steward {
  Charge charge = charge_with("target-asap:distance=0");
  State state = first_state(charge, 4, 1, 1000);
  Said said;

  std::string look(ToySlurm& slurm, bool is_obeyed = true) {
    slurm.look.now += 10;
    auto answer = step(state, slurm.look, charge);
    REQUIRE(answer);
    said = std::move(*answer);
    std::string out;
    for (const Action& action : said.actions) {
      note_begun(state, action);
      if (is_obeyed) slurm.obey(action);
      out += (out.empty() ? "" : "; ") + action.key();
    }
    return out;
  }
};

}  // namespace

TEST_CASE("steward: a job that waits is placed once, and again if the wish was lost") {
  ToySlurm slurm;
  Steward steward;
  CHECK(steward.look(slurm).empty());
  CHECK(steward.said.usable == 3);
  slurm.submit("a", 4, 600);
  CHECK(steward.look(slurm, false) == "place a n1");
  CHECK(steward.look(slurm) == "place a n1");
  CHECK(steward.look(slurm).empty());
  slurm.run("a", "n1");
  CHECK(steward.look(slurm).empty());
  CHECK(steward.said.running == 1);
  CHECK(steward.state.world.jobs.front().since == slurm.job("a").start);
  slurm.look.jobs.clear();
  CHECK(steward.look(slurm).empty());
  CHECK(steward.state.world.jobs.empty());
  CHECK(steward.state.placed.empty());
}

TEST_CASE(
    "steward: what under-price lets wait is held back, again before that is over, and let go") {
  ToySlurm slurm;
  Steward steward;
  steward.charge.policy = charge_with("under-price:limit=50").policy;
  steward.state.world.rules.price = {{0, 80}, {2000, 30}, {2200, 90}};
  CHECK(steward.look(slurm).empty());
  slurm.submit("a", 4, 600);
  slurm.submit("later", 4, 60).reason = "BeginTime";  // the user's own date
  slurm.job("later").start = 5000;
  CHECK(steward.look(slurm) == "hold a ");
  CHECK(steward.said.actions[0].until == 1020 + 600);
  CHECK(steward.said.actions[0].because ==
        "under-price:limit=50 lets it wait; a node costs 80 an hour now");
  CHECK(steward.look(slurm).empty());
  slurm.look.now = 1310;
  CHECK(steward.look(slurm) == "hold a ");
  CHECK(steward.said.actions[0].is_again);
  CHECK(steward.said.actions[0].until == 1320 + 600);
  // What was said is known after a restart, and a lost wish is wanted again.
  steward.state = read_state(to_value(steward.state)).value();
  CHECK(releases_of(steward.state, slurm.look).size() == 1);
  slurm.look.now = 1990;
  CHECK(steward.look(slurm, false) == "place a n1; release a ");
  CHECK(steward.look(slurm) == "place a n1; release a ");
  slurm.run("a", "n1");
  CHECK(steward.look(slurm).empty());
  CHECK(releases_of(steward.state, slurm.look).empty());
  // Somebody gives a job that is held back a date of their own.
  slurm.submit("b", 4, 60);
  slurm.look.now = 2200;
  CHECK(steward.look(slurm) == "hold b ");
  slurm.job("b").start = 9000;
  CHECK(steward.look(slurm).empty());
  CHECK(releases_of(steward.state, slurm.look).empty());
  // Another policy needs no holds.
  slurm.submit("c", 4, 60);
  CHECK(steward.look(slurm) == "hold c ");
  steward.charge.policy = charge_with("target-asap").policy;
  CHECK(steward.look(slurm).find("release c ") != std::string::npos);
}

TEST_CASE("steward: a job that waits in a cheap hour waits for room, and is told so") {
  ToySlurm slurm;
  Steward steward;
  steward.charge.policy = charge_with("under-price:limit=50").policy;
  steward.state.world.rules.price = {{0, 30}};
  for (const char* id : {"a", "b", "c", "d"}) slurm.submit(id, 4, 600);
  CHECK(steward.look(slurm) == "place a n1; place b n2; place c n3; hold d ");
  CHECK(steward.said.actions.back().because == "no node has 4 CPUs free");
}

TEST_CASE("steward: jobs that are held until the same date are one command") {
  std::vector<Action> all;
  for (const char* job : {"1", "2", "3"})
    all.push_back({.what = Action::Do::hold, .job = job, .until = 1'700'000'000});
  all.push_back({.what = Action::Do::release, .job = "4"});
  CHECK(alike_from(all, 0) == 3);
  CHECK(alike_from(all, 3) == 1);
  CHECK(join(command_of(together(std::span(all).first(3)), Switch::drain), " ") ==
        "scontrol update JobId=1,2,3 StartTime=uts1700000000");
}

TEST_CASE("steward: what it was not given is left alone") {
  ToySlurm slurm;
  Steward steward;
  slurm.submit("other", 1, 60).partition = "debug";
  slurm.submit("own", 1, 60).wanted = "n2";
  slurm.submit("held", 1, 60).reason = "JobHeldUser";
  slurm.submit("after", 1, 60).reason = "Dependency";
  slurm.submit("again", 1, 60).reason = "launch_failed_requeued_held";
  slurm.submit("wide", 5, 60);
  slurm.submit("two", 4, 60).node_count = 2;
  slurm.submit("9_[1-3]", 1, 60);
  CHECK(steward.look(slurm).empty());
  CHECK(steward.state.world.jobs.empty());
  CHECK(steward.said.left_alone ==
        std::map<std::string, std::int64_t>{{"with nodes of their own", 1},
                                            {"held, or waiting for something else than a node", 3},
                                            {"wider than a node", 1},
                                            {"of several nodes", 1},
                                            {"tasks of arrays", 1}});
  // But a run takes cores, also what others started: n1 is full.
  slurm.run("two", "n[1-2]");
  slurm.run("other", "n3");
  steward.look(slurm);
  CHECK(steward.state.world.jobs.size() == 3);
}

TEST_CASE("steward: nodes leave and come as the capacity says, but not those of a person") {
  ToySlurm slurm;
  Steward steward;
  slurm.look.capacity = 2;
  CHECK(steward.look(slurm) == "off  n3");
  CHECK(steward.look(slurm).empty());
  slurm.node("n1").state = "DOWN";
  slurm.node("n1").reason = "broken fan";
  CHECK(steward.look(slurm) == "resume  n3");  // two may be on: n2 and n3
  CHECK(steward.said.kept == 1);
  slurm.submit("a", 4, 600);
  slurm.run("a", "n2");
  slurm.look.capacity = 0;
  CHECK(steward.look(slurm) == "off  n2; off  n3");
  CHECK(steward.look(slurm).empty());
  CHECK(steward.said.running == 1);  // it ends first
  slurm.look.capacity = 3;
  CHECK(steward.look(slurm) == "resume  n2; resume  n3");
  slurm.node("n2").state = "IDLE+DRAIN";  // a person drains it
  slurm.node("n2").reason = "memory";
  CHECK(steward.look(slurm).empty());
  CHECK(steward.said.kept == 2);
}

TEST_CASE("steward: a node that was announced to go is drained, and another may be on for it") {
  ToySlurm slurm;
  Steward steward;
  slurm.look.capacity = 2;
  CHECK(steward.look(slurm) == "off  n3");
  slurm.look.leaving = {{"n1", "reclaimed at 20:40"}};
  CHECK(steward.look(slurm) == "drain  n1; resume  n3");
  CHECK(steward.said.usable == 1);
  CHECK(slurm.node("n1").reason == "holdfast: reclaimed at 20:40");
  CHECK(steward.look(slurm).empty());
  slurm.look.leaving.clear();
  slurm.node("n1").state = "DOWN+POWERED_DOWN";  // it went
  CHECK(steward.look(slurm) == "on  n1; off  n3");
}

TEST_CASE("steward: while slurmctld begins and knows no node, what was known holds") {
  ToySlurm slurm;
  Steward steward;
  slurm.look.capacity = 2;
  steward.look(slurm);
  slurm.submit("a", 4, 600);
  CHECK(steward.look(slurm) == "place a n1");
  slurm.node("n1").state = slurm.node("n2").state = "UNKNOWN";
  slurm.node("n3").state = "UNKNOWN+DRAIN";
  CHECK(steward.look(slurm).empty());
  slurm.node("n3").state = "IDLE+DRAIN";
  CHECK(steward.look(slurm).empty());  // n1 and n2 count, though they are not heard of
  CHECK(steward.said.kept == 0);
  slurm.job("a").wanted.clear();  // it forgot
  CHECK(steward.look(slurm) == "place a n1");
}

TEST_CASE("steward: a look at which nothing happened is no news, and costs the disk nothing") {
  ToySlurm slurm;
  Steward steward;
  steward.look(slurm);
  CHECK(steward.said.is_news);
  steward.look(slurm);
  CHECK_FALSE(steward.said.is_news);
  slurm.submit("a", 4, 600);
  steward.look(slurm);
  CHECK(steward.said.is_news);  // it is placed
  steward.look(slurm);
  CHECK_FALSE(steward.said.is_news);
  slurm.look.jobs.clear();
  steward.look(slurm);
  CHECK(steward.said.is_news);
}

TEST_CASE("steward: a drained node ends its runs, and a dead one gives them back") {
  ToySlurm slurm;
  Steward steward;
  slurm.submit("a", 4, 600);
  steward.look(slurm);
  slurm.run("a", "n1");
  steward.look(slurm);
  slurm.node("n1").state = "MIXED+DRAIN";
  slurm.node("n1").reason = "fan";
  CHECK(steward.look(slurm).empty());  // a runs on there, and is no concern of the policy
  CHECK(steward.state.world.jobs.empty());
  slurm.node("n1").state = "DOWN";
  slurm.job("a").state = "PENDING";
  slurm.job("a").nodes.clear();
  slurm.job("a").reason = "BeginTime";
  slurm.job("a").start = slurm.look.now + 120;
  CHECK(steward.look(slurm).empty());  // not before its time
  CHECK(steward.said.waiting == 1);
  slurm.look.now += 110;
  CHECK(steward.look(slurm) == "place a n2");
}

TEST_CASE("steward: what Slurm refuses is tried three times, until something else is wanted") {
  ToySlurm slurm;
  Steward steward;
  for (const char* name : {"n2", "n3"}) {
    slurm.node(name).state = "DOWN";
    slurm.node(name).reason = "disk";
  }
  slurm.submit("a", 4, 6000);
  steward.look(slurm);
  slurm.run("a", "n1");
  slurm.submit("b", 4, 600);  // it waits for n1, which is all there is
  for (int look = 0; look < 30; ++look) {
    const bool is_tried = look == 0 || look == 6 || look == 12;  // after 60 s each
    CHECK(steward.look(slurm, false) == (is_tried ? "place b n1" : ""));
    for (const Action& action : steward.said.actions) {
      note_refused(steward.state, action, slurm.look.now);
    }
  }
  slurm.node("n2").state = "IDLE";
  slurm.node("n2").reason.clear();
  CHECK(steward.look(slurm) == "place b n2");
}

TEST_CASE("steward: one that was killed goes on as one that never died") {
  const auto drive = [](int killed_after, bool before_acting) {
    ToySlurm slurm;
    Steward steward;
    std::string out;
    for (int look = 0; look < 40; ++look) {
      if (look % 3 == 0)
        slurm.submit("j" + std::to_string(look), 1 + look % 4, 20 + 37 * look % 300);
      if (look % 5 == 4) slurm.look.capacity = 1 + look % 3;
      for (SeenJob& job : slurm.look.jobs) {  // Slurm starts what it may
        if (job.state == "PENDING" && !job.wanted.empty() &&
            slurm.node(job.wanted).state == "IDLE") {
          slurm.run(job.id, job.wanted);
        }
      }
      std::erase_if(slurm.look.jobs, [&](const SeenJob& job) {
        return job.state == "RUNNING" && *job.start + job.limit < slurm.look.now;
      });
      const bool is_killed = look == killed_after;
      const std::string said = steward.look(slurm, !(is_killed && before_acting));
      out += said + "\n";
      if (!is_killed) continue;
      steward.state = read_state(to_value(steward.state)).value();
      if (!before_acting) continue;
      slurm.look.now -= 10;
      CHECK(steward.look(slurm) == said);  // it wants again what did not happen
    }
    return out;
  };
  const std::string undisturbed = drive(-1, false);
  for (int at = 0; at < 40; ++at) {
    CHECK(drive(at, false) == undisturbed);
    CHECK(drive(at, true) == undisturbed);
  }
}

TEST_CASE("steward: the length of a job is what its comment says, or its limit") {
  SeenJob job{.limit = 180};
  CHECK(length_of(job) == 180);
  job.comment = "project=x length=90";
  CHECK(length_of(job) == 90);
  job.comment = "length=2min,x";
  CHECK(length_of(job) == 120);
  job.comment = "length=long";
  CHECK(length_of(job) == 180);
  job = {};
  CHECK(length_of(job) == 365 * 86400);
}
