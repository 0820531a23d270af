#include "holdfast/domains/capacity/generator.hpp"
#include "holdfast/domains/capacity/plain_author.hpp"
#include "holdfast/domains/capacity/plain_target.hpp"
#include "holdfast/domains/capacity/strategies/target_policy.hpp"
#include "holdfast/domains/capacity/testing.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::capacity;
using testing::Run;
using testing::run_of;

namespace {

Instance arbitrary_instance() {
  GeneratorParameters p{
      .family = static_cast<Family>(*rc::gen::inRange(0, 4)),
      .jobs = *rc::gen::inRange(20, 400),
      .mean_machines = *rc::gen::inRange(4, 12),
      .machine_range = 4,
      .period = *rc::gen::inRange(200, 4000),
      .cores = *rc::gen::inRange(8, 25),
      .begin = 20000,
      .end = 60000,
      .profile = *rc::gen::arbitrary<bool>() ? Profile::author : Profile::standard};
  if (p.profile == Profile::author) p.jobs *= 10;
  p.machine_range = std::min<std::int64_t>(p.mean_machines, *rc::gen::inRange(0, 9));
  Instance out = generate(p, *rc::gen::arbitrary<std::uint64_t>(), 0, 0);
  if (p.profile == Profile::standard && out.machines > 1 && *rc::gen::arbitrary<bool>()) {
    const auto first = *rc::gen::inRange<std::int64_t>(1, out.machines);
    const auto some = *rc::gen::inRange<std::int64_t>(1, p.cores + 1);
    set_sizes(out, {{first, some}, {out.machines - first, p.cores}});
  }
  return out;
}

std::vector<std::string_view> all_strategies() {
  return {"first-fit-aware", "first-fit-unaware", "target-stretch", "target-asap",
          "packed-target-asap"};
}

/// First fit as the text describes it: the queue scanned in order, machine after machine.
class PlainFirstFit final : public Strategy {
 public:
  explicit PlainFirstFit(ClusterState& cluster) : cluster_{cluster} {}
  void on_end(const ClusterState::Ended& ended, std::int64_t) override {
    freed_.push_back(ended.machine);
  }
  void after_ends(std::span<const std::int64_t> dying, std::int64_t now) override {
    std::sort(freed_.begin(), freed_.end());
    for (const std::int64_t machine : freed_) {
      if (std::find(dying.begin(), dying.end(), machine) == dying.end()) fill(machine, now);
    }
    freed_.clear();
  }
  void on_added(std::span<const std::int64_t> machines, std::int64_t, std::int64_t now) override {
    for (const std::int64_t machine : machines) fill(machine, now);
  }
  void on_removed(std::span<const std::int64_t>, std::span<const std::size_t> killed,
                  std::int64_t now) override {
    queue_.insert(queue_.end(), killed.begin(), killed.end());
    std::sort(queue_.begin(), queue_.end());
    std::erase_if(queue_, [&](std::size_t task) { return starts(task, now); });
  }
  void on_arrival(std::size_t task, std::int64_t now) override {
    if (!starts(task, now)) queue_.push_back(task), std::sort(queue_.begin(), queue_.end());
  }
  std::int64_t waiting() const override { return static_cast<std::int64_t>(queue_.size()); }

 private:
  bool starts(std::size_t task, std::int64_t now) {
    for (std::int64_t m = 0; m < cluster_.instance().machines; ++m) {
      if (!cluster_.is_alive(m) || cluster_.free(m) < cluster_.task(task).cores) continue;
      cluster_.start(task, m, now);
      return true;
    }
    return false;
  }
  void fill(std::int64_t machine, std::int64_t now) {
    std::erase_if(queue_, [&](std::size_t task) {
      if (cluster_.free(machine) < cluster_.task(task).cores) return false;
      cluster_.start(task, machine, now);
      return true;
    });
  }

  ClusterState& cluster_;
  std::vector<std::size_t> queue_;
  std::vector<std::int64_t> freed_;
};

}  // namespace

TEST_CASE(
    "every strategy, both profiles: schedules are valid, accounts balance to the core-second") {
  CHECK(rc::check([] {
    const Instance instance = arbitrary_instance();
    for (const std::string_view strategy : all_strategies()) {
      const Run run = run_of(instance, strategy);  // checked by the validator
      const Metrics& m = run.metrics;
      const auto arrived = std::count_if(run.tasks.begin(), run.tasks.end(), [&](const Task& task) {
        return task.arrival < instance.end;
      });
      RC_ASSERT(m.completed + m.running + m.waiting + m.dropped == arrived);
      RC_ASSERT(m.useful + m.aborted <= m.capacity);
      const auto metrics = values(m);
      if (m.capacity > 0) RC_ASSERT(*metrics[1] == doctest::Approx(*metrics[0] + *metrics[4]));
    }
  }));
}

TEST_CASE("a fast first fit decides as the plain scans do, run by run") {
  CHECK(rc::check([] {
    Instance instance = arbitrary_instance();
    instance.profile = Profile::standard;
    const Run fast = run_of(instance, "first-fit-aware");
    std::vector<Execution> log;
    const Metrics plain = simulate(
        instance, fast.tasks,
        [](ClusterState& cluster) { return std::make_unique<PlainFirstFit>(cluster); }, &log);
    RC_ASSERT(plain.useful == fast.metrics.useful);
    RC_ASSERT(plain.aborted == fast.metrics.aborted);
    RC_ASSERT(log.size() == fast.log.size());
    Run slow{.metrics = plain, .log = log, .tasks = fast.tasks};
    RC_ASSERT(testing::text_of(slow) == testing::text_of(fast));
  }));
}

namespace {

/// Returns true if the target policies make the same runs as the plain form of the profile.
bool plain_form_agrees(const Instance& instance, std::int64_t pack) {
  const std::vector<Task> tasks = tasks_of(instance);
  bool agrees = true;
  for (const TargetKind kind : {TargetKind::stretch, TargetKind::asap, TargetKind::packed}) {
    const TargetRules rules{.kind = kind,
                            .distance = instance.largest_distance(),
                            .pack = pack,
                            .author = instance.profile == Profile::author};
    Run fast{.metrics = {}, .log = {}, .tasks = tasks};
    Run plain = fast;
    fast.metrics = simulate(
        instance, tasks, [&](ClusterState& cluster) { return make_target_policy(cluster, rules); },
        &fast.log);
    plain.metrics = simulate(
        instance, tasks,
        [&](ClusterState& cluster) -> std::unique_ptr<Strategy> {
          if (rules.author) return std::make_unique<testing::PlainAuthorTarget>(cluster, rules);
          return std::make_unique<testing::PlainTarget>(cluster, rules);
        },
        &plain.log);
    agrees = agrees && testing::text_of(fast) == testing::text_of(plain) &&
             fast.metrics.dropped == plain.metrics.dropped;
  }
  return agrees;
}

}  // namespace

TEST_CASE("target policies: the plain forms of both profiles give the same runs") {
  CHECK(rc::check([] {
    Instance instance = arbitrary_instance();
    instance.distance = *rc::gen::inRange(0, 8);
    if (instance.jobs.size() > 500 && instance.profile == Profile::standard) {
      instance.jobs.resize(500);
    }
    RC_ASSERT(plain_form_agrees(instance, *rc::gen::inRange(1, 6)));
  }));
}

TEST_CASE("the same on 32 machines for a week" * doctest::test_suite("slow")) {
  for (const Profile profile : {Profile::standard, Profile::author}) {
    for (const Family family : {Family::uniform, Family::log_scale, Family::three_types}) {
      GeneratorParameters p{.family = family, .jobs = 600, .begin = 2 * 604800, .profile = profile};
      if (profile == Profile::standard) p.jobs *= 3;
      CHECK(plain_form_agrees(generate(p, 7, 0, 0), 5));
    }
  }
}

TEST_CASE("the same at the published size" * doctest::test_suite("slow")) {
  for (const Profile profile : {Profile::standard, Profile::author}) {
    for (const Family family : {Family::log_scale, Family::three_types}) {
      GeneratorParameters p{.family = family, .profile = profile};
      if (profile == Profile::author) p.begin = 2 * 604800;
      const Instance instance = generate(p, 5, 0, 0);
      const std::vector<Task> tasks = tasks_of(instance);
      for (const TargetKind kind : {TargetKind::stretch, TargetKind::asap, TargetKind::packed}) {
        std::vector<Metrics> found;
        for (const bool defers : {true, false}) {
          const TargetRules rules{.kind = kind,
                                  .distance = instance.largest_distance(),
                                  .defers = defers,
                                  .author = profile == Profile::author};
          found.push_back(simulate(instance, tasks, [&](ClusterState& cluster) {
            return make_target_policy(cluster, rules);
          }));
        }
        CHECK(found[0].useful == found[1].useful);
        CHECK(found[0].aborted == found[1].aborted);
        CHECK(found[0].sum_of_stretch == found[1].sum_of_stretch);
      }
    }
  }
}

TEST_CASE("the same seed gives the same runs; first-fit-unaware has a permutation of its own") {
  const Instance instance = generate(
      {.jobs = 400, .mean_machines = 8, .machine_range = 4, .begin = 1000, .end = 50000}, 3, 0, 0);
  for (const std::string_view strategy : all_strategies()) {
    CAPTURE(strategy);
    CHECK(testing::text_of(run_of(instance, strategy)) ==
          testing::text_of(run_of(instance, strategy)));
  }
  CHECK(testing::text_of(run_of(instance, "first-fit-unaware", 1)) !=
        testing::text_of(run_of(instance, "first-fit-unaware", 2)));
}

TEST_CASE("every policy keeps to the delay after a kill, and a delay of nothing changes nothing") {
  CHECK(rc::check([] {
    Instance instance = arbitrary_instance();
    const std::int64_t delay = *rc::gen::inRange(1, 5000);
    for (const std::string_view strategy : all_strategies()) {
      const std::string before = testing::text_of(run_of(instance, strategy));
      instance.requeue_delay = delay;
      const Run late = run_of(instance, strategy);  // which the validator accepts
      instance.requeue_delay = 0;
      RC_ASSERT(late.metrics.kills > 0 || testing::text_of(late) == before);
    }
  }));
}

TEST_CASE("measuring time in another unit changes nothing but the unit") {
  CHECK(rc::check([] {
    Instance instance = arbitrary_instance();
    instance.profile = Profile::standard;
    instance.distance = 3;
    instance.reference.clear();
    Instance twice = instance;
    twice.begin *= 2, twice.end *= 2;
    for (Step& step : twice.alive) step.time *= 2;
    // The week before the window does not scale with the unit: so every job is listed as the reference.
    for (const Job& job : instance.jobs) instance.reference.push_back({job.length, job.cores});
    for (Job& job : twice.jobs) {
      job.release *= 2, job.length *= 2;
      twice.reference.push_back({job.length, job.cores});
    }
    for (const std::string_view strategy : all_strategies()) {
      const Metrics a = run_of(instance, strategy).metrics, b = run_of(twice, strategy).metrics;
      RC_ASSERT(b.useful == 2 * a.useful);
      RC_ASSERT(b.aborted == 2 * a.aborted);
      RC_ASSERT(b.kills == a.kills);
      RC_ASSERT(b.largest_stretch == a.largest_stretch);
    }
  }));
}

TEST_CASE("target-asap within reach of every machine starts what first fit could start at once") {
  // With one category and a distance that reaches all machines, an arriving job starts if a machine in use has room.
  Instance instance = testing::machines_of({{0, 6}}, 5000);
  instance.distance = 6;
  Stream stream(StreamKey{});
  for (std::int64_t i = 0; i < 300; ++i) {
    testing::add_job(instance, 10 * i, stream.integer(1, 4), stream.integer(5, 200), 0.3);
  }
  const Run run = run_of(instance, "target-asap");
  std::map<std::size_t, std::int64_t> start;
  for (const Execution& e : run.log) start[e.task] = e.start;
  for (std::size_t i = 0; i < run.tasks.size(); ++i) {
    std::vector<std::int64_t> busy(6, 0);
    std::int64_t used = 0;
    for (const Execution& e : run.log) {
      if (e.start <= run.tasks[i].arrival && e.end > run.tasks[i].arrival && e.task < i) {
        busy[static_cast<std::size_t>(e.machine)] += run.tasks[e.task].cores;
        used = std::max(used, e.machine + 1);
      }
    }
    const bool has_plans = std::any_of(run.log.begin(), run.log.end(), [&](const Execution& e) {
      return e.task < i && e.start > run.tasks[i].arrival;
    });
    if (has_plans || !start.contains(i)) continue;
    const bool fits = std::any_of(busy.begin(), busy.begin() + used,
                                  [&](std::int64_t b) { return 4 - b >= run.tasks[i].cores; });
    if (fits) CHECK(start[i] == run.tasks[i].arrival);
  }
}
