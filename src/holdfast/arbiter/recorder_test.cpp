#include "holdfast/arbiter/recorder.hpp"

#include "holdfast/arbiter/compare.hpp"
#include "holdfast/arbiter/testing_writers.hpp"
#include "holdfast/base/file.hpp"
#include "holdfast/domains/io/recorded_phases.hpp"
#include "holdfast/domains/io/simulate.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "support/scratch.hpp"
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::arbiter;
using namespace holdfast::arbiter::testing;

namespace {

/// A window as clients of a core play it, and what was recorded of it.
struct Played {
  std::string text;
  std::vector<double> yields;
  io::Record record() const {
    return io::read_record(LineReader(open_text(text), "played")).value();
  }
};

Played played(const io::Instance& instance, const std::string& policy, double stagger = 0,
              Settings settings = quiet(0)) {
  settings.bandwidth = instance.bandwidth;
  World world(settings, policy);
  Played out;
  out.text = to_compact_json(record_header(settings, make_policy(policy).value().text)) + "\n";
  world.core().observe([&](const Happening& happening, double now) {
    const Value line = record_line(happening, now);
    if (!line.is_null()) out.text += to_compact_json(line) + "\n";
  });
  play(world, instance, stagger);
  out.yields = yields_of(world);
  out.text += to_compact_json(Value::object({{"t", world.now()}, {"e", "end"}})) + "\n";
  return out;
}

double off_by(const Played& played, const std::string& policy) {
  const auto window = io::recorded_window(played.record(), "longest").value();
  const auto strategy = std::move(make_policy(policy).value().strategy);
  const auto run = io::simulate(window.instance, io::load_of(window.instance), *strategy);
  RC_ASSERT(run.yields.size() == played.yields.size());
  double out = 0;
  for (std::size_t i = 0; i < run.yields.size(); ++i) {
    // Measured as the core did, and predicted as it did.
    out = std::max(out, std::abs(window.yields[i] - played.yields[i]));
    out = std::max(out, std::abs(run.yields[i] - played.yields[i]));
  }
  return out;
}

}  // namespace

TEST_CASE("what is recorded of a window is simulated to the yields that the arbiter gave") {
  for (const char* policy : {"fair-share", "fcfs", "greedy-yield", "set-10",
                             "look-ahead-greedy-yield", "periodic-greedy-yield:period=2"}) {
    INFO(policy);
    CHECK(off_by(played(example_5(1e9), policy), policy) <= kWholeBytes);
  }
}

TEST_CASE("random windows are simulated from their records to the yields that the arbiter gave") {
  CHECK(rc::check([] {
    io::Instance instance;
    instance.bandwidth = 1e9;
    const auto amount = [] { return 0.5 + *rc::gen::inRange(0, 1'000'000) / 1e5; };
    const auto count = *rc::gen::inRange(2, 8);
    for (int i = 0; i < count; ++i) {
      io::Application one{.id = std::to_string(i),
                          .bandwidth = std::floor(1e9 / *rc::gen::inRange(1, 4)),
                          .repeat = true};
      for (int k = 0; k < 3; ++k) {
        one.phases.push_back({io::Phase::Kind::io, std::floor(amount() * 1e9)});
        one.phases.push_back({io::Phase::Kind::work, amount() * count});
      }
      instance.applications.push_back(one);
    }
    instance.end = 60;
    const char* const kPolicies[] = {"fair-share", "fcfs", "greedy-yield"};
    const char* policy = kPolicies[*rc::gen::inRange<std::size_t>(0, std::size(kPolicies))];
    RC_ASSERT(off_by(played(instance, policy), policy) <= 1e-5);
  }));
}

TEST_CASE("a comparison finds the prediction near, and says so where it is not") {
  Settings settings = quiet(0);
  settings.coalesce = 0.002;
  settings.min_grant = 0.125;
  const Played run = played(example_5(1e9, 0.97), "greedy-yield", 1e-3, settings);
  const auto found = compare(run.record(), {.file = "run.jsonl", .strategy = "fair-share,fcfs"});
  REQUIRE(found);
  CHECK_FALSE(found->is_no);
  CHECK(found->document.at("/largest_difference")->number() <= 0.01);
  REQUIRE(found->document.find("predicted")->array_items()->size() == 3);
  CHECK(*found->document.at("/predicted/0/strategy")->string() == "greedy-yield");
  CHECK(found->document.at("/predicted/0/minimum_yield")->number() ==
        doctest::Approx(18.0 / 23).epsilon(0.01));
  CHECK(found->document.at("/predicted/1/minimum_yield")->number() ==
        doctest::Approx(425.0 / 828).epsilon(0.03));
  CHECK(found->tables.at(0).rows.size() == 6 + 2);
  CHECK(found->tables.at(0).columns.size() == 2 + 3);

  // As if it had been another strategy.
  io::Record other = run.record();
  other.policy = "fair-share";
  CHECK(compare(other, {.strategy = "fcfs"}).value().is_no);
  other.dropped = 1;
  CHECK(compare(other, {.file = "run.jsonl"}).error().where == "run.jsonl");
  CHECK(compare(run.record(), {.strategy = "best"}).error().where == "/strategy");
}

TEST_CASE(
    "a recorder writes lines that read back, and goes on in a new file with those who are there") {
  const Scratch folder;
  const auto path = folder.path() / "run.jsonl";
  World world(quiet(100));
  {
    auto recorder = Recorder::open(path, record_header(quiet(100), "fcfs"));
    REQUIRE(recorder);
    const auto hear = [&](const Happening& one, double now) { recorder->hear(one, now); };
    world.core().observe(hear);
    const auto a = world.join("a", 100);
    world.join("gone");
    world.pass_to(10);
    world.close(a + 1);
    world.post(a, 1000);
    world.settle_now();
    world.pass_to(14);
    world.report(a, 400);
    recorder->begin_anew(world.now());
    world.core().introduce(hear, world.now());
    world.pass_to(20);
    world.done(a, 1000);
    recorder->end(world.now());
    world.core().observe({});
  }
  const auto first = io::load_record(folder.path() / "run.jsonl.1");
  REQUIRE(first);
  CHECK(first->stays.size() == 2);
  CHECK(first->stays[1].left == 10);
  CHECK(first->end == 10);
  const auto second = io::load_record(path);
  REQUIRE(second);
  REQUIRE(second->stays.size() == 1);
  CHECK(second->stays[0].age == 14);
  REQUIRE(second->stays[0].operations.size() == 1);
  CHECK(second->stays[0].operations[0].stated == 600.0);
  CHECK(second->stays[0].operations[0].posted == 14);
  CHECK(second->stays[0].granted(14, 20) == 600);
  CHECK(second->end == 20);
}

TEST_CASE("a record that stands is kept, and lines that cannot be written are counted") {
  const Scratch folder;
  const auto path = folder.path() / "run.jsonl";
  for (int i = 0; i < 3; ++i) {
    const auto file = LineFile::open(path);
    REQUIRE(file);
    CHECK((*file)->add(std::to_string(i)));
    CHECK_FALSE((*file)->add(std::string(LineFile::kMostWaiting, 'x')));
  }
  CHECK(read_file(path).value() == "2\n");
  CHECK(read_file(folder.path() / "run.jsonl.1").value() == "0\n");
  CHECK(read_file(folder.path() / "run.jsonl.2").value() == "1\n");
  CHECK(LineFile::open(folder.path() / "none" / "run.jsonl").error().code == ErrorCode::io_failure);

  const auto full = LineFile::open("/dev/full");
  REQUIRE(full);
  CHECK((*full)->add("one"));
  CHECK((*full)->add("two"));
  std::uint64_t lost = 0;
  while (lost < 2) lost += (*full)->take_lost();
  CHECK(lost == 2);
  CHECK(std::filesystem::exists("/dev/full"));
}
