#include "holdfast/steward/submit/core.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/domains/moldable/strategies.hpp"
#include "holdfast/steward/submit/attempt.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace holdfast::steward::submit {
namespace {

/// Jobs a, b, c ... of 100 s of work with a tenth sequential, on 8 processors.
struct Problem {
  explicit Problem(std::size_t jobs, std::string_view rule = "lpa", std::int64_t attempts = 5) {
    instance.processors = 8;
    for (std::size_t job = 0; job < jobs; ++job) {
      instance.jobs.push_back(Speedup::amdahl(100, 0.1));
      instance.ids.emplace_back(1, static_cast<char>('a' + job));
      instance.given.push_back({8, 2});
      state.jobs.push_back({.id = instance.ids.back()});
    }
    const auto table = moldable::strategies();
    prepared = std::make_unique<moldable::PreparedInstance>(instance);
    strategy = moldable::make_strategy(parse_strategy(rule, table).value(), instance).value();
    live = std::make_unique<moldable::LiveRule>(*prepared, *strategy);
    charge = {.prepared = prepared.get(), .rule = live.get(), .attempts = attempts};
    state.run = "12345678";
    state.begun = 1000;
  }

  std::vector<Action> step(std::vector<Event> events, std::int64_t now) {
    return submit::step(state, events, now, charge);
  }
  /// The same, and Slurm takes what is submitted.
  std::vector<Action> go(std::vector<Event> events, std::int64_t now) {
    auto actions = step(std::move(events), now);
    for (const Action& action : actions) {
      note_begun(state, action, now);
      take(state, {.what = Event::What::queued, .job = action.job, .text = "7"}, now, charge);
    }
    return actions;
  }
  const Job& job(std::size_t at) const { return state.jobs[at]; }

  moldable::Instance instance;
  std::unique_ptr<moldable::PreparedInstance> prepared;
  std::unique_ptr<moldable::Strategy> strategy;
  std::unique_ptr<moldable::LiveRule> live;
  Charge charge;
  State state;
};

using What = Event::What;

}  // namespace

TEST_CASE("submit: what fails its verification is submitted again, and is given up in the end") {
  Problem problem(1, "lpa", 2);
  const auto first = problem.go({}, 1000);
  REQUIRE(first.size() == 1);
  CHECK(first[0].processors == 8);
  CHECK(first[0].because == "predicted 21.2 s, 1.7 times the least work");
  CHECK(problem.go({}, 1001).empty());
  CHECK(problem.state.attempt_name(0) == "a.1@12345678");
  const auto again =
      problem.go({{.what = What::wrong, .text = "status 1", .began = 1002, .ended = 1020}}, 1021);
  REQUIRE(again.size() == 1);
  CHECK(problem.job(0).failures == 1);
  CHECK(problem.job(0).ended == 1020);
  CHECK(problem.state.attempt_name(0) == "a.2@12345678");
  CHECK(problem.go({{.what = What::failed, .text = "status 9"}}, 1040).empty());
  CHECK(problem.job(0).phase == Phase::given_up);
  CHECK(problem.job(0).why == "its command failed (status 9), after 2 attempts");
  CHECK(problem.state.is_over());
}

TEST_CASE("submit: the next attempt has the next size") {
  Problem problem(1, "as-given");
  CHECK(problem.go({}, 1000)[0].processors == 8);
  CHECK(problem.go({{.what = What::wrong}}, 1020)[0].processors == 2);
}

TEST_CASE("submit: what nobody knows is asked for again, once it would have been seen") {
  Problem problem(1);
  note_begun(problem.state, problem.step({}, 1000)[0], 1000);
  CHECK(problem.job(0).phase == Phase::asked);
  CHECK(problem.step({{.what = What::missing}}, 1000 + kUnseen - 1).empty());
  SUBCASE("it is seen") {
    CHECK(problem.step({{.what = What::runs, .text = "7", .began = 1003}}, 1005).empty());
    CHECK(problem.job(0).phase == Phase::runs);
    CHECK(problem.job(0).number == "7");
    CHECK(problem.step({{.what = What::verified, .began = 1003, .ended = 1020}}, 1021).empty());
    CHECK(problem.job(0).phase == Phase::verified);
  }
  SUBCASE("it is not") {
    const std::string name = problem.state.attempt_name(0);
    std::int64_t now = 1000;
    for (std::int64_t ask = 1; ask < kAsks; ++ask) {
      take(problem.state, {.what = What::refused, .text = "no such account"}, now, problem.charge);
      now += kUnseen;
      const auto again = problem.step({{.what = What::missing}}, now);
      REQUIRE(again.size() == 1);
      note_begun(problem.state, again[0], now);
      CHECK(problem.state.attempt_name(0) == name);
    }
    CHECK(problem.step({{.what = What::missing}}, now + kUnseen).empty());
    CHECK(problem.job(0).phase == Phase::given_up);
    CHECK(problem.job(0).why == "no such account");
  }
}

TEST_CASE("submit: what left the queue may still have left a result") {
  Problem problem(1);
  problem.go({}, 1000);
  CHECK(problem.step({{.what = What::missing}}, 1010).empty());
  CHECK(problem.step({{.what = What::missing}}, 1009 + kResultLate).empty());
  SUBCASE("it has") {
    problem.step({{.what = What::verified, .began = 1001, .ended = 1008}}, 1010 + kResultLate);
    CHECK(problem.job(0).phase == Phase::verified);
  }
  SUBCASE("it has not") {
    CHECK(problem.step({{.what = What::missing}}, 1010 + kResultLate).size() == 1);
    CHECK(problem.job(0).failures == 1);
    CHECK(problem.job(0).why == "Slurm's job 7 left no result");
  }
  SUBCASE("somebody cancelled it") {
    CHECK(problem.step({{.what = What::stopped, .text = "Slurm's job 7 is cancelled"}}, 1011)
              .empty());
    CHECK(problem.job(0).phase == Phase::given_up);
  }
}

TEST_CASE("submit: never more processors than there are, however late attempts are") {
  for (const char* rule : {"lpa", "batch", "rolling", "min-area"}) {
    CAPTURE(rule);
    Problem problem(12, rule);
    std::int64_t now = 1000;
    for (int look = 0; !problem.state.is_over() && look < 200; ++look, now += 17) {
      std::vector<Event> events;
      std::int64_t busy = 0;
      for (std::size_t job = 0; job < problem.state.jobs.size(); ++job) {
        const Job& it = problem.job(job);
        if (it.is_under_way()) busy += it.processors;
        if (it.phase == Phase::queued && look % 3 == 0)
          events.push_back({.what = What::runs, .job = job, .text = "7", .began = now});
        if (it.phase == Phase::runs && (look + static_cast<int>(job)) % 4 == 0)
          events.push_back({.what = it.failures < 2 && job % 3 == 0 ? What::wrong : What::verified,
                            .job = job,
                            .began = it.began,
                            .ended = now});
      }
      CHECK(busy <= 8);
      const State before = read_state(to_value(problem.state)).value();
      const auto actions = problem.step(events, now);
      // One that was killed before it acted does the same.
      const State after = problem.state;
      problem.state = before;
      const auto again = problem.step(events, now);
      REQUIRE(again.size() == actions.size());
      for (std::size_t at = 0; at < again.size(); ++at) {
        CHECK(again[at].job == actions[at].job);
        CHECK(again[at].processors == actions[at].processors);
      }
      CHECK(to_value(problem.state) == to_value(after));
      for (const Action& action : actions) {
        note_begun(problem.state, action, now);
        take(problem.state, {.what = What::queued, .job = action.job, .text = "7"}, now,
             problem.charge);
      }
    }
    CHECK(problem.state.is_over());
  }
}

TEST_CASE("submit: what Slurm lists, and what attempts leave") {
  const auto seen = parse_attempts(
      "17|RUNNING|1795774788|a.1@12345678\n18|FAILED|N/A|b.1@12345678\n19|PENDING|N/"
      "A|b.1@12345678\n"
      "20|FAILED|N/A|b.1@12345678\n21|COMPLETED|1795774788|c.1@12345678\n22|RUNNING|9|of "
      "somebody|else\n");
  REQUIRE(seen);
  CHECK(seen->at("a.1@12345678").start == 1795774788);
  CHECK(seen->at("b.1@12345678").number == "19");  // of three with one name, the one that lives
  CHECK(parse_attempts("17|RUNNING\n").error().where == "squeue:1");
  Problem problem(4, "min-area");
  problem.go({}, 1000);
  const Scratch folder;
  std::ofstream(folder.path() / "c.1.result") << "wrong 3 1795774790 1795774799\n";
  std::ofstream(folder.path() / "d.1.result") << "";
  const auto events = events_of(problem.state, *seen, folder.path());
  REQUIRE(events.size() == 4);
  CHECK(events[0].what == What::runs);
  CHECK(events[1].what == What::queued);
  CHECK(events[1].text == "19");
  CHECK(events[2].what == What::wrong);
  CHECK(events[2].text == "status 3");
  CHECK(events[2].ended == 1795774799);
  CHECK(events[3].what == What::failed);
  problem.step(events, 1010);
  CHECK(problem.job(1).phase == Phase::queued);
}

TEST_CASE("submit: the command of an attempt") {
  Problem problem(1);
  const Action action{.job = 0, .processors = 3};
  const Form form{
      .folder = "/data/it's here", .directory = "/work", .size = Size::cpus, .more = {"--time=5"}};
  const auto words = command_of(problem.state, action, {"./solve 'x y'", "./check"}, form);
  CHECK(join(std::vector<std::string>(words.begin(), words.end() - 1), " ") ==
        "timeout 15 sbatch --parsable --open-mode=append --output=/data/it's here/a.1.out "
        "--chdir=/work "
        "--time=5 "
        "--job-name=a.1@12345678 --ntasks=1 --cpus-per-task=3");
  CHECK(words.back().find("f='/data/it'\\''s here/a.1'") != std::string::npos);
  CHECK(words.back().find("sh -c './solve '\\''x y'\\'''") != std::string::npos);
  CHECK(words.back().find("HOLDFAST_PROCESSORS=3") != std::string::npos);
}

}  // namespace holdfast::steward::submit
