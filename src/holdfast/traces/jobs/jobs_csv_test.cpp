#include "holdfast/traces/jobs/jobs_csv.hpp"

#include "holdfast/traces/formats.hpp"
#include "holdfast/traces/jobs/batsim_csv.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "support/oddity_counts.hpp"
#include <string>
#include <utility>
#include <vector>

using namespace holdfast;
using holdfast::test::counts;
using holdfast::test::Counts;

namespace {

template <class Reader>
Result<JobLog> read_jobs(const Reader& reader, const std::string& text) {
  JobLog log;
  auto facts = reader(LineReader{open_text(text), "j.csv"},
                      [&](const LoggedJob& job) { log.jobs.push_back(job); });
  if (!facts) return fail(std::move(facts).error());
  log.facts = std::move(*facts);
  return log;
}

std::string message(const Result<JobLog>& log) {
  return log ? "no error" : log.error().text();
}

template <class Writer>
std::string written(const Writer& writer, const JobLog& log, Oddities* lost = nullptr) {
  std::string text;
  const auto result = writer(log, [&](std::string_view part) {
    text += part;
    return Status{};
  });
  REQUIRE(result);
  if (lost != nullptr) *lost = *result;
  return text;
}

}  // namespace

TEST_CASE("jobs-csv: columns by name, empty cells are not known") {
  const auto log = read_job_log("src/holdfast/traces/samples/jobs-csv.csv");
  REQUIRE(log);
  CHECK(log->facts.number("MaxProcs") == 64);
  CHECK(log->jobs == std::vector<LoggedJob>{
                         {.number = 1, .submit = 0, .wait = 5, .run = 100.5, .processors = 4},
                         {.number = 2, .submit = 10, .run = 60, .processors = 8, .gpus = 0.5}});
  const auto numbered =
      read_jobs(read_jobs_csv, "submit,run,requested_processors,colour\n5,1,2,red\n4,1,1,blue\n");
  REQUIRE(numbered);
  CHECK(numbered->jobs[1].number == 1);
  CHECK(counts(numbered->facts.oddities) ==
        Counts{{"columns of other names", 1}, {"jobs submitted before the one above", 1}});
}

TEST_CASE("jobs-csv: errors name their place") {
  const struct {
    const char* text;
    const char* message;
  } rows[] = {
      {"submit,processors\n1,2\n",
       "j.csv: found columns submit, processors, expected one for run or end; try columns "
       "submit=submit,processors=processors"},
      {"submit,run\n1,2\n",
       "j.csv: found columns submit, run, expected one for processors or requested_processors or "
       "gpus or nodes or tres; try columns submit=submit,run=run"},
      {"submit,run,processors\n1,2,some\n",
       "j.csv:2: processors: found 'some', expected a number of processors"},
      {"submit,run,processors\n1,x,2\n", "j.csv:2: run: found 'x', expected a duration"},
      {"submit,run,processors\n", "j.csv:1: found no job, expected at least one"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(message(read_jobs(read_jobs_csv, row.text)) == row.message);
  }
}

TEST_CASE("jobs-csv: what is written reads back the same") {
  CHECK(rc::check([] {
    const auto whole = rc::gen::inRange<std::int64_t>(-1, std::int64_t{1} << 50);
    JobLog log;
    log.jobs.resize(*rc::gen::inRange<std::size_t>(1, 5));
    for (LoggedJob& job : log.jobs) {
      for (std::int64_t* field : {&job.number, &job.processors, &job.requested_processors,
                                  &job.user, &job.queue, &job.preceding_job}) {
        *field = *whole;
      }
      job.status =
          *rc::gen::inRange<std::int64_t>(-20, 20);  // some sites have more than the standard
      for (double* field : {&job.submit, &job.wait, &job.run, &job.requested_time, &job.gpus}) {
        *field = static_cast<double>(*whole) / 64;
        if (*field < 0) *field = -1;
      }
    }
    for (LoggedJob& job : log.jobs) job.forget_no_processors();
    log.facts.header = {{"MaxProcs", "64"}, {"Note", "a: b"}};
    const auto again = read_jobs(read_jobs_csv, written(write_jobs_csv, log));
    RC_ASSERT(again.has_value());
    RC_ASSERT(again->jobs == log.jobs);
    RC_ASSERT(again->facts.header == log.facts.header);
  }));
}

TEST_CASE("batsim-csv: states, jobs that never ran") {
  const auto log = read_job_log("src/holdfast/traces/samples/batsim-csv.csv");
  REQUIRE(log);
  CHECK(log->jobs == std::vector<LoggedJob>{{.number = 1,
                                             .submit = 0,
                                             .wait = 0,
                                             .run = 60,
                                             .processors = 2,
                                             .requested_processors = 2,
                                             .requested_time = 100,
                                             .status = 1},
                                            {.number = 2,
                                             .submit = 10,
                                             .wait = 50,
                                             .run = 50,
                                             .processors = 1,
                                             .requested_processors = 1,
                                             .requested_time = 50,
                                             .status = 0},
                                            {.number = 3,
                                             .submit = 20,
                                             .requested_processors = 4,
                                             .requested_time = 50,
                                             .status = 5}});
  CHECK(counts(log->facts.oddities) == Counts{{"jobs that never started", 1}});
}

TEST_CASE("batsim-csv: jobs are packed on numbered resources in order of their starts") {
  JobLog log;
  log.jobs = {{.number = 1, .submit = 0, .wait = 5, .run = 10, .processors = 2, .status = 1},
              {.number = 2, .submit = 1, .wait = 0, .run = 20, .processors = 1, .status = 0},
              {.number = 3, .submit = 2, .wait = -1, .run = 20, .processors = 1},
              {.number = 4, .submit = 3, .wait = 12, .run = 0, .processors = 1, .status = 5}};
  Oddities lost;
  const std::string text = written(write_batsim_csv, log, &lost);
  CHECK(text ==
        "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"
        "success,final_state,starting_time,execution_time,finish_time,waiting_time,"
        "turnaround_time,stretch,allocated_resources,consumed_energy,metadata\n"
        "2,w0,2,1,1,,0,COMPLETED_FAILED,1,20,21,0,20,1,0,-1,\n"
        "1,w0,1,0,2,,1,COMPLETED_SUCCESSFULLY,5,10,15,5,15,1.5,1-2,-1,\n"
        "4,w0,4,3,1,,0,COMPLETED_KILLED,15,0,15,12,12,,,-1,\n");
  CHECK(counts(lost) == Counts{{"jobs whose start, run time or processors are not known", 1}});
  const auto again = read_jobs(read_batsim_csv, text);
  REQUIRE(again);
  CHECK(again->jobs.size() == 3);
  CHECK(again->jobs[1].wait == 5);
  CHECK(again->jobs[1].run == 10);
}

TEST_CASE("jobs-csv, batsim-csv: 0 processors are a number that nobody wrote down") {
  const auto plain = read_jobs(read_jobs_csv, "job,submit,start,run,processors\n1,0,2,3,0\n");
  const auto batsim = read_jobs(read_batsim_csv,
                                "job_id,submission_time,requested_number_of_resources,"
                                "starting_time,execution_time\n1,0,0,2,3\n");
  REQUIRE(plain);
  REQUIRE(batsim);
  CHECK(plain->jobs == std::vector<LoggedJob>{{.number = 1, .submit = 0, .wait = 2, .run = 3}});
  CHECK(batsim->jobs == plain->jobs);
  CHECK(counts(plain->facts.oddities) == Counts{{"jobs of 0 processors", 1}});
  CHECK(counts(batsim->facts.oddities) == counts(plain->facts.oddities));
}

TEST_CASE("batsim-csv: errors name their place") {
  const std::string header =
      "job_id,submission_time,requested_number_of_resources,starting_time,execution_time\n";
  const struct {
    const char* row;
    const char* message;
  } rows[] = {
      {"1,,1,0,5\n",
       "j.csv:2: submission_time: found nothing, expected when the job was submitted"},
      {"1,0,some,0,5\n",
       "j.csv:2: requested_number_of_resources: found 'some', expected a whole number of at most "
       "2^53"},
      {"1,0,1,soon,5\n",
       "j.csv:2: starting_time: found 'soon', expected seconds or a date such as 2024-03-01T10:00"},
      {"", "j.csv:1: found no job, expected at least one"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.row);
    CHECK(message(read_jobs(read_batsim_csv, header + row.row)) == row.message);
  }
  const auto nothing = write_batsim_csv({}, [](std::string_view) { return Status{}; });
  REQUIRE_FALSE(nothing);
  CHECK(nothing.error().message ==
        "found no job whose start, run time and processors are known, expected at least one");
}
