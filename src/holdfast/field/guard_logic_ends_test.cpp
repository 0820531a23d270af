#include "holdfast/field/guard_logic_testing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::field;
using namespace holdfast::field::testing;

TEST_CASE(
    "guard: a failure loses the work since the last checkpoint, and the program starts again") {
  Job job({.trigger = Trigger::signal, .quick = 5});
  job.begin();
  job.save(100, 10);
  CHECK(job.at(180, event::Ended{.signal = SIGKILL}) == std::vector{Did::kill_all});
  CHECK(job.number("failure", "lost") == 70);
  CHECK_FALSE(*job.last("failure").find("quick")->boolean());
  CHECK(job.at(190).empty());  // something of it still lives
  CHECK(job.at(191, event::Cleared{}) == std::vector{Did::start});
  job.launch(191);
  CHECK(job.machine.run() == 2);
  CHECK(job.pace.told == "lrbsFlr");
}

TEST_CASE("guard: a failure while it saves loses all since the checkpoint before") {
  Job job;
  job.begin();
  job.save(100, 10);
  CHECK(job.at(210) == std::vector{Did::ask});
  job.at(215, event::Ended{.signal = SIGKILL});
  CHECK(job.number("failure", "lost") == 100);
  CHECK(job.number("failure", "saving") == 5);
}

TEST_CASE("guard: restarts wait longer from failure to failure, until a checkpoint") {
  Job job({.trigger = Trigger::signal, .quick = 0});
  job.begin();
  double date = 0;
  for (const double wait : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0}) {
    job.at(date += 1, event::Ended{.code = 1});
    job.at(date, event::Cleared{});
    CHECK(job.machine.wake() == date + wait);
    CHECK(job.at(date += wait) == std::vector{Did::start});
    job.launch(date);
  }
  job.save(date + 100, 1);
  job.at(date + 110, event::Ended{.code = 1});
  job.at(date + 110, event::Cleared{});
  CHECK(job.machine.wake() == date + 111);
}

TEST_CASE(
    "guard: three quick ends from one checkpoint set it aside; none is left: it gives up and says "
    "from where") {
  Job job({.trigger = Trigger::signal, .backoff = 0});
  job.begin();
  job.save(100, 10);
  job.at(200, event::Ended{.code = 1});  // after a checkpoint: not quick
  job.at(200, event::Cleared{});
  job.launch(200);
  double date = 200;
  for (const int left : {1, 0}) {
    for (int i = 0; i < 3; ++i) {
      const auto did = job.at(date += 1, event::Ended{.code = 1});
      CHECK((std::ranges::find(did, Did::set_aside) != did.end()) == (i == 2));
      job.at(date, event::Cleared{});
      if (i == 2) {
        CHECK(job.machine.phase() == Phase::waiting);
        job.at(date, event::Aside{.file = left == 1 ? "state" : "state.2",
                                  .left = static_cast<std::size_t>(left)});
      }
      if (job.machine.phase() == Phase::starting) job.launch(date);
    }
  }
  CHECK(job.machine.phase() == Phase::closing);
  CHECK(job.texts.back() ==
        "gave up: the program ended 3 times within 1 min of its start, last with exit code 1, from "
        "state and from state.2; its output is above");
  job.at(date, event::Cleared{});
  CHECK(job.code == 1);
  CHECK(std::ranges::count(job.pace.told, 'F') == 1);
  CHECK(std::ranges::count(job.pace.told, 'f') == 6);
}

TEST_CASE(
    "guard: so many ends without a new checkpoint set the present one aside, however late they "
    "come") {
  Job job({.trigger = Trigger::signal, .tries = 4, .backoff = 0});
  job.begin();
  job.save(100, 10);
  double date = 110;
  const auto end_late = [&](bool last) {
    const auto did = job.at(date += 90, event::Ended{.code = 1});
    CHECK((std::ranges::find(did, Did::set_aside) != did.end()) == last);
    job.at(date, event::Cleared{});
    if (!last) job.launch(date);
  };
  for (int i = 1; i <= 4; ++i) end_late(i == 4);
  job.at(date, event::Aside{.file = "state", .left = 1});
  CHECK(job.texts.back() ==
        "state is set aside: the program ended 4 times from there without a new one");
  job.launch(date);
  // A checkpoint ends the series; an end with a node that was seen to fail does not count.
  end_late(false);
  end_late(false);
  CHECK(job.at(date + 100) == std::vector{Did::ask});
  job.at(date + 101, event::Written{});
  job.at(date + 101, event::Kept{});
  date += 101;
  job.at(date + 80, event::NodeToBlame{.node = 1});
  end_late(false);
  for (int i = 1; i <= 4; ++i) end_late(i == 4);
  job.at(date, event::Aside{.file = "state.2", .left = 0});
  CHECK(job.machine.phase() == Phase::closing);
  CHECK(
      job.texts.back() ==
      "gave up: the program ended 4 times without a new checkpoint (--tries), last with exit code "
      "1, from state.2; its output is above");
}

TEST_CASE("guard: tries are counted across guards that were killed") {
  Job job({.trigger = Trigger::signal, .tries = 4, .backoff = 0});
  job.machine.resume({.launches = 3, .tries = 3});
  job.begin();
  job.at(90, event::Ended{.code = 1});
  job.at(90, event::Cleared{});
  job.at(90, event::Aside{});
  CHECK(
      job.texts.back() ==
      "gave up: the program ended 4 times without a new checkpoint (--tries), last with exit code "
      "1; its output is above");
}

TEST_CASE("guard: a program that its request ended is started again, and no node is blamed") {
  Job job({.trigger = Trigger::signal, .signal = SIGUSR1, .backoff = 0});
  job.begin();
  CHECK(job.at(100) == std::vector{Did::ask});
  job.at(100.1, event::Ended{.signal = SIGUSR1});
  CHECK(*job.last("failure").find("by_request")->boolean());
  CHECK_FALSE(*job.last("failure").find("quick")->boolean());
  CHECK(job.pace.told == "lrbf");
  CHECK(job.texts.back().starts_with("the request for a checkpoint ended the program"));
  CHECK(job.at(100.2, event::Cleared{}) == std::vector{Did::start});
  job.launch(100.2);
  // A launcher shows it by its exit code, and it is reported once.
  const std::size_t said = job.texts.size();
  CHECK(job.at(201) == std::vector{Did::ask});
  job.at(201.1, event::Ended{.code = 128 + SIGUSR1});
  CHECK(*job.last("failure").find("by_request")->boolean());
  CHECK(job.texts.size() == said + 1);
  job.at(201.2, event::Cleared{});
  job.launch(201.2);
  // That signal from somebody else is a failure like any other.
  job.at(280, event::Ended{.signal = SIGUSR1});
  CHECK(job.last("failure").find("by_request") == nullptr);
  CHECK(job.pace.told.back() == 'F');
}

TEST_CASE(
    "guard: without a checkpoint left it begins anew where it may, and without any it gives up") {
  Job job({.trigger = Trigger::signal, .quick_limit = 1, .backoff = 0});
  job.begin();
  job.at(1, event::Ended{.code = 1});
  job.at(1, event::Cleared{});
  CHECK(job.at(1, event::Aside{.file = "state", .may_begin_anew = true}) ==
        std::vector{Did::start_anew});
  job.launch(1);
  job.at(2, event::Ended{.code = 1});
  job.at(2, event::Cleared{});
  job.at(2, event::Aside{});
  CHECK(job.machine.phase() == Phase::closing);
}

TEST_CASE("guard: an exit code that a restart does not mend, and too many restarts, end the job") {
  Job final_code;
  final_code.begin();
  CHECK(final_code.at(1, event::Ended{.code = 127}) == std::vector{Did::kill_all, Did::kill_all});
  final_code.at(1, event::Cleared{});
  CHECK(final_code.code == 1);

  Job restarts({.trigger = Trigger::signal, .restarts = 1, .quick = 0, .backoff = 0});
  restarts.begin();
  restarts.at(1, event::Ended{.code = 1});
  CHECK(restarts.at(1, event::Cleared{}) == std::vector{Did::start});
  restarts.launch(1);
  restarts.at(2, event::Ended{.code = 1});
  CHECK(restarts.machine.phase() == Phase::closing);
  CHECK(restarts.texts.back() == "gave up: the program ended with exit code 1 after 1 restart");
}

TEST_CASE("guard: a signal has it save, end the program, and say that the same command continues") {
  Job job;
  job.begin();
  CHECK(job.at(40, event::Stop{.signal = SIGTERM}) == std::vector{Did::ask});
  job.at(45, event::Written{});
  CHECK(job.at(45, event::Kept{}) == std::vector{Did::terminate});
  CHECK(job.machine.wake() == 65);  // grace 25 s from the signal
  CHECK(job.at(46, event::Ended{.signal = SIGTERM}) == std::vector{Did::kill_all});
  CHECK(job.at(46, event::Cleared{}) == std::vector{Did::leave});
  CHECK(job.code == 130);
  CHECK(job.number("stop", "unsaved") == 0);
  CHECK(job.pace.told == "lrbse");
}

TEST_CASE(
    "guard: without time to save it ends at once, and what does not end is killed after the "
    "grace") {
  Job job;
  job.pace.cost = 24;
  job.begin();
  CHECK(job.at(40, event::Stop{.signal = SIGTERM}) == std::vector{Did::terminate});
  CHECK(job.at(64).empty());
  CHECK(job.at(65) == std::vector{Did::kill_all});
  job.at(65, event::Ended{.signal = SIGKILL});
  CHECK(job.number("stop", "unsaved") == 40);

  Job silent;
  silent.begin();
  CHECK(silent.at(40, event::Stop{.signal = SIGINT}) == std::vector{Did::ask});
  CHECK(silent.machine.wake() == 60);
  CHECK(silent.at(60) == std::vector{Did::terminate});
  CHECK(silent.at(61, event::Stop{.signal = SIGINT}) == std::vector{Did::kill_all});
}

TEST_CASE("guard: the allocation's end has it save in time and asks for another one") {
  Job job({.trigger = Trigger::signal, .requeues = true}, 100);
  job.at(0, event::TimeLeft{.seconds = 80});
  job.begin();
  CHECK(job.machine.wake() == 60);
  CHECK(job.at(60) == std::vector{Did::ask});
  job.at(70, event::Written{});
  CHECK(job.at(70, event::Kept{}) == std::vector{Did::terminate});
  CHECK(job.at(71, event::Ended{.code = 0}) == std::vector{Did::requeue, Did::kill_all});
  job.at(71, event::Cleared{});
  CHECK(job.code == 130);

  Job too_short;
  too_short.at(0, event::TimeLeft{.seconds = 10});
  CHECK(too_short.at(0, event::Begin{}) == std::vector{Did::kill_all});
  too_short.at(0, event::Cleared{});
  CHECK(too_short.code == 1);
}

TEST_CASE("guard: a program without a sign of life is killed, as a failure") {
  Job job({.trigger = Trigger::none, .quick = 0, .hang = 50});
  job.begin();
  job.at(30, event::Progress{.done = 1, .total = 10});
  CHECK(job.machine.wake() == 80);
  CHECK(job.at(80) == std::vector{Did::kill_all});
  CHECK(job.at(81, event::Ended{.signal = SIGKILL}) == std::vector{Did::kill_all});
  CHECK(*job.last("failure").find("hang")->boolean());
}

TEST_CASE("guard: a node that is down means another allocation, not a restart in place") {
  Job job({.trigger = Trigger::signal, .quick = 0, .requeues = true});
  job.begin();
  job.at(50, event::NodeToBlame{.node = 3});
  CHECK(job.at(50, event::MustRequeue{}).empty());
  job.at(50, event::Ended{.signal = SIGKILL});
  CHECK(job.pace.blamed == 3);
  CHECK(job.at(51, event::Cleared{}) == std::vector{Did::requeue, Did::kill_all});
  job.at(51, event::Cleared{});
  CHECK(job.code == 130);
}

TEST_CASE("guard: USR1 saves now, USR2 saves and ends, and a guard that was stopped asks once") {
  Job job;
  job.begin();
  CHECK(job.at(10, event::SaveNow{}) == std::vector{Did::ask});
  job.at(11, event::Written{});
  job.at(11, event::Kept{});
  CHECK(job.at(1000) == std::vector{Did::ask});
  CHECK(job.at(1001).empty());
  job.at(1002, event::Written{});
  job.at(1002, event::Kept{});
  CHECK(job.at(1010, event::EndNow{}) == std::vector{Did::ask});
  job.at(1012, event::Written{});
  CHECK(job.at(1012, event::Kept{}) == std::vector{Did::terminate});
}

TEST_CASE("guard: a node that somebody saw fail just before the program ended is to blame") {
  Job job({.trigger = Trigger::signal, .quick = 0});
  job.begin();
  job.at(50, event::NodeFailed{.node = 3, .name = "n3"});
  CHECK(job.pace.told == "lrn");
  CHECK(*job.last("renewal").find("node")->string() == "n3");
  job.at(51, event::Ended{.signal = SIGKILL});
  CHECK(job.pace.blamed == 3);
  CHECK(job.number("failure", "node") == 3);
  job.at(52, event::Cleared{});
  job.launch(60);
  // Not what follows it.
  job.at(70, event::Ended{.signal = SIGKILL});
  CHECK_FALSE(job.pace.blamed.has_value());
  job.at(71, event::Cleared{});
  job.launch(80);
  // Nor much later.
  job.at(90, event::NodeFailed{.node = 4, .name = "n4"});
  job.at(90 + 61, event::Ended{.signal = SIGKILL});
  CHECK_FALSE(job.pace.blamed.has_value());
}
