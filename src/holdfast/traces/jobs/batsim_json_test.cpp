#include "holdfast/traces/jobs/batsim_json.hpp"

#include "holdfast/traces/formats.hpp"
#include "holdfast/traces/jobs/batsim_csv.hpp"

#include <doctest/doctest.h>

#include "support/oddity_counts.hpp"
#include "support/shared_data.hpp"
#include <string>
#include <utility>
#include <vector>

using namespace holdfast;
using holdfast::test::counts;
using holdfast::test::shared_data;

namespace {

Result<JobLog> read_batsim(const std::string& text) {
  JobLog log;
  auto facts = read_batsim_json(LineReader{open_text(text), "w.json"},
                                [&](const LoggedJob& job) { log.jobs.push_back(job); });
  if (!facts) return fail(std::move(facts).error());
  log.facts = std::move(*facts);
  return log;
}

/// A workload of one job and one profile.
std::string one(const char* job, const char* profile) {
  return std::string("{\"nb_res\":2,\"jobs\":[") + job + "],\"profiles\":{\"p\":" + profile + "}}";
}

}  // namespace

TEST_CASE(
    "batsim-json: the run time is the profile's, the order the file's, oddities are counted") {
  const auto log = read_job_log("src/holdfast/traces/samples/batsim-json.json");
  REQUIRE(log);
  CHECK(log->facts.number("MaxProcs") == 4);
  REQUIRE(log->jobs.size() == 3);
  CHECK(log->jobs[0] == LoggedJob{.number = 42,
                                  .submit = 160,
                                  .run = 88.5,
                                  .requested_processors = 1,
                                  .requested_time = 149});
  CHECK(log->jobs[1].number == 0);
  CHECK(log->jobs[2] ==
        LoggedJob{.number = 2, .submit = 17.5, .run = -1, .requested_processors = 4});
  CHECK(counts(log->facts.oddities) ==
        std::vector<std::pair<std::string, std::int64_t>>{
            {"jobs whose id is no number of at most 2^53", 1},
            {"jobs submitted before the one above", 1},
            {"jobs whose profile is no delay", 1},
            {"jobs whose profile lasts longer than their walltime", 1}});
}

TEST_CASE("batsim-json: what is wrong is refused with the pointer into the document") {
  const char* const delay = "{\"type\":\"delay\",\"delay\":5}";
  const struct {
    std::string text;
    const char* message;
  } rows[] = {
      {one("{\"id\":1,\"res\":1,\"profile\":\"p\"}", delay), "w.json: /jobs/0/subtime: is missing"},
      {one("{\"id\":1,\"subtime\":-1,\"res\":1,\"profile\":\"p\"}", delay),
       "w.json: /jobs/0/subtime: found -1, expected a number of at least 0"},
      {one("{\"id\":1,\"subtime\":0,\"res\":\"two\",\"profile\":\"p\"}", delay),
       "w.json: /jobs/0/res: found 'two', expected a number"},
      {one("{\"id\":1,\"subtime\":0,\"res\":1,\"profile\":\"q\"}", delay),
       "w.json: /jobs/0/profile: found 'q', which is no profile of the workload"},
      {one("{\"id\":1,\"subtime\":0,\"res\":1,\"profile\":\"p\"}", "{\"type\":\"delay\"}"),
       "w.json: /profiles/p/delay: found no number of 0 or more, expected how long it takes"},
      {"{\"jobs\":[],\"profiles\":{}}", "w.json: /jobs: found no job, expected at least one"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    const auto log = read_batsim(row.text);
    REQUIRE_FALSE(log);
    CHECK(log.error().text() == row.message);
  }
  CHECK_FALSE(read_batsim("{\"jobs\":[{\"id\":1"));
}

TEST_CASE("batsim-json: what is written reads back the same; what has no place is counted") {
  JobLog log;
  log.facts.header = {{"MaxProcs", "16"}};
  log.jobs = {
      {.number = 1, .submit = 0.1, .run = 88.51, .requested_processors = 4, .requested_time = 90},
      {.number = 7, .submit = 3, .run = 88.51, .requested_processors = 2},
      {.number = 8, .submit = 4, .run = -1, .requested_processors = 2}};
  std::string text;
  const auto lost = write_batsim_json(log, [&](std::string_view part) {
    text += part;
    return Status{};
  });
  REQUIRE(lost);
  CHECK(counts(*lost) == std::vector<std::pair<std::string, std::int64_t>>{
                             {"jobs without a submission, a run time or processors", 1}});
  CHECK(looks_like_batsim_json(text));
  const auto again = read_batsim(text);
  REQUIRE(again);
  CHECK(again->facts.number("MaxProcs") == 16);
  log.jobs.pop_back();
  CHECK(again->jobs == log.jobs);
}

TEST_CASE("batsim: waits, users and queues that Batsim's files have no place for are reported") {
  JobLog log;
  log.jobs = {{.number = 1,
               .submit = 0,
               .wait = 5,
               .run = 10,
               .processors = 4,
               .requested_processors = 8,
               .status = 1,
               .user = 3,
               .queue = 2},
              {.number = 2, .submit = 0, .wait = 0, .run = 10, .processors = 4, .user = 3}};
  const TextSink nowhere = [](std::string_view) { return Status{}; };
  CHECK(counts(write_batsim_json(log, nowhere).value()) ==
        std::vector<std::pair<std::string, std::int64_t>>{
            {"jobs that had other processors than requested", 1},
            {"values of wait, status, user, queue", 6}});
  CHECK(counts(write_batsim_csv(log, nowhere).value()) ==
        std::vector<std::pair<std::string, std::int64_t>>{
            {"jobs that had other processors than requested", 1},
            {"jobs of a status that Batsim does not know, or of none", 1},
            {"values of user, queue", 3}});
}

TEST_CASE("batsim-json: fields that are not read are counted") {
  const auto log =
      read_batsim(one("{\"id\":1,\"subtime\":0,\"res\":1,\"profile\":\"p\",\"user\":\"a\"}",
                      "{\"type\":\"delay\",\"delay\":5}"));
  REQUIRE(log);
  CHECK(counts(log->facts.oddities) ==
        std::vector<std::pair<std::string, std::int64_t>>{
            {"jobs with fields that Batsim's workloads do not have", 1}});
}

TEST_CASE("batsim-json: the workloads of the data collection") {
  const struct {
    const char* file;
    std::size_t jobs;
    std::int64_t disordered;
  } rows[] = {{"batch/batsim-medium-late.json", 801, 1},
              {"batch/g5k-workload-seed9-size32.json", 800, 0}};
  for (const auto& row : rows) {
    const auto path = shared_data(row.file);
    if (!path) return;
    CAPTURE(row.file);
    const auto log = read_job_log(*path);
    REQUIRE(log);
    CHECK(log->jobs.size() == row.jobs);
    std::int64_t disordered = 0;
    for (const auto& [what, count] : counts(log->facts.oddities)) {
      if (what == "jobs submitted before the one above") disordered = count;
    }
    CHECK(disordered == row.disordered);
  }
}
