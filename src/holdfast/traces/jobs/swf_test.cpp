#include "holdfast/traces/jobs/swf.hpp"

#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "support/shared_data.hpp"
#include <string>
#include <vector>

using namespace holdfast;
using holdfast::test::shared_data;

namespace {

struct Read {
  std::vector<LoggedJob> jobs;
  Result<JobLogFacts> facts;
};

Read read_swf(const std::string& text) {
  Read out{.jobs = {}, .facts = JobLogFacts{}};
  out.facts = read_swf(LineReader{open_text(text), "log.swf"},
                       [&](const LoggedJob& job) { out.jobs.push_back(job); });
  return out;
}

std::string message(const std::string& text) {
  const Read log = read_swf(text);
  return log.facts ? "no error" : log.facts.error().text();
}

std::int64_t count_of(const JobLogFacts& facts, std::string_view what) {
  for (const Oddity& oddity : facts.oddities.list()) {
    if (oddity.what.find(what) != std::string::npos) return oddity.count;
  }
  return 0;
}

}  // namespace

TEST_CASE("swf: the parts of a job do not count beside its line") {
  const Read log = read_swf(
      "; MaxProcs: 32\n1 0 -5 1000 64 -1 -1 64 -1 -1 1 1 1 1 1 1 -1 -1\n"
      "2 100 20 3000 32 -1 -1 32 -1 -1 1 1 1 1 1 1 -1 -1\n"
      "2 100 20 1000 32 -1 -1 32 -1 -1 2 1 1 1 1 1 -1 -1\n"
      "2 -1 500 2000 32 -1 -1 32 -1 -1 3 1 1 1 1 1 -1 -1\n"
      "3 400 0 500 16 -1 -1 16 -1 -1 4 1 1 1 1 1 -1 -1\n");
  REQUIRE(log.facts);
  CHECK(log.jobs.size() == 3);  // job 3 has no other line
  CHECK(count_of(*log.facts, "parts of jobs") == 2);
  CHECK(count_of(*log.facts, "less than no time") == 1);
  CHECK(count_of(*log.facts, "wider than") == 1);
}

TEST_CASE("swf: fields stand where the standard says, -1 is not known") {
  const Read log = read_swf(
      "; UnixStartTime: 843480031\n;MaxProcs:100\n; Note: a: b\n"
      "7 327952 291900 9382 80 12.5 -1 81 14400 1e3 1 2 3 4 5 6 8 9\n\n");
  REQUIRE(log.facts);
  CHECK(log.facts->number("MaxProcs") == 100);
  CHECK(log.facts->number("UnixStartTime") == 843480031);
  CHECK_FALSE(log.facts->number("Note"));
  CHECK_FALSE(log.facts->number("MaxJobs"));
  CHECK(log.jobs == std::vector<LoggedJob>{{.number = 7,
                                            .submit = 327952,
                                            .wait = 291900,
                                            .run = 9382,
                                            .processors = 80,
                                            .cpu_time = 12.5,
                                            .memory = -1,
                                            .requested_processors = 81,
                                            .requested_time = 14400,
                                            .requested_memory = 1000,
                                            .status = 1,
                                            .user = 2,
                                            .group = 3,
                                            .executable = 4,
                                            .queue = 5,
                                            .partition = 6,
                                            .preceding_job = 8,
                                            .think_time = 9,
                                            .gpus = -1}});
}

TEST_CASE("swf: 19 and 21 fields, whatever the last ones hold") {
  const Read log = read_swf(
      "1 806 2176 6470 256 -1 -1 256 5400 -1 0 92605928607567 1 -1 -1 -1 -1 -1 0\n"
      "0 1356996147 0 56011 4 1 1024 4 86400 68719476736 1 62 1 1 -1 1 1 1 {1,1,1,1} q_1d "
      "1:ppn=4\n");
  REQUIRE(log.facts);
  CHECK(log.jobs[0].user == 92605928607567);
  CHECK(log.jobs[1].requested_memory == 68719476736.0);
  CHECK(count_of(*log.facts, "more than 18") == 2);
}

TEST_CASE("swf: oddities are counted, the jobs handed on as they stand") {
  const auto log = read_job_log("src/holdfast/traces/samples/swf.swf");
  REQUIRE(log);
  CHECK(log->facts.jobs == 5);
  const struct {
    const char* what;
    std::int64_t count;
  } rows[] = {{"than the header's 6", 1},
              {"before the one above", 1},
              {"run time 0", 1},
              {"only known as requested", 1},
              {"other processors", 1},
              {"longer than requested", 1},
              {"status 0", 1},
              {"status 5", 1}};
  for (const auto& row : rows) {
    CAPTURE(row.what);
    CHECK(count_of(log->facts, row.what) == row.count);
  }
  CHECK(log->jobs[4].width() == 16);
  CHECK(log->jobs[2].run == 0);
}

TEST_CASE("swf: fractions of whole fields are cut off, those of times kept") {
  const Read log = read_swf("1 0.25 5 10.5 1 -1 -1 1.9 10 -1 1 1 1 1 1 1 -1 -1\n");
  REQUIRE(log.facts);
  CHECK(log.jobs[0].submit == 0.25);
  CHECK(log.jobs[0].run == 10.5);
  CHECK(log.jobs[0].requested_processors == 1);
  CHECK(count_of(*log.facts, "fractions in fields") == 1);
  CHECK(count_of(*log.facts, "fractions of a second") == 2);
}

TEST_CASE("swf: what is no job is refused with its place") {
  const struct {
    const char* text;
    const char* message;
  } rows[] = {
      {"1 0 5 10\n", "log.swf:1: found 4 fields, expected 18"},
      {"; x\n1 0 5 ten 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n",
       "log.swf:2: run time: found 'ten', expected a whole number of at most 2^53"},
      {"1 0 5 1e300 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n",
       "log.swf:1: run time: found '1e300', expected a whole number of at most 2^53"},
      {"1 0 5 nan 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n",
       "log.swf:1: run time: found 'nan', expected a whole number of at most 2^53"},
      {"1 0 5 10 1 -1 -1 1 10 -1 1 9260592868607567 1 1 1 1 -1 -1\n",
       "log.swf:1: user: found '9260592868607567', expected a whole number of at most 2^53"},
      {"1 0 5 10 1 inf -1 1 10 -1 1 1 1 1 1 1 -1 -1\n",
       "log.swf:1: CPU time: found 'inf', expected a number"},
      {"; nothing else\n", "log.swf:1: found no job, expected at least one"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(message(row.text) == row.message);
  }
}

namespace {

std::string written(const JobLog& log, Oddities* lost = nullptr) {
  std::string text;
  const auto result = write_swf(log, [&](std::string_view part) {
    text += part;
    return Status{};
  });
  REQUIRE(result);
  if (lost != nullptr) *lost = *result;
  return text;
}

}  // namespace

TEST_CASE("swf: what is written reads back the same") {
  CHECK(rc::check([] {
    const auto whole = rc::gen::inRange<std::int64_t>(-1, std::int64_t{1} << 52);
    JobLog log;
    log.jobs.resize(*rc::gen::inRange<std::size_t>(1, 5));
    for (LoggedJob& job : log.jobs) {
      for (std::int64_t* field :
           {&job.number, &job.processors, &job.requested_processors, &job.status, &job.user,
            &job.group, &job.executable, &job.queue, &job.partition, &job.preceding_job}) {
        *field = *whole;
      }
      for (double* field : {&job.submit, &job.wait, &job.run, &job.requested_time, &job.think_time,
                            &job.memory, &job.requested_memory}) {
        *field = static_cast<double>(*whole);
      }
      job.cpu_time = static_cast<double>(*whole) / 64;
    }
    log.facts.header = {{"MaxProcs", "64"}, {"Computer", "none"}};
    const Read again = read_swf(written(log));
    RC_ASSERT(again.facts.has_value());
    RC_ASSERT(again.facts->header == log.facts.header);
    RC_ASSERT(again.jobs == log.jobs);
  }));
}

TEST_CASE("swf: what the standard has no place for is rounded or left out, and counted") {
  JobLog log;
  log.jobs = {{.number = 1, .submit = 0.4, .wait = 2.5, .run = 9, .processors = 1, .gpus = 0.5}};
  Oddities lost;
  const Read again = read_swf(written(log, &lost));
  CHECK(again.jobs[0].submit == 0);
  CHECK(again.jobs[0].wait == 2);  // ties to even
  REQUIRE(lost.list().size() == 2);
  CHECK(lost.list()[0].count == 2);
  CHECK(lost.list()[1].what == "jobs with GPUs");
}

TEST_CASE("swf: the logs of the data collection, with the counts that its page states") {
  const struct {
    const char* file;
    std::int64_t jobs;
    const char* what;
    std::int64_t count;
  } rows[] = {{"batch/KTH-SP2-1996.swf.gz", 28489, "longer than requested", 475},
              {"batch/KTH-SP2-1996.swf.gz", 28489, "run time 0", 8},
              {"batch/KTH-SP2-1996.swf.gz", 28489, "status 0", 7948},
              {"batch/KTH-SP2-1996.swf.gz", 28489, "other processors", 219},
              {"batch/NASA-iPSC-1993.swf.gz", 18239, "run time 0", 173},
              {"batch/CEA-Curie-2011-sample.swf.gz", 29998, "other processors", 3751},
              {"batch/metacentrum-wagap-2013-head.swf.gz", 2500, "longer than requested", 98},
              {"batch/theta-constant-arrivals.swf.gz", 3000, "longer than requested", 620},
              {"batch/lublin-256.swf.gz", 10000, "more than 18", 0}};
  for (const auto& row : rows) {
    const auto path = shared_data(row.file);
    if (!path) return;
    CAPTURE(row.file);
    CAPTURE(row.what);
    const auto trace = open_trace(*path);
    REQUIRE(trace);
    CHECK(trace->format->name == "swf");
    const auto log = read_job_log(*path);
    REQUIRE(log);
    CHECK(log->facts.jobs == row.jobs);
    CHECK(count_of(log->facts, row.what) == row.count);
  }
}
