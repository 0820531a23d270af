#include "holdfast/inputs/failures.hpp"

#include "holdfast/base/file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

using namespace holdfast;

namespace {

Result<GivenFailures> read_nodes(const std::string& object, std::int64_t nodes = 4) {
  return read_failures(parse_json(object).value(), "/failures", ".", FailingUnit::node, nodes);
}

std::string refused(const std::string& object, std::int64_t nodes = 4) {
  const auto given = read_nodes(object, nodes);
  return given ? "no error" : given.error().text();
}

// A log in a file of its own, which goes with the test.
class LogFile {
 public:
  LogFile(const std::string& name, const std::string& rows)
      : path_{std::filesystem::temp_directory_path() / name} {
    REQUIRE(write_file(path_, "node,down,up\n" + rows));
  }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile() { std::filesystem::remove(path_); }

  [[nodiscard]] std::string field() const { return "\"log\": \"" + path_.string() + "\""; }

 private:
  std::filesystem::path path_;
};

bool has_note(const GivenFailures& given, const std::string& part) {
  return std::any_of(given.notes.begin(), given.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("read_failures: a replayed log happens again, from its first row on, on its own nodes") {
  const LogFile log("holdfast-replay-numbers.csv",
                    "3,1000,1060\n0,1500,1600\n3,4000,4060\n7,4500,4501\n");
  const auto given = read_nodes("{" + log.field() + R"(, "replay": true})");
  REQUIRE_MESSAGE(given, given.error().text());
  REQUIRE(given->events);
  REQUIRE(given->events->size() == 3);
  CHECK(given->events->at(0).date == 0);
  CHECK(given->events->at(0).processor == 3);
  CHECK(given->events->at(1).date == 500);
  CHECK(given->events->at(1).processor == 0);
  CHECK(given->events->at(2).date == 3000);
  CHECK(given->events->at(2).processor == 3);
  CHECK_FALSE(given->law);  // nobody asked for one
  CHECK(given->observed_mtbf);
  CHECK(given->ages.empty());
  CHECK(has_note(*given, "3 of 4 failures are replayed"));
  CHECK(has_note(*given, "left out 1 failure of nodes that the machine does not have"));
}

TEST_CASE("read_failures: nodes with names are numbered in their order") {
  const LogFile log("holdfast-replay-names.csv", "c,0,60\na,500,600\nb,700,760\na,4000,4060\n");
  const auto given = read_nodes("{" + log.field() + R"(, "replay": true, "from": 500})");
  REQUIRE_MESSAGE(given, given.error().text());
  std::vector<std::int64_t> nodes;
  for (const FailureEvent& event : *given->events) nodes.push_back(event.processor);
  CHECK(nodes == std::vector<std::int64_t>{0, 1, 0});
  CHECK(given->events->front().date == 0);  // from 500 on
  CHECK(has_note(*given, "it is of 3 nodes, so 1 of the machine's nodes never fail"));
}

TEST_CASE("read_failures: failures that are one event are replayed as one") {
  const LogFile log("holdfast-replay-merged.csv", "0,0,60\n1,30,90\n2,50,51\n0,5000,5060\n");
  const auto given = read_nodes(
      "{" + log.field() + R"(, "replay": true, "merge": "1min", "distribution": "exponential"})");
  REQUIRE_MESSAGE(given, given.error().text());
  CHECK(given->events->size() == 2);
  REQUIRE(given->law);  // asked for
  CHECK(given->law->name() == "exponential");
}

TEST_CASE("read_failures: without replay a log gives its law and the ages of its nodes") {
  const auto given = read_nodes(
      R"({"log": "src/holdfast/traces/samples/failures-csv.csv", "distribution": "exponential"})");
  REQUIRE_MESSAGE(given, given.error().text());
  CHECK(given->law->mean() == doctest::Approx(86400));
  CHECK(given->are_logged_ages);
  CHECK(given->ages.size() == 4);
  CHECK_FALSE(given->events);
}

TEST_CASE("read_failures: what does not go together is refused with its place") {
  const LogFile log("holdfast-replay-refused.csv", "0,0,60\n1,3000,3060\n0,5000,5060\n");
  CHECK(refused("{" + log.field() + R"(, "replay": true, "unit": "system"})") ==
        "/failures/unit: found system with replay, expected node: failures happen to nodes");
  CHECK(refused("{" + log.field() + R"(, "replay": true, "events": []})") ==
        "/failures/replay: found both 'events' and 'replay', expected one of them");
  CHECK(refused(R"({"replay": true, "mtbf": 5})").find("unknown field 'replay'") !=
        std::string::npos);
  CHECK(refused(R"({"shape": 2, "mtbf": 5})").find("is missing: the law that has a 'shape'") !=
        std::string::npos);
  CHECK(refused("{}") ==
        "/failures: found neither a law ('distribution', 'mtbf', 'platform_mtbf', 'failure_rate' "
        "or 'log') nor "
        "'events', expected one of them");
  // A job of `checkpoint` has no nodes of its own.
  const auto job = read_failures(parse_json("{" + log.field() + R"(, "replay": true})").value(),
                                 "/failures", ".", FailingUnit::processor, 2);
  REQUIRE_FALSE(job);
  CHECK(job.error().text().find("unknown field 'replay'") != std::string::npos);
}

TEST_CASE("failure_options: the same rows in the words of each domain") {
  const auto of_jobs = failure_options(FailingUnit::processor);
  const auto of_machines = failure_options(FailingUnit::node);
  REQUIRE(of_machines.size() + 1 == of_jobs.size());
  for (std::size_t i = 0; i < of_machines.size(); ++i)
    CHECK(of_jobs[i].name == of_machines[i].name);
  CHECK(of_jobs.back().name == "local_cause");  // a machine has one level of checkpoints
  CHECK(of_machines.back().name == "replay");
  CHECK(of_jobs[1].summary == "mean time between failures of one processor");
  CHECK(of_machines[1].summary == "mean time between failures of one node");
}
