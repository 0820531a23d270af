#include "holdfast/traces/swf.hpp"

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

Read read(const std::string& text) {
  Read out{.jobs = {}, .facts = JobLogFacts{}};
  out.facts = read_swf(LineReader{open_text(text), "log.swf"},
                       [&](const LoggedJob& job) { out.jobs.push_back(job); });
  return out;
}

std::string message(const std::string& text) {
  const Read log = read(text);
  return log.facts ? "no error" : log.facts.error().text();
}

std::int64_t count_of(const JobLogFacts& facts, std::string_view what) {
  for (const Oddity& oddity : facts.oddities.list()) {
    if (oddity.what.find(what) != std::string::npos) return oddity.count;
  }
  return 0;
}

}  // namespace

TEST_CASE("swf: fields stand where the standard says, -1 is not known") {
  const Read log = read(
      "; UnixStartTime: 843480031\n;MaxProcs:100\n; Note: a: b\n"
      "7 327952 291900 9382 80 12.5 -1 81 14400 1e3 1 2 3 4 5 6 8 9\n\n");
  REQUIRE(log.facts);
  CHECK(log.facts->number("MaxProcs") == 100);
  CHECK(log.facts->number("UnixStartTime") == 843480031);
  CHECK_FALSE(log.facts->number("Note"));
  CHECK_FALSE(log.facts->number("MaxJobs"));
  REQUIRE(log.jobs.size() == 1);
  const LoggedJob& job = log.jobs[0];
  CHECK(job.number == 7);
  CHECK(job.submit == 327952);
  CHECK(job.wait == 291900);
  CHECK(job.run == 9382);
  CHECK(job.processors == 80);
  CHECK(job.cpu_time == 12.5);
  CHECK(job.memory == -1);
  CHECK(job.requested_processors == 81);
  CHECK(job.requested_time == 14400);
  CHECK(job.requested_memory == 1000);
  CHECK(job.status == 1);
  CHECK(job.user == 2);
  CHECK(job.group == 3);
  CHECK(job.executable == 4);
  CHECK(job.queue == 5);
  CHECK(job.partition == 6);
  CHECK(job.preceding_job == 8);
  CHECK(job.think_time == 9);
}

TEST_CASE("swf: 19 and 21 fields, whatever the last ones hold") {
  const Read log = read(
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

TEST_CASE("swf: fractions of whole fields are cut off, what is no job is refused with its place") {
  const std::string rest = " -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n";
  CHECK(read("1 0.9 5 10.5 1" + rest).jobs[0].run == 10);
  CHECK(count_of(*read("1 0.9 5 10.5 1" + rest).facts, "fractions") == 2);
  CHECK(message("1 0 5 10\n") == "log.swf:1: found 4 fields, expected 18");
  CHECK(message("; x\n1 0 5 ten 1" + rest) ==
        "log.swf:2: run time: found 'ten', expected a whole number of at most 2^53");
  CHECK(message("1 0 5 1e300 1" + rest) ==
        "log.swf:1: run time: found '1e300', expected a whole number of at most 2^53");
  CHECK(message("1 0 5 nan 1" + rest) ==
        "log.swf:1: run time: found 'nan', expected a whole number of at most 2^53");
  CHECK(message("1 0 5 10 1 inf" + rest.substr(3)) ==
        "log.swf:1: CPU time: found 'inf', expected a number");
  CHECK(message("; nothing else\n") == "log.swf:1: found no job, expected at least one");
}

TEST_CASE("swf: what is written reads back the same") {
  CHECK(rc::check([] {
    const auto whole = rc::gen::inRange<std::int64_t>(-1, std::int64_t{1} << 52);
    std::vector<LoggedJob> jobs(*rc::gen::inRange<std::size_t>(1, 5));
    for (LoggedJob& job : jobs) {
      for (std::int64_t* field :
           {&job.number, &job.submit, &job.wait, &job.run, &job.processors,
            &job.requested_processors, &job.requested_time, &job.status, &job.user, &job.group,
            &job.executable, &job.queue, &job.partition, &job.preceding_job, &job.think_time}) {
        *field = *whole;
      }
      job.cpu_time = static_cast<double>(*whole) / 64;
      job.memory = static_cast<double>(*whole);
    }
    JobLogFacts facts;
    facts.header = {{"MaxProcs", "64"}, {"Computer", "none"}};
    const std::string text = write_swf(facts, jobs);
    const Read again = read(text);
    RC_ASSERT(again.facts.has_value());
    RC_ASSERT(write_swf(*again.facts, again.jobs) == text);
    RC_ASSERT(again.jobs.back().think_time == jobs.back().think_time);
  }));
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
