#include "holdfast/field/guard_logic_testing.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::field;
using namespace holdfast::field::testing;

namespace {

/// A job whose asynchronous checkpoint took from 100 s to 104 s and is not safe yet.
Job in_flight() {
  Job job({.trigger = Trigger::api, .tells_ready = true, .quick = 0});
  job.begin();
  job.at(0, event::Ready{});
  job.at(100, event::Begun{.is_asynchronous = true});
  CHECK(job.at(104, event::Written{}).empty());
  CHECK(job.machine.phase() == Phase::running);
  return job;
}

}  // namespace

TEST_CASE("guard: an asynchronous checkpoint counts when it is durable") {
  Job job = in_flight();
  CHECK(job.number("snapshot", "seconds") == 4);
  CHECK(job.machine.unsaved(110) == 106);
  CHECK_FALSE(job.machine.has_checkpoint());
  CHECK(job.at(124, event::Durable{}) == std::vector{Did::keep});
  job.at(125, event::Kept{});
  CHECK(job.number("durable", "work") == 100);
  CHECK(job.number("durable", "seconds") == 4);
  CHECK(job.number("durable", "flush") == 20);
  CHECK(job.machine.unsaved(125) == 21);
  CHECK(job.pace.told == "lrbsd");
}

TEST_CASE("guard: a failure before it is durable loses its work too") {
  Job job = in_flight();
  job.at(114, event::Ended{.signal = SIGKILL});
  CHECK(job.number("failure", "lost") == 110);
  job.at(115, event::Cleared{});
  job.launch(120);
  job.at(121, event::Ready{});
  job.at(122, event::Durable{});  // of the run before
  CHECK_FALSE(job.machine.has_checkpoint());
}

TEST_CASE("guard: a checkpoint that is safe covers an older one that is not") {
  Job job = in_flight();
  job.at(204, event::Begun{});
  CHECK(job.at(206, event::Written{}) == std::vector{Did::keep});
  job.at(206, event::Kept{});
  CHECK(job.number("checkpoint", "work") == 200);
  CHECK(job.machine.unsaved(206) == 0);
  // Nor is the work of one counted twice that fails afterwards.
  Job failed = in_flight();
  failed.at(110, event::SaveFailed{});
  CHECK(failed.machine.unsaved(110) == 106);
  failed.at(120, event::Begun{});
  failed.at(121, event::Written{});
  failed.at(121, event::Kept{});
  CHECK(failed.number("checkpoint", "work") == 116);
}

TEST_CASE("guard: the last checkpoint before an end is waited for until it is durable") {
  Job job({.trigger = Trigger::api, .tells_ready = true});
  job.begin();
  job.at(0, event::Ready{});
  CHECK(job.at(40, event::Stop{.signal = SIGTERM}) == std::vector{Did::ask});
  job.at(41, event::Begun{.is_asynchronous = true});
  CHECK(job.at(42, event::Written{}).empty());
  CHECK(job.at(44, event::Durable{}) == std::vector{Did::keep});
  CHECK(job.at(44, event::Kept{}) == std::vector{Did::terminate});
  job.at(45, event::Ended{.code = 0});
  CHECK(job.number("stop", "unsaved") == 0);
}

TEST_CASE("guard: a request without an answer is spoken of, once") {
  Job job;
  job.pace.cost = 20;
  job.begin();
  job.at(100);
  CHECK(job.machine.wake() == 300);  // ten times what it costs, and at least a minute
  job.at(299);
  CHECK(job.texts.empty());
  job.at(300);
  CHECK(
      job.texts.back().starts_with("no new checkpoint 3 min 20 s after it was asked for; likely"));
  CHECK(job.last("warning").find("text") != nullptr);
  job.at(400);
  CHECK(job.texts.size() == 1);
  Job cheap;
  cheap.begin();
  cheap.at(100);
  CHECK(cheap.machine.wake() == 160);
}

TEST_CASE("guard: a start that takes ten times the last one is spoken of") {
  Job job({.trigger = Trigger::api, .tells_ready = true, .quick = 0, .backoff = 0});
  job.begin();
  job.at(20, event::Ready{});
  job.at(30, event::Ended{.code = 1});
  job.at(30, event::Cleared{});
  job.launch(30);
  job.at(229);
  CHECK(job.texts.size() == 1);  // of the end
  CHECK(job.machine.wake() == 230);
  job.at(230);
  CHECK(job.texts.back().starts_with(
      "the program is not ready after 3 min 20 s, and the last start"));
}

TEST_CASE("guard: a start that does nothing at all is spoken of") {
  for (const bool tells_ready : {true, false}) {
    Job job({.trigger = Trigger::none, .tells_ready = tells_ready});
    job.begin();
    job.at(200, event::Busy{});
    job.at(400, event::Alive{});
    job.at(699);
    CHECK(job.texts.empty());
    job.at(700);
    REQUIRE(job.texts.size() == 1);
    CHECK(
        job.texts[0].starts_with("the program has used no processor time and written nothing for "
                                 "5 min since its start"));
    job.at(2000);
    CHECK(job.texts.size() == 1);
  }
  Job works({.trigger = Trigger::none});
  works.begin();
  works.at(10, event::Progress{.done = 1});
  works.at(900);
  CHECK(works.texts.empty());
}

TEST_CASE("guard: a stop before anything is saved does not say that all is saved") {
  Job job({.trigger = Trigger::none, .quick = 0});
  job.begin();
  job.at(100, event::Ended{.code = 1});
  job.at(100, event::Stop{.signal = SIGINT});
  CHECK(job.texts.back() == "stopped (signal 2); no work was saved yet");
  Job saved;
  saved.machine.resume({.launches = 1, .checkpoints = 1});
  saved.begin();
  saved.at(100, event::Ended{.code = 1});
  saved.at(100, event::Stop{.signal = SIGINT});
  CHECK(saved.texts.back() == "stopped (signal 2), all work saved");
}
