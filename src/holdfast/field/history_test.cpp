#include "holdfast/field/history.hpp"

#include "holdfast/field/guard_report.hpp"
#include "holdfast/field/replay.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace holdfast;
using namespace holdfast::field;

namespace {

Value at(double clock, std::string_view kind, const Value& more = Value::object()) {
  Value out = Value::object({{"clock", clock}, {"time", 1000 + clock}, {"kind", kind}});
  for (const auto& [name, value] : *more.members()) out.set(name, value);
  return out;
}

Value saved(double work, double seconds) {
  return Value::object({{"ok", true}, {"work", work}, {"seconds", seconds}});
}

/// 100 s of work, twice a checkpoint of 5 s, a failure 30 s later, 10 s of downtime and 20 s of recovery, and the rest.
History told() {
  History out;
  out.take(at(0, "launch"));
  out.take(at(105, "checkpoint", saved(100, 5)));
  out.take(at(210, "checkpoint", saved(100, 5)));
  out.take(at(240, "failure", Value::object({{"signal", 9}, {"lost", 30}, {"quick", false}})));
  out.take(at(250, "launch"));
  out.take(at(270, "ready", Value::object({{"seconds", 20}})));
  out.take(at(275, "hitherto unknown"));
  return out;
}

}  // namespace

TEST_CASE("history: a fold over the lines knows where the time went") {
  History history = told();
  CHECK(history.launches == 2);
  CHECK(history.saved == 200);
  CHECK(history.lost == 30);
  CHECK(history.saving == 10);
  CHECK(history.down == 10);
  CHECK(history.recovering == 20);
  CHECK(history.end.empty());
  REQUIRE(history.failures.size() == 1);
  CHECK(history.failures[0].cause == "signal 9");
  history.take(at(370, "finish", Value::object({{"code", 0}, {"work", 100}})));
  CHECK(history.saved == 300);
  CHECK(history.saved + history.lost + history.saving + history.down + history.recovering ==
        history.clock);
}

TEST_CASE("history: the first launch tells whether a checkpoint was there when the job began") {
  for (const char* from : {"", "state.ckpt"}) {
    History history;
    history.take(at(0, "launch", Value::object({{"from", from}})));
    history.take(at(9, "launch", Value::object({{"from", "state.ckpt"}})));
    CHECK(history.began_empty == std::string(from).empty());
  }
  CHECK_FALSE(told().began_empty);  // not known
}

TEST_CASE("history: a guard that was killed loses what it had not seen saved") {
  History history = told();
  history.take(at(300, "progress", Value::object({{"done", 3}, {"total", 4}})));
  history.take(at(300, "launch"));
  CHECK(history.killed_guards == 1);
  CHECK(history.lost == 30 + 30);
  CHECK(history.done == 3);
}

TEST_CASE("history: a status says what is known") {
  History history = told();
  history.take(at(280, "due"));
  const auto lines = status_lines(history, true, 1290);
  CHECK(lines[0] == "running for 4 min 50 s, 2 launches");
  CHECK(lines[1] == "3 min 20 s of work saved in 2 checkpoints, 30 s lost in 1 failure");
  CHECK(lines[2] == "asked for a checkpoint 10 s ago");
  CHECK(status_lines(history, false, 1290)[0] == "no guard runs here; the last one was killed");
}

TEST_CASE("replay: a period as long as the guard's loses the same") {
  // A period of 1 h saves nothing before the failure at 240 s, and loses all of it.
  History history = told();
  history.take(at(370, "finish", Value::object({{"code", 0}, {"work", 100}})));
  const GuardedJob job{.instance = Value::object({{"failures", Value::object({{"mtbf", 1000}})}}),
                       .advice = {}};
  const auto replayed = replay(history, job);
  REQUIRE(replayed);
  CHECK(replayed->measured == 370);
  CHECK(replayed->failures == 1);
  REQUIRE(replayed->strategies.size() == 4);
  const Replayed& last = replayed->strategies.back();
  CHECK(last.strategy.starts_with("fixed"));
  CHECK(last.makespan == 240 + 10 + 20 + 300);
  CHECK(last.failures == 1);
  CHECK(last.outlives_record);
  // After the record a failure strikes every 1000 s, and each takes all that was done: more than the 570 s, and more than
  // the 300 s of work alone would take on average, 1000 s (e^0.3 - 1) = 350 s.
  REQUIRE(last.continued);
  CHECK(last.draws == 200);
  CHECK(*last.continued > last.makespan);
  CHECK(*last.continued < 270 + 2 * 350);
  const Replayed& own = replayed->strategies.front();
  CHECK(own.strategy == "advised");
  CHECK(own.makespan < last.makespan);
  CHECK(replay(History{}, job)->strategies.empty());
  const auto lines = report_lines(history, *replayed);
  CHECK(std::ranges::find(lines, "  as it was            6 min 10 s, 1 failure") != lines.end());
}

TEST_CASE("replay: the first row is the guard's own strategy") {
  History history = told();
  history.take(at(370, "finish", Value::object({{"code", 0}, {"work", 100}})));
  const auto first = [&](const Value& advice) {
    const auto replayed =
        replay(history, {.instance = Value::object({{"failures", Value::object({{"mtbf", 1000}})}}),
                         .advice = advice});
    REQUIRE(replayed);
    return replayed->strategies.front().strategy;
  };
  CHECK(first(Value::object({{"strategy", "fixed:period=100"}})) == "fixed:period=100");
  CHECK(first(Value::object({{"strategy", "advised"}, {"trust", "inf"}})) == "advised:trust=inf");
  // A checkpoint each 100 s of work: this gives the record, except for its last checkpoint, which was not made.
  const auto replayed =
      replay(history, {.instance = Value::object({{"failures", Value::object({{"mtbf", 1000}})}}),
                       .advice = Value::object({{"strategy", "fixed:period=100"}})});
  CHECK(replayed->strategies.front().makespan == 370);
}

TEST_CASE("history: a restart after a save is neither a failure nor a killed guard") {
  History history = told();
  history.take(at(300, "restart", Value::object({{"saved", true}, {"lost", 0}, {"code", 0}})));
  history.take(at(302, "launch"));
  CHECK(history.restarts == 1);
  CHECK(history.killed_guards == 0);
  CHECK(history.down == 10 + 2);
  CHECK(history.failures.back().down == 10);
  history.take(at(310, "restart", Value::object({{"saved", false}, {"lost", 8}, {"code", 0}})));
  CHECK(history.lost == 30 + 8);
}

TEST_CASE("history: a failure that the program survived, and a checkpoint that is durable later") {
  History history = told();
  history.take(at(300, "failure", Value::object({{"survived", true}, {"lost", 30}})));
  CHECK(history.failures.back().cause == "the program began again");
  CHECK(history.lost == 60);
  CHECK(history.tries == 1);  // only of the end before
  history.take(at(320, "snapshot", Value::object({{"work", 20}, {"seconds", 1}})));
  CHECK(history.saved == 200);
  history.take(at(330, "durable", Value::object({{"ok", true}, {"work", 20}, {"seconds", 1}})));
  CHECK(history.saved == 220);
  CHECK(history.saving == 11);
  CHECK(history.checkpoints == 3);
  history.take(at(340, "finish", Value::object({{"work", 10}})));
  CHECK(history.killed_guards == 0);
}

TEST_CASE("history: a warning stands in the status until a checkpoint is there") {
  History history = told();
  history.take(at(280, "due"));
  history.take(at(345, "warning", Value::object({{"text", "no new checkpoint"}})));
  const auto lines = status_lines(history, true, 1345);
  CHECK(std::ranges::find(lines, "warning: no new checkpoint") != lines.end());
  history.take(at(350, "checkpoint", saved(50, 5)));
  CHECK(history.warning.empty());
}

TEST_CASE("replay: of many checkpoints, the first ones are replayed, and the report says so") {
  History history;
  history.take(at(0, "launch"));
  double clock = 0;
  for (std::int64_t i = 0; i < 2 * kSample; ++i) {
    clock += 105;
    history.take(at(clock, "checkpoint", saved(100, 5)));
  }
  const GuardedJob job = {.instance = Value::object({{"failures", Value::object({{"mtbf", 1e6}})}}),
                          .advice = Value::object({{"strategy", "fixed:period=100"}})};
  const auto replayed = replay(history, job);
  REQUIRE(replayed);
  CHECK(replayed->checkpoints == kSample);
  CHECK(replayed->measured == 105.0 * kSample);
  CHECK(replayed->strategies.front().makespan == 105.0 * kSample);
  const auto lines = report_lines(history, *replayed);
  CHECK(std::ranges::any_of(lines, [](const std::string& line) {
    return line.starts_with("of the first 2000 checkpoints, the same work and failures");
  }));
}

TEST_CASE("replay: a journal of more work than any job does is not replayed") {
  const GuardedJob job = {.instance = Value::object({{"failures", Value::object({{"mtbf", 1e6}})}}),
                          .advice = Value::object()};
  for (const double work : {1e30, 1e12, 700.0}) {
    History history;
    history.take(at(0, "launch"));
    history.take(at(work == 700 ? 105 : 2 * work, "checkpoint", saved(work, 5)));
    CHECK(replay(history, job)->strategies.empty());
  }
}
