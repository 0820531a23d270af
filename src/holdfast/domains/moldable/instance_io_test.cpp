#include "holdfast/domains/moldable/instance_io.hpp"

#include "holdfast/domains/moldable/adversary.hpp"

#include <doctest/doctest.h>

#include <string>

namespace holdfast::moldable {
namespace {

Result<Instance> read(std::string_view text) {
  const auto document = parse_json(text);
  REQUIRE(document.has_value());
  return read_instance(*document);
}

std::string one_job(std::string_view job, std::string_view rest = "") {
  return R"({"processors": 4, "jobs": [)" + std::string(job) + "]" + std::string(rest) + "}";
}

constexpr std::string_view kJob =
    R"({"id": "a", "speedup": {"model": "roofline", "work": 8, "max_parallelism": 2}})";

}  // namespace

TEST_CASE("instance document: every error names the job and the field") {
  struct Row {
    std::string text;
    const char* where;
    const char* message;
  };
  const Row rows[] = {
      {R"({"processors": 0, "jobs": []})", "/processors", "found 0, expected"},
      {R"({"processors": 4, "jobs": []})", "/jobs", "found no job, expected at least one"},
      {one_job(R"({"speedup": {"model": "roofline", "work": -1, "max_parallelism": 2}})"),
       "/jobs/0/speedup/work", "found -1, expected"},
      {one_job(R"({"speedup": {"model": "table", "times": [2, 1]}})"), "/jobs/0/speedup/times",
       "found 2 times, expected one for each of the 4 processors"},
      {one_job(kJob, R"(, "failures": [1, 2])"), "/failures",
       "found 2 counts, expected 1, one per job"},
      {one_job(kJob, R"(, "failures": [-1])"), "/failures/0", "found -1, expected"},
      {one_job(kJob, R"(, "failures": [0.5])"), "/failures/0", "found 0.5, expected"},
      {one_job(kJob, R"(, "error_rate": -1)"), "/error_rate", "found -1, expected"},
      {one_job(kJob, R"(, "error_rate": 2)"), "/error_rate",
       "an attempt of job 'a' almost never succeeds"},
      {one_job(R"({"speedup": {"model": "roofline", "work": 0, "max_parallelism": 2}})"), "/jobs",
       "found no work in any job"},
      {one_job(R"({"speedup": "b"})", R"(, "speedups": {"c": {"model": "power", "work": 1,
        "exponent": 1}})"),
       "/jobs/0/speedup", "found 'b', expected an object or a name of /speedups"},
      {R"({"processors": 4, "jobs": [)" + std::string(kJob) + ", " + std::string(kJob) + "]}",
       "/jobs/1/id", "found 'a' twice"},
      {one_job(R"({"speedup": {"model": "roofline", "work": 8, "max_parallelism": 2},
                   "allocation": 5})"),
       "/jobs/0/allocation", "found 5 processors for job '0', expected from 1 to 4"},
      {one_job(R"({"speedup": {"model": "roofline", "work": 8, "max_parallelism": 2},
                   "failure_probability": 1})"),
       "/jobs/0/failure_probability", "found 1, expected"},
      {one_job(kJob, R"(, "failures": {"adaptive": "theorem-12", "groups": 2})"),
       "/failures/adaptive", "theorem-11"},
      {one_job(kJob, R"(, "failure": [0])"), "/failure", "did you mean 'failures'?"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto instance = read(row.text);
    REQUIRE(!instance.has_value());
    CAPTURE(instance.error().text());
    CHECK(instance.error().where == row.where);
    CHECK(instance.error().message.find(row.message) != std::string::npos);
    CHECK(exit_code(instance.error().code) == 3);
  }
}

TEST_CASE("instance document: what is written reads back the same") {
  const auto same = [](const Instance& once) {
    const Value written = to_value(once);
    const auto twice = read_instance(written);
    REQUIRE(twice.has_value());
    CHECK(to_json(to_value(*twice)) == to_json(written));
    CHECK(twice->size() == once.size());
    CHECK(twice->failures == once.failures);
    CHECK(twice->given == once.given);
  };
  same(*read(one_job(kJob, R"(, "failures": [3])")));
  same(*read(one_job(kJob, R"(, "error_rate": 1e-7, "allocations": [[4, 2]])")));
  same(theorem_7(16, 16)->instance);
  same(theorem_9(4)->instance);
  same(theorem_10(2, 0.5)->instance);
  same(theorem_11(2, false)->instance);
  same(theorem_11(2, true)->instance);
  same(generate({.model = Family::mix, .jobs = 7}, 1, 3));
}

TEST_CASE("instance document: shared tables are written once") {
  const std::string text = to_json(to_value(theorem_7(64, 64)->instance));
  CHECK(text.find("\"table-1\"") != std::string::npos);
  CHECK(text.find("\"table-2\"") == std::string::npos);
  CHECK(text.size() < 20'000);
}

TEST_CASE("generator: a job keeps its work whatever the family and the number of jobs") {
  const Instance few = generate({.model = Family::amdahl, .jobs = 5}, 7, 2);
  const Instance many = generate({.model = Family::power, .jobs = 50}, 7, 2);
  for (std::size_t job = 0; job < few.size(); ++job) {
    CHECK(few.jobs[job].work() == many.jobs[job].work());
    CHECK(few.jobs[job].work() >= 5000);
    CHECK(few.jobs[job].work() <= 4'000'000);
  }
  CHECK(generate({}, 7, 3).jobs[0].work() != few.jobs[0].work());
  CHECK(generate({}, 8, 2).jobs[0].work() != few.jobs[0].work());
}

}  // namespace holdfast::moldable
