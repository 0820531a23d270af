#include "holdfast/domains/capacity/strategies/queue_scan.hpp"

#include "holdfast/domains/capacity/goodput_bound.hpp"
#include "holdfast/domains/capacity/testing.hpp"
#include "holdfast/domains/capacity/workload.hpp"

#include <doctest/doctest.h>

using namespace holdfast;
using namespace holdfast::capacity;

namespace {

// 30 jobs on up to four machines, of which some go off.
Instance any_changes(std::uint64_t seed) {
  Stream stream({.seed = seed});
  std::vector<Step> alive;
  for (std::int64_t time = 0; time < 200; time += stream.integer(1, 30))
    alive.push_back({time, stream.integer(1, 4)});
  Instance instance = testing::machines_of(std::move(alive), 200);
  for (int i = 0; i < 30; ++i)
    testing::add_job(instance, stream.integer(0, 199), stream.integer(1, 4), stream.integer(1, 60),
                     stream.uniform());
  return instance;
}

// The run of a `drain` with these errors.
std::string drained(const Instance& instance, std::int64_t notice, const NoticeErrors& errors) {
  const StrategyMaker maker = [&](ClusterState& cluster) {
    return std::make_unique<QueueScan>(cluster, notice, errors);
  };
  testing::Run out;
  out.tasks = tasks_of(instance);
  out.metrics = simulate(instance, out.tasks, maker, &out.log);
  const auto ranks = ranks_of(maker, instance, out.tasks);
  CHECK(validate(instance, out.tasks, out.metrics, out.log, ranks));
  return testing::text_of(out);
}

}  // namespace

TEST_CASE("clairvoyant: starts a job only where it is not killed") {
  // Machine 1 goes off at 50. The job of 60 s waits for machine 0, the one of 50 s ends just in time.
  Instance instance = testing::machines_of({{0, 2}, {50, 1}}, 200);
  testing::add_job(instance, 0, 4, 40);
  testing::add_job(instance, 0, 4, 60);
  testing::add_job(instance, 0, 4, 50);
  CHECK(testing::text_of(testing::run_of(instance, "clairvoyant")) ==
        "0@0:0-40 2@1:0-50 1@0:40-100 ");
  // First fit loses it.
  CHECK(testing::text_of(testing::run_of(instance, "first-fit-aware")) ==
        "0@0:0-40 1@1:0-50x 2@0:40-90 1@0:90-150 ");
}

TEST_CASE("clairvoyant: a job may go on at the end of the window, and a machine comes back") {
  Instance instance = testing::machines_of({{0, 1}, {10, 0}, {20, 1}}, 100);
  testing::add_job(instance, 0, 4, 30);
  testing::add_job(instance, 5, 2, 500);
  CHECK(testing::text_of(testing::run_of(instance, "clairvoyant")) == "0@0:20-50 1@0:50-100 ");
}

TEST_CASE("drain: starts no job that would be killed by a shutdown that has been announced") {
  // Machine 1 goes off at 50, which is known from 20 on.
  Instance instance = testing::machines_of({{0, 2}, {50, 1}}, 200);
  instance.notice = 30;
  testing::add_job(instance, 0, 4, 100);
  testing::add_job(instance, 0, 2, 60);   // starts before the announcement
  testing::add_job(instance, 25, 2, 30);  // would end at 55
  testing::add_job(instance, 26, 2, 24);  // ends at 50
  CHECK(testing::text_of(testing::run_of(instance, "drain")) ==
        "0@0:0-100 1@1:0-50x 3@1:26-50 1@0:100-160 2@0:100-130 ");
  CHECK(testing::text_of(testing::run_of(instance, "first-fit-aware")) ==
        "0@0:0-100 1@1:0-50x 2@1:25-50x 1@0:100-160 2@0:100-130 3@0:130-154 ");
}

TEST_CASE("easy-drain: no reservation where an announced shutdown would kill the job") {
  // Machine 1 is free at 10 and goes off at 30; machine 0 is free at 20. The first waiting job, of 25 s, has its reservation on
  // machine 0. So the last job may not run there beyond 20, but it may run on machine 1 until that goes off.
  Instance instance = testing::machines_of({{0, 2}, {30, 1}}, 200);
  instance.notice = 100;
  testing::add_job(instance, 0, 3, 20);
  testing::add_job(instance, 0, 4, 10);
  testing::add_job(instance, 1, 4, 25);
  testing::add_job(instance, 2, 1, 20);
  CHECK(testing::text_of(testing::run_of(instance, "easy-drain")) ==
        "0@0:0-20 1@1:0-10 3@1:10-30 2@0:20-45 ");
  CHECK(testing::text_of(testing::run_of(instance, "easy")) ==
        "0@0:0-20 1@1:0-10 3@0:2-22 2@1:10-30x 2@0:30-55 ");
}

TEST_CASE(
    "drain: it loses only runs begun before the notice; with all announced it is clairvoyant") {
  std::int64_t kills = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Instance instance = any_changes(seed);
    CAPTURE(seed);
    for (const std::int64_t notice : {1, 5, 20}) {
      instance.notice = notice;
      for (const char* strategy : {"drain", "easy-drain"}) {
        for (const Execution& run : testing::run_of(instance, strategy).log) {
          if (run.outcome != Execution::Outcome::killed) continue;
          ++kills;
          CHECK(run.start < run.end - notice);
        }
      }
    }
    const testing::Run blind = testing::run_of(instance, "first-fit-aware");
    instance.notice = instance.end;
    const testing::Run drained = testing::run_of(instance, "drain");
    CHECK(drained.metrics.kills == 0);
    CHECK(testing::text_of(drained) == testing::text_of(testing::run_of(instance, "clairvoyant")));
    CHECK(testing::run_of(instance, "easy-drain").metrics.kills == 0);
    CHECK(testing::text_of(testing::run_of(instance, "first-fit-aware")) ==
          testing::text_of(blind));
  }
  CHECK(kills > 300);
}

TEST_CASE("drain: a shutdown that is not announced is met, and a false alarm is waited for") {
  const Instance instance = [] {
    Instance made = testing::machines_of({{0, 2}, {50, 1}}, 200);
    testing::add_job(made, 0, 4, 60);
    testing::add_job(made, 25, 4, 30);
    made.notice = 30;
    return made;
  }();
  const auto run = [&](const NoticeErrors& errors) {
    return drained(instance, instance.notice, errors);
  };
  CHECK(run({}) == "0@0:0-60 1@0:60-90 ");
  CHECK(run({.missed = {false, true}}) == "0@0:0-60 1@1:25-50x 1@0:60-90 ");
  // Machine 0 is said to go off at 40: its first job waits until then, and nothing else happens at that time.
  CHECK(run({.missed = {}, .false_alarms = {{20, 0, 2}, {40, 0, 1}}}) == "0@0:40-100 1@0:100-130 ");
}

TEST_CASE("drain: as many are missed and as many are false as was asked for") {
  std::int64_t falls = 0, missed = 0, wrong = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Instance instance = any_changes(seed);
    instance.notice = 20;
    CHECK(notice_errors(instance, Stream({.seed = seed})).missed.empty());
    instance.notice_recall = 0.7;
    instance.notice_precision = 0.3;
    const NoticeErrors errors = notice_errors(instance, Stream({.seed = seed}));
    for (std::size_t step = 1; step < instance.alive.size(); ++step) {
      if (instance.alive[step].machines < instance.alive[step - 1].machines) ++falls;
      if (errors.missed[step]) ++missed;
    }
    for (const auto& one : errors.false_alarms) {
      ++wrong;
      CHECK(one.end == instance.alive_at(one.time));
      CHECK(one.first < one.end);
    }
  }
  const auto all = static_cast<double>(falls), told = static_cast<double>(falls - missed);
  CHECK(told / all == doctest::Approx(0.7).epsilon(0.05));
  CHECK(told / (told + static_cast<double>(wrong)) == doctest::Approx(0.3).epsilon(0.05));
}

TEST_CASE(
    "drain: with a recall of 0 it is a drain without notice, and clairvoyant makes no errors") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Instance instance = any_changes(seed);
    instance.notice = 20;
    const std::string exact = testing::text_of(testing::run_of(instance, "clairvoyant"));
    instance.notice_recall = 0;
    instance.notice_precision = seed % 2 == 0 ? 0.5 : 1;
    CAPTURE(seed);
    CHECK(testing::text_of(testing::run_of(instance, "drain")) == drained(instance, 0, {}));
    instance.notice_recall = 0.5;
    CHECK(testing::text_of(testing::run_of(instance, "clairvoyant")) == exact);
  }
}

TEST_CASE(
    "checkpoint: a run whose shutdown is announced early enough is saved, and goes on elsewhere") {
  // The shutdown is announced 10 s before, and a run saves itself in 5 s: of its 60 s, 45 are done at 50.
  Instance instance = testing::machines_of({{0, 2}, {50, 1}}, 200);
  instance.notice = 10;
  instance.checkpoint = 5;
  testing::add_job(instance, 0, 4, 100);
  testing::add_job(instance, 0, 3, 60);
  testing::add_job(instance, 46, 1, 20);  // has done nothing when it would have to be saved
  const testing::Run run = testing::run_of(instance, "first-fit-aware");
  CHECK(testing::text_of(run) == "0@0:0-100 1@1:0-50s 2@1:46-50x 1@0:100-115 2@0:100-120 ");
  CHECK(run.metrics.saves == 1);
  CHECK(run.metrics.saving == 15);
  CHECK(run.metrics.kills == 1);
  CHECK(run.metrics.useful == 400 + 180 + 20);
  // If the announcement comes too late, the run is lost.
  instance.notice = 4;
  CHECK(testing::text_of(testing::run_of(instance, "first-fit-aware")) ==
        "0@0:0-100 1@1:0-50x 2@1:46-50x 1@0:100-160 2@0:100-120 ");
  CHECK_FALSE(testing::run_of(instance, "first-fit-aware").metrics.saves);
}

TEST_CASE("checkpoint: what was saved stays saved when a later run is killed") {
  Instance instance = testing::machines_of({{0, 1}, {50, 0}, {60, 1}, {64, 0}, {70, 1}}, 200);
  instance.notice = 10;
  instance.checkpoint = 5;
  testing::add_job(instance, 0, 1, 100);
  const testing::Run run = testing::run_of(instance, "first-fit-aware");
  CHECK(testing::text_of(run) == "0@0:0-50s 0@0:60-64x 0@0:70-125 ");
  CHECK(run.metrics.useful == 100);
  // Drain does not start a run that could not even be saved; with 10 s left it does.
  CHECK(testing::text_of(testing::run_of(instance, "drain")) == "0@0:0-50s 0@0:70-125 ");
  instance.alive[3].time = 70;
  instance.alive[4].time = 80;
  CHECK(testing::text_of(testing::run_of(instance, "drain")) == "0@0:0-50s 0@0:60-70s 0@0:80-130 ");
}

TEST_CASE(
    "checkpoint: every strategy's accounts balance, and none exceeds the bound, 200 random "
    "instances") {
  std::int64_t saves = 0, kills = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Instance instance = any_changes(seed);
    Stream stream({.seed = seed, .entity = 1});
    instance.notice = stream.integer(1, 40);
    instance.checkpoint = stream.integer(0, 20);
    if (seed % 3 == 0) instance.profile = Profile::author;
    CAPTURE(seed);
    const std::int64_t bound = useful_bound(instance, tasks_of(instance));
    for (const char* strategy :
         {"first-fit-aware", "first-fit-unaware", "target-stretch", "target-asap",
          "packed-target-asap", "easy", "drain", "easy-drain", "clairvoyant"}) {
      const testing::Run run = testing::run_of(instance, strategy, seed);  // validated
      CHECK(run.metrics.useful <= bound);
      saves += run.metrics.saves.value_or(0);
      kills += run.metrics.kills;
    }
  }
  CHECK(saves > 1000);
  CHECK(kills > 1000);
}

TEST_CASE("easy: a later job overtakes only if the first waiting job is not delayed") {
  Instance instance = testing::machines_of({{0, 1}}, 200);
  testing::add_job(instance, 0, 3, 50);  // leaves one core until 50
  testing::add_job(instance, 1, 4, 10);  // waits for 50
  testing::add_job(instance, 2, 1, 60);  // would delay it
  testing::add_job(instance, 3, 1, 47);  // ends at 50
  CHECK(testing::text_of(testing::run_of(instance, "easy")) ==
        "0@0:0-50 3@0:3-50 1@0:50-60 2@0:60-120 ");
  CHECK(testing::text_of(testing::run_of(instance, "first-fit-aware")) ==
        "0@0:0-50 2@0:2-62 3@0:50-97 1@0:97-107 ");
}

TEST_CASE("easy: cores that the first job leaves may be taken for longer, once") {
  Instance instance = testing::machines_of({{0, 1}}, 400);
  testing::add_job(instance, 0, 2, 50);   // leaves two cores until 50
  testing::add_job(instance, 1, 3, 10);   // waits for 50, and then leaves one
  testing::add_job(instance, 2, 1, 100);  // takes that one
  testing::add_job(instance, 3, 1, 100);  // there is no other
  CHECK(testing::text_of(testing::run_of(instance, "easy")) ==
        "0@0:0-50 2@0:2-102 1@0:50-60 3@0:60-160 ");
}
