#include "holdfast/field/guard_logic_testing.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::field;
using namespace holdfast::field::testing;

TEST_CASE(
    "guard: a checkpoint is asked for when it is due, and the next one a period after its end") {
  Job job;
  job.begin();
  CHECK(job.machine.phase() == Phase::running);
  CHECK(job.machine.wake() == 100);
  CHECK(job.at(99).empty());
  job.save(100, 10);
  CHECK(job.machine.wake() == 210);
  CHECK(job.number("checkpoint", "work") == 100);
  CHECK(job.number("checkpoint", "seconds") == 10);
  CHECK(job.machine.unsaved(150) == 40);
  CHECK(job.at(160, event::Ended{}) == std::vector{Did::list_leftovers, Did::leave});
  CHECK(job.code == 0);
  CHECK(job.pace.told == "lrbse");
}

TEST_CASE("guard: a checkpoint took until its last change, and what was done since is unsafe") {
  Job job;
  job.begin();
  job.at(100);
  job.at(105, event::Written{});
  job.at(106, event::Kept{.date = 104});
  CHECK(job.number("checkpoint", "seconds") == 4);
  CHECK(job.machine.unsaved(107) == 3);
}

TEST_CASE("guard: where a program says ready, work starts there, and R is the time before") {
  Job job({.trigger = Trigger::signal, .tells_ready = true});
  job.begin();
  CHECK(job.machine.phase() == Phase::starting);
  CHECK(job.at(50).empty());
  job.at(60, event::Ready{});
  CHECK(job.number("ready", "seconds") == 60);
  CHECK(job.machine.wake() == 160);
}

TEST_CASE("guard: a program that does not answer is left alone, and asked again") {
  Job job({.trigger = Trigger::signal, .checkpoint_timeout = 30});
  job.begin();
  job.at(100);
  CHECK(job.machine.wake() == 130);
  CHECK(job.at(130).empty());
  CHECK(job.machine.phase() == Phase::running);
  CHECK(job.machine.unsaved(130) == 130);  // it was not seen to write, so it has worked
  CHECK(job.pace.told == "lrbx");
  CHECK(*job.last("checkpoint").find("ok")->boolean() == false);
}

TEST_CASE("guard: a checkpoint that its check refuses is none") {
  Job job;
  job.begin();
  job.at(100);
  job.at(110, event::Written{});
  job.at(111, event::Refused{.why = "--verify ended with exit code 1"});
  CHECK(job.pace.told == "lrbx");
  CHECK(job.machine.unsaved(111) == 100);
}

TEST_CASE("guard: a program that saves by itself is watched") {
  Job job({.trigger = Trigger::none});
  job.begin();
  CHECK(job.at(150).empty());
  job.at(160, event::Begun{});
  CHECK(job.machine.phase() == Phase::saving);
  CHECK(job.at(165, event::Written{}) == std::vector{Did::keep});
  job.at(165, event::Kept{.date = 164});
  CHECK(job.number("checkpoint", "work") == 160);
  CHECK(job.number("checkpoint", "seconds") == 4);
}

TEST_CASE("guard: what was done last is written down at the end too") {
  Job job({.trigger = Trigger::none});
  job.begin();
  job.at(1, event::Progress{.done = 1, .total = 10});
  job.at(30, event::Progress{.done = 9, .total = 10});
  CHECK(job.number("progress", "done") == 1);  // once a minute
  job.at(31, event::Ended{});
  CHECK(job.number("progress", "done") == 9);
}

TEST_CASE(
    "guard: a program with an advisor of its own is asked only before an end, or when somebody "
    "wants it") {
  Job job({.trigger = Trigger::api, .tells_ready = true});
  job.begin();
  CHECK(job.machine.phase() == Phase::starting);
  job.at(10, event::Ready{});
  CHECK(job.at(500).empty());  // long after a period
  job.at(600, event::Begun{});
  CHECK(job.at(605, event::Written{}) == std::vector{Did::keep});
  job.at(605, event::Kept{});
  CHECK(job.number("checkpoint", "work") == 590);
  CHECK(job.at(700, event::SaveNow{}) == std::vector{Did::ask});
  job.at(701, event::Begun{});
  CHECK(job.number("begun", "seconds") == 1);
  job.at(705, event::Written{});
  job.at(705, event::Kept{});
  CHECK(job.at(800, event::Stop{.signal = SIGTERM}) == std::vector{Did::ask});
  job.at(805, event::Written{});
  CHECK(job.at(805, event::Kept{}) == std::vector{Did::terminate});
}

TEST_CASE("guard: a program that saves is ready, whether it said so or not") {
  Job job({.trigger = Trigger::api, .tells_ready = true});
  job.begin();
  job.at(30, event::Begun{});
  CHECK(job.machine.phase() == Phase::saving);
  CHECK(job.number("ready", "seconds") == 30);
}
