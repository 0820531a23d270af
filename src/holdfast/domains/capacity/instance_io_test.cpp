#include "holdfast/domains/capacity/instance_io.hpp"

#include <doctest/doctest.h>

#include "support/shared_data.hpp"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

using namespace holdfast;
using namespace holdfast::capacity;

namespace {

Result<Problem> read(const std::string& text, const std::filesystem::path& directory = ".") {
  const auto document = parse_json(text);
  REQUIRE(document);
  return read_problem(*document, directory);
}

std::string message(const std::string& text, const std::filesystem::path& directory = ".") {
  const auto problem = read(text, directory);
  return problem ? "no error" : problem.error().text();
}

// "time:machines ..."
std::string steps_of(const Instance& instance) {
  std::string out;
  for (const Step& step : instance.alive) {
    out += std::to_string(step.time) + ":" + std::to_string(step.machines) + " ";
  }
  return out;
}

/// A folder that is removed when the test ends.
struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / "holdfast-capacity-io";
  Folder() {
    std::filesystem::create_directories(path);
    const std::string jobs =
        "1 1000 0 50 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1\n"
        "2 1040 0 0 4 -1 -1 4 60 -1 0 1 1 -1 -1 -1 -1 -1\n"
        "3 1100 0 600 -1 -1 -1 2 60 -1 1 1 1 -1 -1 -1 -1 -1\n"
        "4 1200 0 70 8 -1 -1 8 60 -1 1 1 1 -1 -1 -1 -1 -1\n";
    write("log.swf", "; MaxProcs: 8\n" + jobs);
    write("bare.swf", "; without the size of the machine\n" + jobs);
    write("spot.json", R"({"metadata": {"gap_seconds": 100}, "data": [2, 2, 4, 1]})");
    write("power.csv",
          "Time,Wind,Sun\n2020-01-01 00:00:00,5,5\n2020-01-01 00:01:40,20,20\n"
          "2020-01-01 00:03:20,15,0\n");
    write("carbon.csv",
          "Time,Carbon Intensity\n2020-01-01 00:00:00,100\n2020-01-01 00:01:40,300\n"
          "2020-01-01 00:03:20,200\n");
    write("steps.csv", "0,3\n0,4\n1,2\n2,2\n3,5\n");
  }
  ~Folder() { std::filesystem::remove_all(path); }
  void write(const char* name, const std::string& text) const {
    std::ofstream(path / name) << text;
  }
};

}  // namespace

TEST_CASE("document: what is listed is fixed, what is absent is drawn") {
  const auto listed = read(
      R"({"cores": 4, "window": [0, 40], "alive": [[0, 3], [10, 1]], "jobs": [{"length": 5}]})");
  REQUIRE(listed);
  CHECK(listed->is_fixed());
  CHECK(listed->fixed.machines == 3);
  CHECK(listed->fixed.safe_machines == 1);
  CHECK(listed->fixed.jobs[0].id == "0");
  const auto walk = read(R"({"cores": 4, "window": [0, 40], "jobs": [{"length": 5}]})");
  REQUIRE(walk);
  CHECK(walk->draws_capacity);
  CHECK_FALSE(walk->draws_jobs);
  CHECK(draw(*walk, 1, 0, 0).jobs.size() == 1);
  CHECK(draw(*walk, 1, 0, 0).machines == 32);
  const auto family = read(R"({"alive": [[0, 3]], "job_count": 50})");
  REQUIRE(family);
  CHECK(family->draws_jobs);
  CHECK(draw(*family, 1, 0, 0).jobs.size() == 50);
  CHECK(steps_of(draw(*family, 1, 0, 5)) == "0:3 ");
  CHECK(read("{}")->fixed.begin == 604800);
  CHECK(read(R"({"profile": "author"})")->fixed.begin == 1209600);
}

TEST_CASE("document: what is written reads back the same") {
  const auto first = read(
      R"({"cores": 4, "window": [5, 40], "distance": 2, "machines": 9, "alive": [[0, 3], [10, 1]],
          "reference": [{"length": 5, "cores": 2}], "jobs": [{"id": "x", "length": 5, "category": 0.5}],
          "placements": [{"job": "x", "machine": 2, "start": 7}]})");
  REQUIRE(first);
  REQUIRE(first->fixed.given.size() == 1);
  const Value written = to_value(first->fixed);
  const auto again = read_problem(written);
  REQUIRE(again);
  CHECK(to_value(again->fixed) == written);
}

TEST_CASE("document: refused, with the place") {
  const auto with = [](const std::string& field) {
    return R"({"window": [0, 40], "cores": 4, "alive": [[0, 3]], )" + field + "}";
  };
  CHECK(message(with(R"("jobs": [{"cores": 0, "length": 5}])")) ==
        "/jobs/0/cores: job '0': found 0, expected at least 1");
  CHECK(message(with(R"("jobs": [{"length": 0}])")) ==
        "/jobs/0/length: job '0': found 0, expected at least 1 second");
  CHECK(message(with(R"("jobs": [{"length": 2.5}])")) ==
        "/jobs/0/length: found 2.5 s, expected whole seconds");
  CHECK(message(with(R"("jobs": [{"length": 5, "release": -1}])")) ==
        "/jobs/0/release: job '0': found -1, expected at least 0");
  CHECK(message(with(R"("jobs": [{"length": 5}], "familiy": 3)")).starts_with("/familiy: unknown"));
  CHECK(message(R"({"window": [40, 40]})") ==
        "/window: found [40, 40), expected a window that is not empty");
  CHECK(message(R"({"machine_range": 30, "mean_machines": 20})") ==
        "/machine_range: found 30, expected a whole number from 0 to 20");
  CHECK(message(R"({"machine_range": -1})") ==
        "/machine_range: found -1, expected a whole number of at least 0");
  CHECK(message(R"({"cores": 3000000000})") ==
        "/cores: found 3000000000, expected a whole number from 1 to 2147483647");
  CHECK(message(R"({"jobs": [{"length": 5}]})") == "/cores: is missing");
  CHECK(message(R"({"machines": 5})").starts_with("/machines: unknown field"));
  CHECK(message(R"({"mean_machines": 9000000000000000000})") ==
        "/mean_machines: found 9000000000000000000, expected a whole number from 1 to 1000000");
  CHECK(message(R"({"machines": 2000000, "alive": [[0, 3]]})") ==
        "/machines: found 2000000, expected a whole number from 1 to 1000000");
  CHECK(message(R"({"alive": [[0, 1000001]]})") ==
        "/alive/0/1: found 1000001, expected a whole number from 0 to 1000000");
  CHECK(message(R"({"period": 1e300})") ==
        "/period: found 1e+300, expected a duration from 1 s to 1000000000000000 s");
  CHECK(message(R"({"period": 1.5})") == "/period: found 1.5 s, expected whole seconds");
  CHECK(message(R"({"window": [0, 40.5]})") == "/window: found 40.5 s, expected whole seconds");
  CHECK(message(R"({"window": [0, 40], "cores": 2000000000, "alive": [[0, 3]],
                    "jobs": [{"length": 1500000000}, {"length": 1000000000}]})") ==
        "/jobs: found jobs of 2.5e+09 s together on machines of 2000000000 cores, expected less "
        "than 4e+18 core-seconds");
  CHECK(message(R"({"distance": -1})") ==
        "/distance: found -1, expected a whole number of at least 0");
}

TEST_CASE(
    "a series sized to a small log gets a larger M+ if rounding down leaves next to nothing") {
  const Folder folder;
  // 1960 core-seconds on machines of 8 cores in 300 s keep 0.8 machines busy. If M+ is 1, the series leaves a machine only in
  // the first 100 s. If it is 2, one of them safe, it leaves 2, 1 and 1.
  const auto problem =
      read(R"({"jobs": "bare.swf", "alive": "carbon.csv", "window": [0, 300]})", folder.path);
  REQUIRE(problem);
  const Instance& instance = problem->fixed;
  CHECK(instance.cores == 8);
  REQUIRE(instance.alive.size() == 2);
  CHECK(instance.alive[0].machines == 2);
  CHECK(instance.alive[1].machines == 1);
  // A log that fills one machine alone is taken to fill several, unless its density is given.
  const auto dense =
      read(R"({"jobs": "log.swf", "alive": "carbon.csv", "window": [0, 300]})", folder.path);
  REQUIRE(dense);
  CHECK(dense->compress > 1);
  CHECK(dense->fixed.alive[0].machines > 1);
  CHECK(message(R"({"jobs": {"file": "log.swf", "compress": 1}, "alive": "carbon.csv",
                    "window": [0, 300]})",
                folder.path)
            .find("found a single machine, which every value above the least switches off") !=
        std::string::npos);
}

TEST_CASE("a log sizes the machine, and its window if it is short") {
  const Folder folder;
  const auto with = [](int cores) {
    return R"({"jobs": "log.swf", "alive": {"file": "power.csv", "column": "Wind"}, "cores": )" +
           std::to_string(cores) + "}";
  };
  const auto problem = read(with(2), folder.path);
  REQUIRE(problem);
  CHECK(steps_of(problem->fixed) == "0:1 100:4 200:3 ");  // MaxProcs: 8
  CHECK(problem->fixed.begin == 0);
  CHECK(problem->fixed.end == 201);  // the last job comes 200 s after the first
  CHECK(message(with(8), folder.path)
            .find("found a single machine, which every value below the largest switches off") !=
        std::string::npos);
}

TEST_CASE("jobs from a log: cores used or requested, times from the first job, the rest reported") {
  const Folder folder;
  const auto problem = read(
      R"({"jobs": "log.swf", "cores": 4, "alive": [[0, 3]], "window": [0, 1000]})", folder.path);
  REQUIRE(problem);
  const Instance& instance = problem->fixed;
  REQUIRE(instance.jobs.size() == 3);
  CHECK(instance.jobs[0].release == 0);
  CHECK(instance.jobs[1].id == "3");
  CHECK(instance.jobs[1].release == 100);
  CHECK(instance.jobs[1].cores == 2);
  CHECK(instance.jobs[1].length == 600);
  REQUIRE(problem->notes.size() == 1);
  CHECK(problem->notes[0].ends_with(
      "1 of 4 jobs (0 % of the work) left out: without a submission, a run time of at least 1 "
      "s or processors"));
  CHECK(
      warnings(instance)[0] ==
      "1 of 3 jobs (28.6 % of the work) need more than the 4 cores of a machine and are left out");
  const auto shorter =
      read(R"({"jobs": {"file": "log.swf", "compress": 2, "longest": "5min"}, "alive": [[0, 3]]})",
           folder.path);
  REQUIRE(shorter);
  CHECK(shorter->fixed.jobs[1].release == 100);  // job 4: (1200 - 1000) / 2
  CHECK(shorter->notes.size() == 2);
}

TEST_CASE("a definition names files by what they hold") {
  const Folder folder;
  folder.write("copy.swf", "; another header\n");
  std::filesystem::copy_file(folder.path / "log.swf", folder.path / "copy.swf",
                             std::filesystem::copy_options::overwrite_existing);
  const auto of = [&](const std::string& file) {
    return read(R"({"jobs": ")" + file + R"(", "alive": [[0, 3]]})", folder.path)->definition;
  };
  CHECK(of("log.swf") == of("copy.swf"));
  CHECK(to_compact_json(of("log.swf")).find("log.swf") == std::string::npos);
  CHECK(read(R"({"jobs": {"file": "log.swf", "compress": 3}, "alive": [[0, 3]]})", folder.path)
            ->definition != of("log.swf"));
}

TEST_CASE("capacity from a series: the rules, by what the series holds") {
  const Folder folder;
  const auto alive = [&](const std::string& question, const std::string& more = "") {
    const auto problem = read(R"({"alive": )" + question + more + "}", folder.path);
    return problem ? steps_of(problem->fixed) : problem.error().text();
  };
  CHECK(alive(R"("spot.json")") == "604800:2 605000:4 605100:1 ");
  CHECK(alive(R"({"file": "spot.json", "from": "150s"})") == "604800:2 604850:4 604950:1 ");
  // Wind alone, 20 is the largest: floor(10 v / 20).
  CHECK(alive(R"({"file": "power.csv", "column": "Wind"})", R"(, "machines": 10)") ==
        "604800:2 604900:10 605000:7 ");
  CHECK(alive(R"({"file": "power.csv", "column": "Wind+Sun"})", R"(, "machines": 8)") ==
        "604800:2 604900:8 605000:3 ");
  // 100 is the cleanest: all 10; 300 the dirtiest: the 4 safe ones; 200 is half way.
  CHECK(alive(R"("carbon.csv")", R"(, "machines": 10, "safe_machines": 4)") ==
        "604800:10 604900:4 605000:7 ");
  CHECK(alive(R"({"file": "carbon.csv", "rule": "count"})") == "604800:100 604900:300 605000:200 ");
  CHECK(alive(R"({"file": "steps.csv", "unit": "1min"})") == "604800:4 604860:2 ");
}

TEST_CASE("capacity from outages: the share of the whole machine that is in service") {
  const Folder folder;
  folder.write(
      "windows.csv",
      "2020-01-01 00:10:00,2020-01-01 00:15:00\n2020-01-01 00:00:00,2020-01-01 00:02:00\n");
  folder.write("nodes.csv", "# observed: 0 to 900\n# nodes: 8\nnode,down,up\na,0,600\nb,300,600\n");
  folder.write("host.avt", "a 1 0 900\nb 2 0 300 600 900\n");
  const auto alive = [&](const std::string& question) {
    const auto problem = read(R"({"machines": 16, "alive": )" + question + "}", folder.path);
    return problem ? steps_of(problem->fixed) : problem.error().text();
  };
  CHECK(alive(R"("windows.csv")") == "604800:0 604920:16 605400:0 ");
  CHECK(alive(R"({"file": "windows.csv", "from": "2020-01-01T00:05:00"})") ==
        "604800:16 605100:0 ");
  CHECK(alive(R"("nodes.csv")") == "604800:14 605100:12 605400:16 ");
  // The machine is never complete in the part that is used: 7 and 6 of 8 nodes are still 14 and 12 of 16 machines.
  CHECK(read(R"({"machines": 16, "window": [0, 600], "alive": "nodes.csv"})", folder.path)
            ->fixed.alive.front()
            .machines == 14);
  CHECK(alive(R"("host.avt")") == "604800:16 605100:8 605400:16 ");
  CHECK(alive(R"({"file": "nodes.csv", "rule": "share"})") == alive(R"("nodes.csv")"));
  CHECK(alive(R"({"file": "nodes.csv", "rule": "count"})") ==
        "/alive/rule: " + (folder.path / "nodes.csv").string() +
            ": found count, expected share: the values are shares of a machine");
}

TEST_CASE("capacity from a series: the window is as long as the series, unless it is given") {
  const Folder folder;
  CHECK(read(R"({"alive": "spot.json"})", folder.path)->fixed.end == 605200);
  CHECK(message(R"({"alive": "spot.json", "window": [0, 500]})", folder.path)
            .ends_with("found 6 min 40 s of capacity, expected the 8 min 20 s of the window"));
  CHECK(
      message(R"({"alive": "steps.csv"})", folder.path)
          .ends_with("the file does not say its unit of time, expected 1h, 1s or 1ms to be given"));
  CHECK(message(R"({"alive": "steps.csv"})", folder.path).starts_with("/alive/unit: "));
  CHECK(message(R"({"alive": "power.csv"})", folder.path).starts_with("/alive/column: "));
  CHECK(message(R"({"alive": {"file": "spot.json", "column": "Wind"}})", folder.path) ==
        "/alive/column: " + (folder.path / "spot.json").string() +
            ": found 'Wind', expected none: format spot-json has no columns to choose from");
  CHECK(message(R"({"alive": "log.swf"})", folder.path).find("expected a series of capacity") !=
        std::string::npos);
  CHECK(message(R"({"jobs": "spot.json"})", folder.path).find("expected a batch log") !=
        std::string::npos);
  CHECK(message(R"({"alive": {"file": "carbon.csv", "from": "2021-01-01"}})", folder.path)
            .find("expected an instant of the series") != std::string::npos);
}

TEST_CASE("real inputs: outages of Mira and Wynton, and their oddities") {
  const struct {
    const char* file;
    const char* from;
    std::size_t steps;
    const char* note;
  } rows[] = {
      {"capacity/mira-maintenance.csv", "2013-04-02T02:00:00", 5, "overlap"},
      {"capacity/mira-reservations-a.csv", "2013-04-11", 17, "before the one above"},
      {"capacity/wynton-incidents-2018-2022.csv", "2022-03-15", 7, "the shorter one is used"},
  };
  for (const auto& row : rows) {
    const auto file = test::shared_data(row.file);
    if (!file) return;
    CAPTURE(std::string(row.file));
    const auto problem = read(R"({"machines": 96, "window": ["0d", "14d"], "alive": {"from": ")" +
                              std::string(row.from) + R"(", "file": ")" +
                              std::filesystem::absolute(*file).string() + "\"}}");
    REQUIRE(problem);
    CHECK(problem->fixed.alive.size() == row.steps);
    CHECK(problem->fixed.alive.front().machines == 96);
    CHECK(std::ranges::any_of(problem->notes, [&](const std::string& note) {
      return note.find(row.note) != std::string::npos;
    }));
  }
}

TEST_CASE("real inputs: KTH-SP2 on the German grid and on spot machines") {
  const auto log = test::shared_data("batch/KTH-SP2-1996.swf.gz");
  const auto grid = test::shared_data("capacity/ger_ci-2020.csv.gz");
  const auto spot =
      test::shared_data("capacity/spot-availability_16-node_aws-08-27-2023_us-west-2a_v100_1.json");
  if (!log || !grid || !spot) return;
  for (const auto& series : {*grid, *spot}) {
    const auto problem = read(R"({"jobs": {"file": ")" + std::filesystem::absolute(*log).string() +
                              R"(", "compress": 16}, "cores": 80, "alive": ")" +
                              std::filesystem::absolute(series).string() + "\"}");
    REQUIRE(problem);
    CHECK(problem->fixed.jobs.size() == 28481);
    CHECK(problem->fixed.alive.size() > 50);
    CHECK(check(problem->fixed).has_value());
  }
}
