#include "holdfast/arbiter/compare_remarks.hpp"

#include "holdfast/arbiter/compare.hpp"
#include "holdfast/arbiter/policy.hpp"
#include "holdfast/base/file.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::arbiter;

namespace {

/// Two applications that joined at 0; a waits from 10 to 40, and its bandwidth is found to be 50 at 60 if it says so.
constexpr const char* kLines = R"(
{"t":0,"e":"join","app":1,"uid":1000,"job":"a","nodes":1,"bandwidth":100,"age":0,"delay":0}
{"t":0,"e":"join","app":2,"uid":1000,"job":"b","nodes":1,"bandwidth":100,"age":100,"delay":0}
{"t":10,"e":"post","app":1,"volume":400}
{"t":40,"e":"grant","app":1,"rate":100}
{"t":44,"e":"done","app":1,"moved":400}
{"t":50,"e":"post","app":2,"volume":200}
{"t":50,"e":"grant","app":2,"rate":100}
{"t":52,"e":"done","app":2,"moved":200}
{"t":60,"e":"change","app":1,"nodes":1,"bandwidth":)";

std::vector<std::string> remarks_of(const std::string& policy, const std::string& options,
                                    int bandwidth_later = 100,
                                    const std::string& window = "longest") {
  const std::string text = fmt::format(
      R"({{"holdfast":{{"kind":"io-record","version":1}},"bandwidth":100,"policy":"{}","options":{{{}}}}}{}{}}}
{{"t":100,"e":"end"}}
)",
      policy, options, kLines, bandwidth_later);
  const io::Record record = io::read_record(LineReader(open_text(text), "run.jsonl")).value();
  const auto found = io::recorded_window(record, window).value();
  const auto known = remarks_on(record, found, *make_policy(policy).value().strategy);
  // What programs get are the same sentences.
  const auto answer = compare(record, {.window = window, .strategy = policy}).value();
  CHECK(answer.lines == known);
  CHECK(answer.document.find("remarks")->array_items()->size() == known.size());
  return known;
}

void check_said(const std::vector<std::string>& remarks, const std::string& beginning,
                const std::string& ending) {
  REQUIRE(remarks.size() == 1);
  CHECK(remarks[0].starts_with(beginning));
  CHECK(remarks[0].ends_with(ending));
}

}  // namespace

TEST_CASE("comparisons say nothing of options that did nothing in the window") {
  CHECK(remarks_of("greedy-yield", "").empty());
  CHECK(remarks_of("greedy-yield", R"("grace":0,"min_grant":0.25,"max_pause":60)").empty());
}

TEST_CASE("comparisons name --grace where a strategy by yields saw applications that were new") {
  // b is 100 s old when it joins, and so a alone is new, until 30.
  check_said(remarks_of("greedy-yield", R"("grace":30)"),
             "--grace 30 s: until 30 s of the record the yield of 1 new application",
             "--window 30,100 leaves that time out");
  check_said(remarks_of("greedy-yield", R"("grace":150)"), "--grace 2 min 30 s: until 100 s",
             "by a record of io serve --grace 0s");
  CHECK(remarks_of("greedy-yield", R"("grace":30)", 100, "30,100").empty());
  CHECK(remarks_of("fcfs", R"("grace":30)").empty());
  CHECK(remarks_of("fair-share", R"("grace":30)").empty());
}

TEST_CASE("comparisons name --min-grant, --max-pause and bandwidths where they mattered") {
  // The two operations need 4 s and 2 s.
  check_said(remarks_of("fcfs", R"("min_grant":5)"), "--min-grant 5 s: ", "4 s at full bandwidth");
  CHECK(remarks_of("fcfs", R"("min_grant":4)").empty());
  check_said(remarks_of("fcfs", R"("max_pause":30)"), "--max-pause 30 s: 1 application waited",
             "waiting has no end");
  CHECK(remarks_of("fcfs", R"("max_pause":31)").empty());
  check_said(remarks_of("fcfs", "", 50), "the bandwidth that 1 application can use",
             "from the beginning");
}
