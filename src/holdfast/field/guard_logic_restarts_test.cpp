#include "holdfast/field/guard_logic_testing.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace holdfast;
using namespace holdfast::field;
using namespace holdfast::field::testing;

namespace {

/// A job that is asked at 100 s, and ends at 105 s in this way. What it left is looked at once no process is left.
Job ended(Rules rules, const event::Ended& end) {
  Job job(std::move(rules));
  job.begin();
  CHECK(job.at(100) == std::vector{Did::ask});
  CHECK(job.at(105, end) == std::vector{Did::kill_all});
  CHECK(job.at(105, event::Cleared{}) == std::vector{Did::keep});
  return job;
}

bool flag(const Value& entry, std::string_view name) {
  return *entry.find(name)->boolean();
}

constexpr auto kFile = Trigger::stop_file;

}  // namespace

TEST_CASE("guard: a program that saves and ends is started again, and a restart is no failure") {
  for (const Trigger trigger : {Trigger::stop, Trigger::file, kFile}) {
    Job job = ended({.trigger = trigger, .has_file = true}, {.code = 0});
    CHECK_FALSE(job.is_doubtful);
    CHECK(job.at(106, event::Kept{.date = 105}) == std::vector{Did::start});
    CHECK(job.number("checkpoint", "work") == 100);
    CHECK(job.number("checkpoint", "seconds") == 5);
    CHECK(flag(job.last("restart"), "saved"));
    CHECK(job.number("restart", "lost") == 0);
    job.launch(106);
    CHECK(job.pace.told == "lrbselr");
  }
}

TEST_CASE("guard: a program that stops at a signal is watched without a file too") {
  Job job({.trigger = Trigger::stop});
  job.begin();
  job.at(100);
  job.at(105, event::Ended{.code = 3});
  CHECK(job.at(105, event::Cleared{}) == std::vector{Did::keep});
  Job refused = ended({.trigger = Trigger::stop}, {.code = 3});
  refused.at(106, event::Refused{.why = "no new checkpoint"});
  CHECK(refused.number("failure", "code") == 3);
  CHECK(refused.number("failure", "lost") == 100);
  CHECK(refused.number("failure", "saving") == 5);
  Job finished = ended({.trigger = Trigger::stop}, {.code = 0});
  finished.at(106, event::Refused{.why = "no new checkpoint"});
  CHECK(finished.code == 0);
}

TEST_CASE(
    "guard: a program that went on after its own save has worked, and has not saved so long") {
  Job job({.trigger = kFile, .has_file = true});
  job.begin();
  job.at(100);
  job.at(130, event::Ended{.code = 0});
  job.at(130, event::Cleared{});
  CHECK(job.at(131, event::Kept{.date = 101}) == std::vector{Did::start});
  CHECK(job.number("checkpoint", "seconds") == 1);
  CHECK(flag(job.last("restart"), "saved"));
  CHECK(job.number("restart", "lost") == 29);
}

TEST_CASE("guard: exit codes of a program that a file stops") {
  // 255 with a new checkpoint is a save, and without one a failure, as is any other code.
  Job saved = ended({.trigger = kFile, .has_file = true}, {.code = 255});
  CHECK(saved.at(106, event::Kept{}) == std::vector{Did::start});
  Job failed = ended({.trigger = kFile, .has_file = true}, {.code = 255});
  failed.at(106, event::Refused{.why = "not new"});
  CHECK(failed.number("failure", "code") == 255);
  Job other = ended({.trigger = kFile, .has_file = true}, {.code = 1});
  CHECK(other.is_doubtful);  // it does not say that it had saved
  Job own = ended({.trigger = kFile, .saved_codes = {7}, .has_file = true}, {.code = 7});
  CHECK_FALSE(own.is_doubtful);
  // Without a request nothing is looked at.
  Job unasked({.trigger = kFile, .has_file = true, .quick = 0});
  unasked.begin();
  unasked.at(50, event::Ended{.code = 255});
  CHECK(unasked.number("failure", "lost") == 50);
  Job done({.trigger = kFile, .has_file = true});
  done.begin();
  done.at(50, event::Ended{.code = 0});
  CHECK(done.code == 0);
}

TEST_CASE("guard: an end without an error and without a checkpoint is tried once more") {
  Job job = ended({.trigger = kFile, .has_file = true}, {.code = 0});
  CHECK(job.at(106, event::Refused{.why = "not new"}) == std::vector{Did::start});
  CHECK_FALSE(flag(job.last("restart"), "saved"));
  CHECK(job.number("restart", "lost") == 105);
  CHECK(job.pace.told == "lrbe");  // neither a save nor a failure
  job.launch(106);
  CHECK(job.at(206).empty());  // it may come to the same end by itself
  CHECK(job.machine.wake() == 106 + 210);
  CHECK(job.at(316) == std::vector{Did::ask});
  job.at(318, event::Ended{.code = 0});
  job.at(318, event::Cleared{});
  job.at(319, event::Refused{.why = "not new"});
  CHECK(job.code == 0);
  CHECK(job.texts.back() ==
        "the program ended again with exit code 0 and without a new checkpoint: it has finished");
  CHECK(job.number("finish", "work") == 210 + 2);  // it was not seen to save
}

TEST_CASE("guard: a program that a request ends, and that saves nothing, has not finished") {
  Job job = ended({.trigger = kFile, .has_file = true}, {.code = 0, .took_request = true});
  CHECK(job.at(106, event::Refused{.why = "not new"}) == std::vector{Did::start});
  CHECK(job.texts.back().starts_with("the program took the file that asks it to save and ended"));
  job.launch(106);
  CHECK(job.at(1106).empty());  // it is not asked any more
  job.at(1106, event::SaveNow{});
  CHECK(job.machine.phase() == Phase::running);
  // It saves by itself, and its own end is the end.
  job.at(1200, event::Written{});
  job.at(1201, event::Kept{});
  CHECK(job.at(1301).empty());
  job.at(1400, event::Ended{.code = 0, .took_request = true});
  CHECK(job.code == 0);
  // Nor does the next guard ask it.
  CHECK(flag(job.last("restart"), "in_vain"));
  Job next({.trigger = kFile, .has_file = true});
  next.machine.resume({.launches = 2, .saves_not = true});
  next.begin();
  CHECK(next.at(1000).empty());
}

TEST_CASE("guard: an end without an error is tried once more where no file can be looked at") {
  Job job({.trigger = Trigger::file});
  job.begin();
  job.at(100);
  CHECK(job.at(105, event::Ended{.code = 0, .took_request = true}) == std::vector{Did::kill_all});
  CHECK(job.machine.phase() == Phase::waiting);
  CHECK_FALSE(job.machine.is_left_alone());  // it may have saved
  CHECK(job.at(105, event::Cleared{}) == std::vector{Did::start});
}

TEST_CASE("guard: a checkpoint between two such ends begins the count anew") {
  Job job = ended({.trigger = kFile, .has_file = true}, {.code = 0});
  job.at(106, event::Refused{.why = "not new"});
  job.launch(106);
  job.at(316);
  job.at(318, event::Ended{.code = 0});
  job.at(318, event::Cleared{});
  CHECK(job.at(319, event::Kept{}) == std::vector{Did::start});
  job.launch(319);
  job.at(419);
  job.at(420, event::Ended{.code = 0});
  job.at(420, event::Cleared{});
  CHECK(job.at(421, event::Refused{.why = "not new"}) == std::vector{Did::start});
}

TEST_CASE("guard: a program that has done all of its work has finished, whatever it was asked") {
  for (const auto& [is_saved, code] : {std::pair(true, 0), {false, 0}, {true, 255}}) {
    Job job({.trigger = kFile, .has_file = true});
    job.begin();
    job.at(100);
    job.at(101, event::Progress{.done = 10, .total = 10});
    job.at(105, event::Ended{.code = code});
    job.at(105, event::Cleared{});
    job.at(106, is_saved ? Event(event::Kept{}) : Event(event::Refused{.why = "not new"}));
    CHECK(job.code == 0);
  }
}

TEST_CASE("guard: what an end during a request left is looked at before work is called lost") {
  Job saved = ended({.trigger = Trigger::signal, .has_file = true, .quick = 0}, {.code = 1});
  CHECK(saved.is_doubtful);
  saved.at(106, event::Kept{.date = 104});
  CHECK(saved.number("checkpoint", "work") == 100);
  CHECK(saved.number("failure", "lost") == 1);
  CHECK(saved.last("failure").find("saving") == nullptr);
  CHECK(saved.pace.told == "lrbsF");
  Job half = ended({.trigger = Trigger::signal, .has_file = true, .quick = 0}, {.signal = 9});
  half.at(106, event::Refused{.why = "half"});
  CHECK(half.number("failure", "lost") == 100);
  CHECK(half.number("failure", "saving") == 5);
  // A program that ends well has finished.
  Job done({.trigger = Trigger::signal, .has_file = true});
  done.begin();
  done.at(100);
  done.at(105, event::Ended{.code = 0});
  CHECK(done.code == 0);
  CHECK(done.number("finish", "work") == 105);
}

TEST_CASE("guard: the last checkpoint before a stop is looked at too") {
  Job job({.trigger = Trigger::signal, .has_file = true});
  job.begin();
  job.at(40, event::Stop{.signal = SIGTERM});
  job.at(45, event::Ended{.code = 1});
  job.at(45, event::Cleared{});
  job.at(46, event::Kept{.date = 44});
  CHECK(job.number("stop", "unsaved") == 1);
}

TEST_CASE("guard: a program that begins again without an end has failed, and goes on") {
  Job job({.trigger = Trigger::api, .tells_ready = true, .quick = 0});
  job.begin();
  job.at(10, event::Ready{});
  job.at(60, event::Ready{});
  CHECK(flag(job.last("failure"), "survived"));
  CHECK(job.number("failure", "lost") == 50);
  CHECK(job.machine.phase() == Phase::running);
  CHECK(job.machine.unsaved(70) == 10);
  job.at(80, event::Begun{});
  job.at(85, event::Ready{});  // in its checkpoint
  CHECK(job.number("failure", "lost") == 20);
  CHECK(job.number("failure", "saving") == 5);
  CHECK(job.pace.told == "lrVbxV");
  // A program that only saves and then says that it is ready has not begun again.
  Job late({.trigger = Trigger::api, .tells_ready = true});
  late.begin();
  late.at(10, event::Begun{});
  late.at(11, event::Written{});
  late.at(11, event::Kept{});
  late.at(12, event::Ready{});
  CHECK(late.pace.told == "lrbs");
}
