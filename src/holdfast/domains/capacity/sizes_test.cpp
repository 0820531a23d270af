#include "holdfast/domains/capacity/generator.hpp"
#include "holdfast/domains/capacity/goodput_bound.hpp"
#include "holdfast/domains/capacity/instance_io.hpp"
#include "holdfast/domains/capacity/plain_target.hpp"
#include "holdfast/domains/capacity/strategies/target_policy.hpp"
#include "holdfast/domains/capacity/tariff.hpp"
#include "holdfast/domains/capacity/testing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::capacity;
using testing::run_of;
using testing::text_of;

namespace {

constexpr std::array kAll = {"first-fit-aware", "first-fit-unaware",  "target-stretch",
                             "target-asap",     "packed-target-asap", "easy",
                             "drain",           "easy-drain",         "under-price",
                             "clairvoyant"};

/// Machines of two to four sizes, in any order, and jobs of up to the largest of them.
Instance mixed(std::uint64_t seed) {
  Stream stream({.seed = seed});
  std::vector<MachineSize> sizes;
  const std::int64_t classes = stream.integer(2, 4);
  for (std::int64_t i = 0; i < classes; ++i)
    sizes.push_back({stream.integer(1, 4), stream.integer(1, 12)});
  if (sizes[0].cores == sizes[1].cores) ++sizes[0].cores;
  Instance out;
  set_sizes(out, sizes);
  out.begin = stream.integer(0, 1) * 50;
  out.end = out.begin + stream.integer(200, 900);
  const std::int64_t longest = stream.integer(5, 200);
  for (std::int64_t time = 0; time < out.end; time += stream.integer(1, 2 * longest))
    out.alive.push_back({time, stream.integer(0, out.machines)});
  out.safe_machines = std::ranges::min(out.alive, {}, &Step::machines).machines;
  out.notice = stream.integer(1, 3) == 1 ? kNoEnd : stream.integer(1, longest);
  if (stream.integer(0, 2) == 0) out.checkpoint = stream.integer(0, 10);
  out.boot = stream.integer(0, 2) == 0 ? stream.integer(1, 20) : 0;
  out.requeue_delay = stream.integer(0, 2) == 0 ? stream.integer(1, 30) : 0;
  if (stream.integer(0, 1) == 0) out.distance = stream.integer(0, 8);
  for (std::int64_t time = 0; time < out.end; time += stream.integer(50, 200))
    out.price.push_back({time, static_cast<double>(stream.integer(-1, 5))});
  const std::int64_t jobs = stream.integer(5, 120);
  const std::int64_t widest = stream.integer(1, out.cores);
  for (std::int64_t i = 0; i < jobs; ++i) {
    testing::add_job(out, stream.integer(0, out.end - 1), stream.integer(1, widest),
                     stream.integer(1, longest), stream.uniform());
  }
  boot_machines(out);
  return out;
}

/// Returns how many of these problems a strategy breaks: no machine has more work than its own cores, all accounts balance, the
/// goodput is within its bound and the money within its own.
int broken(std::uint64_t first, std::uint64_t problems) {
  int out = 0;
  for (std::uint64_t seed = first; seed < first + problems; ++seed) {
    const Instance instance = mixed(seed);
    for (const std::string_view strategy : kAll) {
      const testing::Run run = run_of(instance, strategy, seed);  // checked by the validator
      const Bill bill = bill_of(instance, instance.price, run.log, run.metrics.useful);
      const bool is_within = run.metrics.useful <= useful_bound(instance, run.tasks) &&
                             bill.least <= bill.busy + 1e-9 * (1 + std::abs(bill.busy));
      out += is_within ? 0 : 1;
    }
  }
  return out;
}

/// Returns how many of these problems the target policies solve in another way than their plain form does.
int unlike(std::uint64_t first, std::uint64_t problems) {
  int out = 0;
  for (std::uint64_t seed = first; seed < first + problems; ++seed) {
    const Instance instance = mixed(seed);
    const std::vector<Task> tasks = tasks_of(instance);
    for (const TargetKind kind : {TargetKind::stretch, TargetKind::asap, TargetKind::packed}) {
      const TargetRules rules{.kind = kind,
                              .distance = instance.largest_distance(),
                              .pack = 1 + static_cast<std::int64_t>(seed % 6)};
      testing::Run fast{.metrics = {}, .log = {}, .tasks = tasks};
      testing::Run plain = fast;
      fast.metrics = simulate(
          instance, tasks, [&](ClusterState& of) { return make_target_policy(of, rules); },
          &fast.log);
      plain.metrics = simulate(
          instance, tasks,
          [&](ClusterState& of) { return std::make_unique<testing::PlainTarget>(of, rules); },
          &plain.log);
      out += text_of(fast) == text_of(plain) ? 0 : 1;
    }
  }
  return out;
}

/// EASY backfilling by a look at every second: no list of ends, and no machine that is too small.
class PlainEasy final : public Strategy {
 public:
  explicit PlainEasy(ClusterState& cluster) : cluster_{cluster} {}
  void on_end(const ClusterState::Ended&, std::int64_t) override {}
  void on_added(std::span<const std::int64_t>, std::int64_t, std::int64_t) override {}
  void on_removed(std::span<const std::int64_t>, std::span<const std::size_t> killed,
                  std::int64_t) override {
    queue_.insert(queue_.end(), killed.begin(), killed.end());
    std::ranges::sort(queue_);
  }
  void before_arrivals(bool, std::int64_t now) override { scan(now); }
  void on_arrival(std::size_t task, std::int64_t now) override {
    queue_.push_back(task);
    scan(now);
  }
  std::int64_t waiting() const override { return std::ssize(queue_); }

 private:
  [[nodiscard]] std::int64_t free_at(std::int64_t machine, std::int64_t time) const {
    std::int64_t free = cluster_.instance().cores_of(machine);
    for (const ClusterState::Running& run : cluster_.running(machine))
      free -= run.end > time ? cluster_.task(run.task).cores : 0;
    return free;
  }
  void scan(std::int64_t now) {
    std::int64_t kept_on = -1, kept_at = 0, kept_cores = 0;  // the reservation
    std::erase_if(queue_, [&](std::size_t task) {
      const std::int64_t cores = cluster_.task(task).cores;
      const std::int64_t end = now + cluster_.next_length(task);
      for (std::int64_t m = 0; m < cluster_.alive_count(); ++m) {
        const bool would_delay =
            m == kept_on && end > kept_at && free_at(m, kept_at) < kept_cores + cores;
        if (free_at(m, now) < cores || would_delay) continue;
        cluster_.start(task, m, now);
        return true;
      }
      for (std::int64_t time = now; kept_on < 0 && time < now + 1000; ++time) {
        for (std::int64_t m = 0; kept_on < 0 && m < cluster_.alive_count(); ++m) {
          if (free_at(m, time) >= cores) kept_on = m, kept_at = time, kept_cores = cores;
        }
      }
      return false;
    });
  }

  ClusterState& cluster_;
  std::vector<std::size_t> queue_;
};

Result<Problem> read(const std::string& text) {
  return read_problem(parse_json(text).value());
}
std::string refusal(const std::string& text) {
  const auto problem = read(text);
  return problem ? "accepted" : problem.error().text();
}

/// One machine of 4 cores and two of 2, which are off from 10 to 20.
Instance by_hand() {
  Instance out;
  set_sizes(out, {{1, 4}, {2, 2}});
  out.safe_machines = 1;
  out.alive = {{0, 3}, {10, 1}, {20, 3}};
  out.begin = 0;
  out.end = 40;
  out.distance = 1;
  testing::add_job(out, 0, 4, 30, .2);
  testing::add_job(out, 0, 2, 8, .9);
  testing::add_job(out, 1, 2, 12, .5);
  testing::add_job(out, 2, 4, 6, .95);
  testing::add_job(out, 5, 1, 20, .4);
  testing::add_job(out, 12, 3, 5, .9);
  testing::add_job(out, 21, 1, 4, 1);
  return out;
}

}  // namespace

TEST_CASE("machine sizes: every strategy keeps to each machine's cores, 200 random problems") {
  CHECK(broken(1, 200) == 0);
}

TEST_CASE("machine sizes: every strategy keeps to each machine's cores, 10 000 random problems" *
          doctest::test_suite("thorough")) {
  CHECK(broken(1000, 10'000) == 0);
}

TEST_CASE(
    "machine sizes: the plain form of the target policies gives the same runs, 200 problems") {
  CHECK(unlike(1, 200) == 0);
}

TEST_CASE("machine sizes: the plain form gives the same runs, 10 000 problems" *
          doctest::test_suite("thorough")) {
  CHECK(unlike(1000, 10'000) == 0);
}

TEST_CASE("machine sizes: first fit and target-asap, event by event, worked out by hand") {
  const testing::Run first_fit = run_of(by_hand(), "first-fit-aware");
  CHECK(text_of(first_fit) ==
        "0@0:0-30 1@1:0-8 2@2:1-10x 4@1:8-10x 2@1:20-32 4@2:20-40 6@2:21-25 3@0:30-36 5@0:36-40 ");
  CHECK(first_fit.metrics.capacity == 10 * 8 + 10 * 4 + 20 * 8);
  CHECK(first_fit.metrics.useful == 220);
  const testing::Run asap = run_of(by_hand(), "target-asap");
  CHECK(text_of(asap) ==
        "0@0:0-30 1@1:0-8 2@2:1-10x 4@1:8-10x 2@1:20-32 3@0:30-36 4@1:32-40 6@1:32-36 5@0:36-40 ");
  CHECK(asap.metrics.useful == 208);
}

TEST_CASE("machine sizes: EASY reserves only machines that are large enough, 500 random problems") {
  std::int64_t runs = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Instance instance = mixed(seed);
    const testing::Run fast = run_of(instance, "easy");
    testing::Run plain{.metrics = {}, .log = {}, .tasks = fast.tasks};
    plain.metrics = simulate(
        instance, plain.tasks, [](ClusterState& of) { return std::make_unique<PlainEasy>(of); },
        &plain.log);
    CAPTURE(seed);
    REQUIRE(text_of(fast) == text_of(plain));
    runs += std::ssize(plain.log);
  }
  CHECK(runs > 10'000);
}

TEST_CASE("machine sizes: plans that are put off change nothing on 32 mixed machines") {
  GeneratorParameters p{
      .family = Family::log_scale, .jobs = 3000, .begin = 300'000, .end = 700'000};
  Instance instance = generate(p, 11, 0, 0);
  for (const auto& sizes : {std::vector<MachineSize>{{16, 24}, {16, 8}},
                            std::vector<MachineSize>{{8, 6}, {4, 24}, {10, 3}, {10, 16}}}) {
    set_sizes(instance, sizes);
    const std::vector<Task> tasks = tasks_of(instance);
    for (const TargetKind kind : {TargetKind::stretch, TargetKind::asap, TargetKind::packed}) {
      std::vector<std::string> found;
      for (const bool defers : {true, false}) {
        const TargetRules rules{
            .kind = kind, .distance = instance.largest_distance(), .defers = defers};
        testing::Run run{.metrics = {}, .log = {}, .tasks = tasks};
        run.metrics = simulate(
            instance, tasks, [&](ClusterState& of) { return make_target_policy(of, rules); },
            &run.log);
        found.push_back(text_of(run));
      }
      CHECK(found[0] == found[1]);
    }
  }
}

TEST_CASE(
    "machine sizes: equal ones are an instance without them, and its documents are the same") {
  const std::string rest =
      R"("window": [0, 40], "alive": [[0, 3], [10, 1]], "jobs": [{"length": 5}]})";
  const auto plain = read(R"({"cores": 4, "machines": 5, )" + rest);
  REQUIRE(plain);
  for (const char* sizes : {R"("5x4")", R"("2x4,3x4")", R"([{"machines": 5, "cores": 4}])"}) {
    const auto sized = read(R"({"machine_sizes": )" + std::string(sizes) + ", " + rest);
    REQUIRE(sized);
    CHECK(to_json(sized->definition) == to_json(plain->definition));
    CHECK(to_json(to_value(sized->fixed)) == to_json(to_value(plain->fixed)));
  }
  const auto drawn = read(R"({"machine_sizes": "20x24,12x24"})");
  REQUIRE(drawn);
  CHECK(to_json(drawn->definition) == to_json(read("{}")->definition));
}

TEST_CASE("machine sizes: a text and a list are read alike, and what is written reads back") {
  const std::string rest = R"("window": [0, 40], "alive": [[0, 3]], "jobs": [{"length": 5}]})";
  const auto text = read(R"({"machine_sizes": "1x8, 2X4,1*4,3x2", )" + rest);
  REQUIRE(text);
  CHECK(text->fixed.machines == 7);
  CHECK(text->fixed.safe_machines == 3);
  CHECK(text->fixed.cores == 8);
  CHECK(text->fixed.sizes == std::vector<MachineSize>{{1, 8}, {3, 4}, {3, 2}});
  CHECK(text->fixed.cores_on(5) == 8 + 3 * 4 + 2);
  CHECK(text->fixed.cores_of(3) == 4);
  CHECK(text->fixed.cores_of(4) == 2);
  const Value written = to_value(text->fixed);
  const auto again = read_problem(written);
  REQUIRE(again);
  CHECK(to_value(again->fixed) == written);
  const auto list =
      read(R"({"machine_sizes": [{"cores": 8}, {"machines": 3, "cores": 4}, "3x2"], )" + rest);
  REQUIRE(list);
  CHECK(to_value(list->fixed) == written);
}

TEST_CASE("machine sizes: the drawn capacity goes up to all of them") {
  const auto walk = [](const std::string& more) {
    const auto problem = read(R"({"machine_sizes": "40x24,20x8")" + more + "}");
    REQUIRE(problem);
    return std::pair(problem->generator.mean_machines, problem->generator.machine_range);
  };
  CHECK(walk("") == std::pair<std::int64_t, std::int64_t>(45, 15));
  CHECK(walk(R"(, "mean_machines": 50)") == std::pair<std::int64_t, std::int64_t>(50, 10));
  CHECK(walk(R"(, "machine_range": 20)") == std::pair<std::int64_t, std::int64_t>(40, 20));
  CHECK(walk(R"(, "machine_range": 20, "mean_machines": 40)").first == 40);
}

TEST_CASE("machine sizes: what is refused, and the words") {
  const auto with = [](const std::string& sizes) {
    return refusal(R"({"machine_sizes": )" + sizes + "}");
  };
  CHECK(with(R"("0x24,40x8")") ==
        "/machine_sizes: found '0x24', expected a whole number of machines before the x from 1 to "
        "1000000");
  CHECK(with(R"("80xbig")") ==
        "/machine_sizes: found '80xbig', expected a whole number of cores after the x from 1 to "
        "2147483647");
  CHECK(with(R"("80x24,40")") ==
        "/machine_sizes: found '40', expected MACHINESxCORES, as in 80x24,40x8");
  CHECK(with("40") ==
        "/machine_sizes: found 40, expected MACHINESxCORES, as in 80x24,40x8, or a "
        "list of machines and cores");
  CHECK(with("[]").starts_with("/machine_sizes: found an array, expected MACHINESxCORES"));
  CHECK(with(R"([{"machines": 3}])") == "/machine_sizes/0/cores: is missing");
  CHECK(with(R"("800000x2,800000x3")") ==
        "/machine_sizes: found 1600000 machines together, expected at most 1000000");
  CHECK(with(R"("3x4,2x2", "cores": 3)") ==
        "/cores: found 3, expected none beside 'machine_sizes', or 4, the cores of its largest "
        "machine");
  CHECK(with(R"("3x4,2x2", "alive": [[0, 4]], "machines": 4)") ==
        "/machines: found 4, expected none beside 'machine_sizes', or 5, all machines of it");
  CHECK(with(R"("3x4,2x2", "alive": [[0, 6]])") ==
        "/alive: found 6 machines, expected at most the 5 of 'machine_sizes'");
  CHECK(with(R"("30x4,10x2", "mean_machines": 10)")
            .starts_with("/mean_machines: found 10, expected"));
  CHECK(with(R"("30x4,10x2", "machine_range": 30)")
            .starts_with("/machine_range: found 30, expected"));
  CHECK(with(R"("30x4,10x2", "machine_range": 3, "mean_machines": 30)")
            .starts_with("/mean_machines: found 30 and a range of 3, expected 40 together"));
  CHECK(with(R"("30x4,10x2", "profile": "author")").starts_with("/profile: found author"));
  const auto wide = read(R"({"machine_sizes": "1x4,1x2", "alive": [[0, 2]], "window": [0, 9],
                             "jobs": [{"length": 5, "cores": 3}, {"id": "big", "length": 5, "cores": 5}]})");
  REQUIRE(wide);
  CHECK(
      warnings(wide->fixed) ==
      std::vector<std::string>{"1 of 2 jobs (62.5 % of the work) need more than the 4 cores of the "
                               "largest machine and are left out; the first is job 'big' of 5 "
                               "cores"});
}

TEST_CASE("machine sizes: the validator knows each machine's own cores") {
  Instance instance = by_hand();
  instance.jobs.resize(2);
  const testing::Run run = run_of(instance, "first-fit-aware");
  std::vector<Execution> log = run.log;
  const std::vector<std::int64_t> ranks = {0, 1, 2};
  for (Execution& one : log) {
    if (run.tasks[one.task].cores == 4) one.machine = 2;
  }
  instance.alive = {{0, 3}};
  const Status valid = validate(instance, run.tasks, run.metrics, log, ranks);
  REQUIRE_FALSE(valid);
  CHECK(valid.error().text() == "machine 2 at 0: 4 cores are busy, 2 exist");
  Metrics more = run.metrics;
  more.capacity += 4;
  const Status books = validate(by_hand(), run_of(by_hand(), "easy").tasks, more, {}, ranks);
  REQUIRE_FALSE(books);
  CHECK(books.error().text().starts_with(
      "accounts: core-seconds of capacity: found 284, expected 280"));
}

TEST_CASE("machine sizes: half-size machine-hours hold half as much in the bound on money") {
  // Until 100 both machines are on and cost 1; 400 core-seconds take 66.7 s of both, or 100 s of the large one alone.
  Instance instance;
  set_sizes(instance, {{1, 4}, {1, 2}});
  instance.alive = {{0, 2}};
  instance.begin = 0;
  instance.end = 100;
  instance.price = {{0, 3600}};
  CHECK(bill_of(instance, instance.price, {}, 400).least == doctest::Approx(100));
  CHECK(bill_of(instance, instance.price, {}, 500).least == doctest::Approx(150));
}
