#include "holdfast/domains/io/record.hpp"

#include "holdfast/domains/io/recorded_phases.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::io;

namespace {

constexpr const char* kHeader =
    R"({"holdfast":{"kind":"io-record","version":1},"bandwidth":100,"policy":"fcfs","options":{"min_grant":0.25,"lease":10}})";

Result<Record> record_of(const std::string& lines) {
  return read_record(LineReader(open_text(std::string(kHeader) + "\n" + lines), "run.jsonl"));
}

std::string record_error(const std::string& lines) {
  const auto record = record_of(lines);
  return record ? "" : record.error().text();
}

/// Two applications; both write, b waits for a. b leaves at 30.
constexpr const char* kTwo =
    R"({"t":0,"e":"join","app":1,"uid":1000,"job":"a","nodes":4,"bandwidth":100,"age":10,"delay":2}
{"t":1,"e":"post","app":1,"volume":400}
{"t":1,"e":"decision","pending":1}
{"t":1,"e":"grant","app":1,"rate":100}
{"t":2,"e":"join","app":2,"uid":1000,"job":"b","nodes":0,"bandwidth":50,"age":0,"delay":0}
{"t":2,"e":"post","app":2}
{"t":5,"e":"done","app":1,"moved":400}
{"t":5,"e":"grant","app":2,"rate":25}
{"t":9,"e":"grant","app":2,"rate":50}
{"t":11,"e":"done","app":2,"moved":150}
{"t":20,"e":"post","app":1,"volume":500}
{"t":20,"e":"grant","app":1,"rate":100}
{"t":30,"e":"close","app":2}
{"t":32,"e":"end"}
)";

double amount_of(const RecordedWindow& window, std::size_t application, std::size_t phase) {
  return window.instance.applications.at(application).phases.at(phase).amount;
}

}  // namespace

TEST_CASE("records: delays are what rates lacked of bandwidths while an operation was open") {
  const auto record = record_of(kTwo);
  REQUIRE(record);
  REQUIRE(record->stays.size() == 2);
  const RecordedStay& a = record->stays[0];
  const RecordedStay& b = record->stays[1];
  CHECK(a.release() == -10);
  CHECK(a.nodes == 4);
  CHECK(a.delay_at(32) == 2);  // from before: it never waited here
  CHECK(b.nodes == 1);
  CHECK(b.delay_at(5) == 3);
  CHECK(b.delay_at(9) == 5);  // at half of its bandwidth
  CHECK(b.delay_at(32) == 5);
  CHECK(b.granted(2, 10) == 25 * 4 + 50);
  CHECK(b.left == 30);
  CHECK(record->end == 32);
  CHECK(record->policy == "fcfs");
}

TEST_CASE("records become windows: work between operations, volumes as they were moved") {
  const auto record = record_of(kTwo);
  REQUIRE(record);
  const auto window = recorded_window(*record, "longest");
  REQUIRE(window);
  CHECK(window->instance.begin == 2);
  CHECK(window->instance.end == 30);
  CHECK(window->instance.bandwidth == 100);
  const Application& a = window->instance.applications.at(0);
  CHECK(a.id == "a");
  CHECK(a.release == -10);
  CHECK(a.progress == 10);
  CHECK(a.repeat);
  // Three quarters of the first operation, 15 s of work, and an operation that was to move 500 bytes.
  REQUIRE(a.phases.size() == 3);
  CHECK(amount_of(*window, 0, 0) == 300);
  CHECK(amount_of(*window, 0, 1) == 15);
  CHECK(amount_of(*window, 0, 2) == 1200);  // its rates let it move more than it stated
  REQUIRE(window->instance.applications.at(1).phases.size() == 2);
  CHECK(amount_of(*window, 1, 0) == 150);
  CHECK(amount_of(*window, 1, 1) == 19);
  CHECK(window->yields.at(0) == doctest::Approx(1 - 2.0 / 40).epsilon(1e-15));
  CHECK(window->yields.at(1) == doctest::Approx(1 - 5.0 / 28).epsilon(1e-15));
  CHECK(window->progress.at(0) == 28);
  CHECK(window->progress.at(1) == 23);
}

TEST_CASE("records: a window is what is asked for, where nobody joins or leaves in it") {
  const auto record = record_of(kTwo);
  REQUIRE(record);
  const auto window = recorded_window(*record, "3,23");
  REQUIRE(window);
  CHECK(window->instance.end == 23);
  CHECK(amount_of(*window, 0, 0) == 200);
  const auto error = [&](const char* text) {
    return recorded_window(*record, text).error().text();
  };
  CHECK(
      error("1,20") ==
      "/window: found that 'b' joins at 2 s, expected dates between which nobody joins or leaves");
  CHECK(error("20,31") ==
        "/window: found that 'b' leaves at 30 s, expected dates between which nobody joins or "
        "leaves");
  CHECK(error("20,40") == "/window: found '20,40', expected dates of the record, from 0 to 32 s");
  CHECK(error("20") ==
        "/window: found '20', expected 'longest' or BEGIN,END in seconds of the record, as in "
        "60,660");
  CHECK(recorded_window(record_of(R"({"t":0,"e":"end"})").value(), "longest").error().text() ==
        "/window: found nobody that transfers in the record, expected an application that does");
}

TEST_CASE("records: who progressed for less than min_grant has not progressed") {
  const std::string early =
      R"({"t":0,"e":"join","app":1,"uid":0,"job":"a","nodes":1,"bandwidth":100,"age":0,"delay":0}
{"t":0.2,"e":"post","app":1}
{"t":0.2,"e":"join","app":2,"uid":1,"job":"a","nodes":1,"bandwidth":100,"age":0.5,"delay":0}
{"t":9,"e":"end"}
)";
  const auto window = recorded_window(record_of(early).value(), "longest");
  REQUIRE(window);
  CHECK(window->instance.applications.at(0).progress == 0);
  CHECK(window->instance.applications.at(1).progress == 0.5);
  // One name of two users.
  CHECK(window->instance.applications.at(0).id == "a (1)");
  CHECK(window->instance.applications.at(1).id == "a (2)");
}

TEST_CASE("records: the longest window begins when all who come together have posted") {
  const auto begin = [](double post, double age) {
    const std::string lines = fmt::format(
        R"({{"t":1,"e":"join","app":1,"uid":0,"job":"a","nodes":1,"bandwidth":100,"age":{},"delay":0}}
{{"t":{},"e":"post","app":1}}
{{"t":{},"e":"grant","app":1,"rate":100}}
{{"t":9,"e":"done","app":1,"moved":500}}
{{"t":10,"e":"end"}}
)",
        age, post, post);
    const auto window = recorded_window(record_of(lines).value(), "longest");
    CHECK(amount_of(window.value(), 0, 0) == (window->instance.begin == post ? 500 : post - 1));
    return window->instance.begin;
  };
  CHECK(begin(1.125, 0) == 1.125);
  CHECK(begin(1.25, 0) == 1);
  // 0.2 s before and 0.125 s after the join are progress together; so is an age of 10 s.
  CHECK(begin(1.125, 0.2) == 1);
  CHECK(begin(1.125, 10) == 1);
}

TEST_CASE("records: in a window, who posted first is first") {
  const auto window =
      recorded_window(
          record_of(
              R"({"t":0,"e":"join","app":1,"uid":0,"job":"a","nodes":1,"bandwidth":100,"age":0,"delay":0}
{"t":0,"e":"join","app":2,"uid":0,"job":"b","nodes":1,"bandwidth":100,"age":0,"delay":0}
{"t":0,"e":"join","app":3,"uid":0,"job":"c","nodes":1,"bandwidth":100,"age":0,"delay":0}
{"t":0.125,"e":"post","app":3}
{"t":0.125,"e":"grant","app":3,"rate":100}
{"t":0.1875,"e":"post","app":2}
{"t":4,"e":"done","app":3,"moved":388}
{"t":4,"e":"grant","app":2,"rate":100}
{"t":5,"e":"post","app":1}
{"t":6,"e":"done","app":2,"moved":200}
{"t":6,"e":"grant","app":1,"rate":100}
{"t":8,"e":"done","app":1,"moved":200}
{"t":10,"e":"end"}
)")
              .value(),
          "longest")
          .value();
  CHECK(window.instance.begin == 0.1875);
  std::string order;
  for (const Application& one : window.instance.applications) order += one.id;
  CHECK(order == "cba");
  CHECK(window.stays == std::vector<std::size_t>{2, 1, 0});
}

TEST_CASE("records: a killed arbiter's last line is left out, any other must be whole") {
  const std::string good = R"({"t":0,"e":"decision","pending":1})";
  CHECK(record_of(good + "\n{\"t\":1,\"e\":\"dec").value().end == 0);
  CHECK(record_error("{\"t\":1,\"e\":\"dec\n" + good).starts_with("run.jsonl:2: "));
  const auto lossy = record_of(R"({"t":3,"e":"dropped","lines":7})");
  REQUIRE(lossy);
  CHECK(lossy->dropped == 7);
  CHECK(
      check_whole(*lossy, "run.jsonl")
          .error()
          .text()
          .starts_with("run.jsonl: found that 7 lines could not be written while it was recorded"));
}

TEST_CASE("records: errors say what was found in which line") {
  const std::string join =
      R"({"t":1,"e":"join","app":1,"uid":0,"job":"a","nodes":1,"bandwidth":100,"age":0,"delay":0})";
  struct Row {
    std::string lines;
    const char* error;
  };
  const Row rows[] = {
      {join + "\n" + join, "run.jsonl:3: /app: found 1, which has joined already"},
      {R"({"t":1,"e":"post","app":7})", "run.jsonl:2: /app: found 7, expected one that has joined"},
      {join + "\n" + R"({"t":0.5,"e":"end"})",
       "run.jsonl:3: /t: found 0.5, expected a number of at least 1"},
      {join + "\n" + R"({"t":2,"e":"grant","app":1,"rate":5})",
       "run.jsonl:3: /e: found it without an operation, expected 'post' first"},
      {join + "\n" + R"({"t":2,"e":"post","app":1})" + "\n" + R"({"t":2,"e":"close","app":1})",
       "run.jsonl:4: /e: found it in an operation, expected 'grant' or 'done'"},
      {R"({"t":1,"e":"decision","pending":1,"what":2})", "run.jsonl:2: /what: "},
  };
  for (const Row& row : rows) {
    const std::string found = record_error(row.lines);
    INFO(found);
    CHECK(found.starts_with(row.error));
  }
  CHECK(read_record(LineReader(open_text("{}"), "x")).error().text() ==
        "x:1: found another line first, expected that of an io-record");
  CHECK(read_record(LineReader(open_text(""), "x")).error().text() ==
        "x: found nothing, expected an io-record");
}
