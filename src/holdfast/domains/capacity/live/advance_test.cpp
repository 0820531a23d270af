#include "holdfast/domains/capacity/live/advance.hpp"

#include "holdfast/domains/capacity/generator.hpp"
#include "holdfast/domains/capacity/live_state.hpp"
#include "holdfast/domains/capacity/plan.hpp"
#include "holdfast/domains/capacity/testing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::capacity;
using What = LiveEvent::What;

namespace {

StrategySpec spec_of(std::string_view strategy) {
  const auto entries = strategies();
  return parse_strategy(strategy, entries).value();
}

World world_of(const Instance& instance) {
  World out;
  out.rules = instance;
  out.rules.jobs.clear();
  out.rules.alive.clear();
  for (std::int64_t m = 0; m < instance.machines; ++m) {
    out.machines.push_back("n" + std::to_string(m));
    out.is_up.push_back(m < instance.alive_at(instance.begin) ? 1 : 0);
  }
  out.now = instance.begin;
  out.patience = 1'000'000'000;
  out.memory.used = first_used(instance, out.up_count());
  return out;
}

/// A world in which all comes as it is promised, driven by the moves: an engine that does what it is told.
class ExactEngine {
 public:
  ExactEngine(const Instance& instance, std::string_view strategy)
      : instance_{instance},
        tasks_{tasks_of(instance)},
        spec_{spec_of(strategy)},
        world_{world_of(instance)} {}

  /// Returns the runs as text, in the form of testing::text_of().
  /// @param forgets  the state is written and read before each question
  /// @param looks_around  the engine also asks when nothing has happened, as one that polls
  std::string run(bool forgets = false, bool looks_around = false) {
    std::size_t step = 0;
    while (step < instance_.alive.size() && instance_.alive[step].time <= instance_.begin) ++step;
    for (std::int64_t now = next(step); now < instance_.end; now = next(step)) {
      std::vector<LiveEvent> events;
      std::vector<std::string> over;
      for (const auto& [id, run] : running_) {
        if (run.end == now) over.push_back(id);
      }
      std::sort(over.begin(), over.end(),
                [](const auto& a, const auto& b) { return std::stoll(a) < std::stoll(b); });
      for (const std::string& id : over) {
        finish(id, now, "");
        events.push_back({.what = What::ended, .at = now, .job = id});
      }
      if (step < instance_.alive.size() && instance_.alive[step].time == now) {
        const std::int64_t count = instance_.alive[step++].machines;
        std::vector<std::string> dead;
        for (const auto& [id, run] : running_) {
          if (run.machine >= count) dead.push_back(id);
        }
        for (const std::string& id : dead) finish(id, now, "x");
        events.push_back({.what = What::capacity, .at = now, .count = count});
      }
      while (arrived_ < tasks_.size() && tasks_[arrived_].arrival == now) {
        const Task& task = tasks_[arrived_++];
        events.push_back({.what = What::submitted,
                          .at = now,
                          .job = std::to_string(task.job),
                          .cores = task.cores,
                          .length = task.length,
                          .category = task.category,
                          .release = task.release});
      }
      if (forgets) world_ = read_world(to_value(world_)).value();
      if (looks_around) look_around(now);
      if (events.empty()) events.push_back({.at = now});
      const auto advice = advance(world_, events, spec_);
      REQUIRE(advice);
      CHECK(advice->ignored.empty());
      for (const LiveMove& move : advice->moves) {
        if (move.what != LiveMove::Do::start) continue;
        const auto machine = static_cast<std::int64_t>(std::stoll(move.on.substr(1)));
        const Task& task = task_of(move.job);
        running_[move.job] = {machine, now, now + task.length};
      }
      wake_ = advice->ask_again_at;
    }
    std::vector<std::string> left;
    for (const auto& [id, run] : running_) left.push_back(id);
    for (const std::string& id : left) finish(id, std::min(running_[id].end, instance_.end), "");
    return text();
  }

 private:
  // Between two instants nothing changes, whether the world remembers that nothing is due or is asked afresh.
  void look_around(std::int64_t now) {
    for (std::int64_t at = world_.now + 1; at < now;
         at += std::max<std::int64_t>(1, (now - at) / 2)) {
      World fresh = read_world(to_value(world_)).value();
      const std::vector<LiveEvent> tick = {{.at = at}};
      const auto kept = advance(world_, tick, spec_);
      const auto anew = advance(fresh, tick, spec_);
      REQUIRE(kept);
      REQUIRE(anew);
      CHECK(kept->moves.empty());
      CHECK(anew->moves.empty());
      CHECK(kept->ask_again_at == anew->ask_again_at);
      REQUIRE(to_value(world_) == to_value(fresh));
    }
  }

  struct Running {
    std::int64_t machine, start, end;
  };
  struct Row {
    std::int64_t start, job;
    std::string text;
    bool operator<(const Row& other) const {
      return std::pair(start, job) < std::pair(other.start, other.job);
    }
  };
  const Task& task_of(const std::string& id) const {
    return *std::find_if(tasks_.begin(), tasks_.end(),
                         [&](const Task& t) { return std::to_string(t.job) == id; });
  }
  std::int64_t next(std::size_t step) const {
    std::int64_t out = wake_.value_or(kNever);
    if (step < instance_.alive.size()) out = std::min(out, instance_.alive[step].time);
    if (arrived_ < tasks_.size()) out = std::min(out, tasks_[arrived_].arrival);
    for (const auto& [id, run] : running_) out = std::min(out, run.end);
    return out;
  }
  void finish(const std::string& id, std::int64_t now, const char* mark) {
    const Running run = running_[id];
    running_.erase(id);
    rows_.push_back({run.start, std::stoll(id),
                     id + "@" + std::to_string(run.machine) + ":" + std::to_string(run.start) +
                         "-" + std::to_string(now) + mark + " "});
  }
  std::string text() {
    std::sort(rows_.begin(), rows_.end());
    std::string out;
    for (const Row& row : rows_) out += row.text;
    return out;
  }

  const Instance& instance_;
  std::vector<Task> tasks_;
  StrategySpec spec_;
  World world_;
  std::map<std::string, Running> running_;
  std::vector<Row> rows_;
  std::size_t arrived_ = 0;
  std::optional<std::int64_t> wake_;
};

Instance drawn_instance(std::uint64_t seed) {
  GeneratorParameters p{.family = static_cast<Family>(seed % 4),
                        .jobs = 60 + static_cast<std::int64_t>(seed % 5) * 40,
                        .mean_machines = 4 + static_cast<std::int64_t>(seed % 6),
                        .machine_range = 4,
                        .period = 200 + static_cast<std::int64_t>(seed % 7) * 300,
                        .cores = 8 + static_cast<std::int64_t>(seed % 16),
                        .begin = 0,
                        .end = 30000};
  Instance out = generate(p, seed, 0, 0);
  out.requeue_delay = seed % 3 == 0 ? 97 : 0;
  if (out.reference.empty()) {
    for (const Job& job : out.jobs) out.reference.push_back({job.length, job.cores});
  }
  return out;
}

}  // namespace

TEST_CASE("advise: in an exact world every policy does what it does in a simulation") {
  for (const char* strategy : {"first-fit-aware", "easy", "target-stretch", "target-asap",
                               "packed-target-asap", "packed-target-asap:pack=2"}) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      CAPTURE(strategy);
      CAPTURE(seed);
      const Instance instance = drawn_instance(seed);
      const std::string expected = testing::text_of(testing::run_of(instance, strategy));
      const std::string found = ExactEngine(instance, strategy).run();
      REQUIRE(found == expected);
    }
  }
}

TEST_CASE("advise: a look at which nothing has happened changes nothing") {
  for (const char* strategy : {"first-fit-aware", "easy", "packed-target-asap", "target-stretch"}) {
    for (std::uint64_t seed = 30; seed < 33; ++seed) {
      const Instance instance = drawn_instance(seed);
      const std::string expected = testing::text_of(testing::run_of(instance, strategy));
      REQUIRE(ExactEngine(instance, strategy).run(false, true) == expected);
    }
  }
}

TEST_CASE("advise: a state that was written and read gives the same moves") {
  for (const char* strategy : {"first-fit-aware", "packed-target-asap", "target-stretch"}) {
    for (std::uint64_t seed = 20; seed < 24; ++seed) {
      const Instance instance = drawn_instance(seed);
      REQUIRE(ExactEngine(instance, strategy).run(true) == ExactEngine(instance, strategy).run());
    }
  }
}

namespace {

// Two machines of 4 cores; job a has machine n0 for itself until 130.
const std::string kWorld =
    R"({"cores": 4, "machines": ["n0", "n1"], "safe_machines": 1, "now": 100, "used_machines": 2,
        "requeue_delay": 20, "reference": [{"length": 10}, {"length": 100}],
        "jobs": [{"id": "a", "cores": 4, "length": 40, "state": "running", "on": "n0", "since": 90},
                 {"id": "b", "release": 95, "cores": 4, "length": 60, "on": "n0", "category": 0}]})";

const LiveJob& second_of(const World& world) {
  return *std::next(world.jobs.begin());
}

World small_world() {
  return read_world(parse_json(kWorld).value()).value();
}

/// Returns the moves after events: "start c on n1; place b on n0 at 130", and what was ignored.
std::string told(World& world, const std::string& events,
                 std::string_view strategy = "target-asap") {
  const auto read = read_live_events(events);
  if (!read) return read.error().text();
  const auto advice = advance(world, *read, spec_of(strategy));
  if (!advice) return advice.error().text();
  std::string out;
  for (const LiveMove& move : advice->moves) {
    out += std::string(kMoves[static_cast<std::size_t>(move.what)]) + " " + move.job;
    if (!move.on.empty()) out += " on " + move.on + " at " + std::to_string(move.at);
    out += "; ";
  }
  for (const std::string& id : advice->ignored) out += "ignored " + id + "; ";
  if (advice->ask_again_at) out += "ask at " + std::to_string(*advice->ask_again_at);
  return out;
}

}  // namespace

TEST_CASE("advise: late ends, early ends and unknown jobs") {
  World world = small_world();
  CHECK(told(world, R"({"at": 100, "what": "tick"})") == "ask at 130");
  // a runs beyond its 40 s: it ends now or later, at 90 + 44; then 90 + 88.
  CHECK(told(world, R"({"at": 131, "what": "tick"})") == "ask at 134");
  CHECK(told(world, R"({"at": 140, "what": "tick"})") == "ask at 178");
  CHECK(told(world, R"({"at": 150, "what": "ended", "job": "nobody"})") ==
        "ignored nobody; ask at 178");
  CHECK(told(world, R"({"at": 151, "what": "ended", "job": "a"})") ==
        "start b on n0 at 151; ask at 211");
  CHECK(told(world, R"({"at": 152, "what": "ended", "job": "a"})") == "ignored a; ask at 211");
  // Its start slips by 5 s, and it ends early.
  CHECK(told(world, R"({"at": 157, "what": "started", "job": "b", "on": "n0", "since": 156})") ==
        "");
  CHECK(world.jobs.front().since == 156);
  CHECK(told(world, R"({"at": 170, "what": "ended", "job": "b"})") == "");
  CHECK(world.jobs.empty());
}

TEST_CASE("advise: a start that nobody confirms is decided again after the patience") {
  World world = small_world();
  CHECK(told(world, R"({"at": 110, "what": "submitted", "job": "c", "cores": 2, "length": 10})") ==
        "start c on n1 at 110; ask at 130");
  // With half of n1 in use, one machine is enough: c waits for it.
  CHECK(told(world, R"({"at": 169, "what": "tick"})") == "ask at 170");
  CHECK(told(world, R"({"at": 170, "what": "tick"})") == "place c on n0 at 238; ask at 178");
}

TEST_CASE("advise: machines that come and go, and the delay of a killed job") {
  World world = small_world();
  CHECK(told(world, R"([{"at": 105, "what": "submitted", "job": "c", "cores": 4, "length": 50},
                        {"at": 105, "what": "started", "job": "c", "on": "n1"}])") == "ask at 130");
  CHECK(told(world, R"({"at": 110, "what": "node-down", "node": "n0"})") ==
        "place b on n1 at 155; ask at 130");  // a waits until 130
  CHECK(told(world, R"({"at": 120, "what": "node-up", "node": "n0"})") ==
        "start b on n0 at 120; ask at 130");
  CHECK(told(world, R"({"at": 130, "what": "tick"})") == "place a on n1 at 155; ask at 155");
  // Between two looks n1 went and came: c is killed, and waits for 20 s.
  CHECK(told(world, R"([{"at": 140, "what": "node-down", "node": "n1"},
                        {"at": 140, "what": "node-up", "node": "n1"}])") ==
        "start a on n1 at 140; ask at 160");
  CHECK(told(world, R"({"at": 141, "what": "capacity", "machines": 0})") == "ask at 160");
  CHECK(told(world, R"({"at": 161, "what": "tick"})") == "");
  CHECK(world.jobs.size() == 3);
  CHECK(told(world, R"({"at": 170, "what": "capacity", "machines": 2})").starts_with("start"));
}

TEST_CASE("advise: contradictions in one event are refused, and change nothing") {
  World world = small_world();
  const Value before = to_value(world);
  CHECK(told(world, R"({"at": 99, "what": "tick"})") ==
        "/0/at: found 99, expected at least 100, the time of the event before");
  CHECK(told(world, R"([{"at": 101, "what": "ended", "job": "a"},
                        {"at": 102, "what": "submitted", "job": "c", "cores": 5, "length": 1}])") ==
        "/1/cores: found 5, expected at most 4, the cores of a machine");
  CHECK(told(world, R"({"at": 101, "what": "submitted", "job": "c"})") == "/length: is missing");
  CHECK(told(world, R"({"at": 101, "what": "started", "job": "a", "on": "n0", "since": 102})") ==
        "/since: found 102, expected at most 101, the date of the event");
  CHECK(told(world, "{\"at\": 101, \"what\": \"tick\"}\n{\"at\": -1, \"what\": \"tick\"}\n") ==
        "2: /at: found -1, expected a duration from 0 to 1000000000000000 s");
  CHECK(told(world, R"({"at": 101, "what": "started", "job": "b", "on": ["n1", "n1"]})") ==
        "/on: found 'n1' twice, expected different names");
  CHECK(told(world, R"({"at": 101, "what": "tick"})", "clairvoyant") ==
        "/strategy: found 'clairvoyant', expected one that decides without knowing the future");
  CHECK(to_value(world) == before);
}

TEST_CASE("advise: a state says where it is wrong") {
  const auto refused = [](const std::string& from, const std::string& to) {
    std::string text = kWorld;
    text.replace(text.find(from), from.size(), to);
    const auto world = read_world(parse_json(text).value());
    return world ? std::string("accepted") : world.error().text();
  };
  CHECK(refused("\"on\": \"n0\", \"since\"", "\"on\": \"x\", \"since\"") ==
        "/jobs/0/on: found 'x', expected one of 'machines'");
  CHECK(refused(", \"on\": \"n0\", \"since\": 90", "") ==
        "/jobs/0/on: is missing: where does it run?");
  CHECK(refused("\"now\": 100", "\"down\": [\"n0\"], \"now\": 100") ==
        "/jobs/0/on: found 'n0', which is down");
  CHECK(refused("[\"n0\", \"n1\"]", "[\"n0\", \"n0\"]") ==
        "/machines/1: found 'n0' twice, expected different names");
  CHECK(refused("\"id\": \"b\"", "\"id\": \"a\"").find("'a'") != std::string::npos);
  CHECK(refused("\"cores\": 4, \"machines\"", "\"machines\"") == "/cores: is missing");
  CHECK(refused("\"since\": 90", "\"since\": 101") ==
        "/jobs/0/since: found 101, expected at most 100, the date 'now' of the state");
}

TEST_CASE("advise: a job that waits for a machine that is off is placed again, or waits") {
  for (const char* strategy : {"target-asap", "packed-target-asap", "first-fit-aware"}) {
    std::string text = kWorld;
    text.replace(text.find("\"on\": \"n0\", \"category\""), 10, "\"on\": \"n1\"");
    text.insert(1, "\"down\": [\"n1\"], ");
    World world = read_world(parse_json(text).value()).value();
    const std::string said = told(world, R"({"at": 101, "what": "tick"})", strategy);
    CHECK(
        said.starts_with(strategy == std::string("first-fit-aware") ? "wait b" : "place b on n0"));
    World none = read_world(parse_json(text).value()).value();
    none.jobs.pop_front();
    none.is_up = {0, 0};
    CHECK(told(none, R"({"at": 101, "what": "tick"})", strategy) == "wait b; ");
  }
}

TEST_CASE("advise: with notice, drain starts nothing that an announced change would kill") {
  World world = small_world();
  CHECK(told(world,
             R"([{"at": 101, "what": "notice", "announced": [[130, 1]]},
                 {"at": 101, "what": "submitted", "job": "c", "cores": 1, "length": 40},
                 {"at": 101, "what": "submitted", "job": "d", "cores": 1, "length": 20}])",
             "drain") == "start d on n1 at 101; wait b; ask at 161");
}

TEST_CASE("advise: a job of several machines is left alone, and takes its cores where it runs") {
  World world = small_world();
  CHECK(
      told(
          world,
          R"([{"at": 101, "what": "submitted", "job": "w", "machines": 2, "cores": 2, "length": 50},
                        {"at": 101, "what": "submitted", "job": "c", "cores": 4, "length": 10}])") ==
      "start c on n1 at 101; ask at 130");
  CHECK(told(world, R"([{"at": 111, "what": "ended", "job": "c"},
                        {"at": 131, "what": "ended", "job": "a"},
                        {"at": 131, "what": "started", "job": "w", "on": ["n0", "n1"]}])") ==
        "ask at 181");
  // It is in the way on both machines.
  CHECK(told(world, R"({"at": 132, "what": "submitted", "job": "d", "cores": 3, "length": 10})")
            .starts_with("place d on n"));
  World fresh = read_world(to_value(world)).value();
  CHECK(to_value(fresh) == to_value(world));
  CHECK(second_of(fresh).others == std::vector<std::size_t>{1});
  // One of its machines goes: it waits again, as a whole, and b has the other.
  CHECK(told(world, R"({"at": 140, "what": "node-down", "node": "n1"})")
            .starts_with("start b on n0"));
  CHECK(second_of(world).phase == LiveJob::Phase::held);
  CHECK(second_of(world).others.empty());
  CHECK(told(world, R"({"at": 161, "what": "tick"})").find("w") == std::string::npos);
  CHECK(told(world, R"({"at": 162, "what": "started", "job": "w", "on": []})") ==
        "/on: is missing: where did it start?");
  CHECK(told(world, R"({"at": 162, "what": "ended", "job": "w"})").find("ignored") ==
        std::string::npos);
}

TEST_CASE("advise: under-price starts jobs when the hour is cheap, and says when to ask again") {
  World world = small_world();
  world.rules.price = {{0, 5}, {120, 80}, {200, 30}};
  CHECK(told(world, R"({"at": 121, "what": "submitted", "job": "c", "cores": 2, "length": 10})",
             "under-price:limit=50") == "wait b; ask at 200");  // n1 is free
  CHECK(told(world, R"({"at": 131, "what": "ended", "job": "a"})", "under-price:limit=50") ==
        "ask at 200");
  CHECK(told(world, R"({"at": 150, "what": "tick"})", "under-price:limit=50") == "ask at 200");
  CHECK(told(world, R"({"at": 200, "what": "tick"})", "under-price:limit=50") ==
        "start b on n0 at 200; start c on n1 at 200; ask at 260");
  CHECK(told(world, R"({"at": 201, "what": "tick"})", "under-price")
            .starts_with("/strategy: found 'under-price', expected under-price:limit=RATE"));
  World back = read_world(to_value(world)).value();
  CHECK(to_value(back) == to_value(world));
}

TEST_CASE("advise and plan say the same of a world that is as planned, or that slipped") {
  const std::string both = R"("cores": 24, "safe_machines": 4, "now": 7200, "used_machines": 5,
      "largest_stretch": 2.5, "distance": 2,
      "reference": [{"length": 600, "cores": 4}, {"length": 36000, "cores": 16}])";
  // The length of a run that began at 3600; 7201 is one that slipped by a second, 3000 one that is over by 10 minutes.
  for (const std::int64_t length : {7200, 7201, 3000}) {
    for (const char* strategy : {"target-stretch", "target-asap", "packed-target-asap"}) {
      CAPTURE(length);
      CAPTURE(strategy);
      const auto state = read_live_state(
          parse_json("{" + both + R"(, "machines": 8, "alive_now": 6, "running": [
             {"machine": 1, "cores": 24, "start": 3600, "length": )" +
                     std::to_string(length) +
                     R"(}], "planned": [{"machine": 1, "cores": 8, "start": 10800, "length": 1800}],
             "job": {"id": "x", "release": 7200, "cores": 20, "length": 5400}})")
              .value());
      REQUIRE(state);
      const auto plan = decide(*state, spec_of(strategy));
      REQUIRE(plan);
      auto world = read_world(
          parse_json("{" + both + R"(, "machines": ["n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"],
             "down": ["n6", "n7"], "jobs": [
               {"id": "r", "release": 3600, "cores": 24, "length": )" +
                     std::to_string(length) +
                     R"(, "state": "running", "on": "n1", "since": 3600},
               {"id": "q", "release": 7200, "cores": 8, "length": 1800, "on": "n1"}]})")
              .value());
      REQUIRE(world);
      const auto advice = advance(
          *world,
          std::vector<LiveEvent>{
              {.what = What::submitted, .at = 7200, .job = "x", .cores = 20, .length = 5400}},
          spec_of(strategy));
      REQUIRE(advice);
      const auto move = std::find_if(advice->moves.begin(), advice->moves.end(),
                                     [](const LiveMove& m) { return m.job == "x"; });
      REQUIRE(move != advice->moves.end());
      CHECK(move->on == "n" + std::to_string(*plan->answer.machine));
      CHECK(move->at == *plan->answer.start);
    }
  }
}
