#include "holdfast/traces/speedup/speedup_runs.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

Result<SpeedupTable> read_runs(std::string text) {
  return read_speedup_runs(LineReader(open_text(std::move(text)), "runs.csv"));
}

}  // namespace

TEST_CASE("speedup runs: one program") {
  const auto runs = read_runs("processors,seconds\n1,10\n2,6\n4,4.5\n");
  REQUIRE(runs);
  REQUIRE(runs->size() == 1);
  CHECK(runs->front().name.empty());
  CHECK(runs->front().processors == std::vector<std::int64_t>{1, 2, 4});
  CHECK(runs->front().seconds == std::vector<double>{10, 6, 4.5});
}

TEST_CASE("speedup runs: texts name the series, the last number of nodes is none") {
  const auto runs = read_runs(
      "kernel,class,nodes,processes,seconds\nft,B,1,1,88.5\nis,B,1,1,9.2\n# later\nft,B,1,2,62\n");
  REQUIRE(runs);
  REQUIRE(runs->size() == 2);
  CHECK((*runs)[0].name == "ft B");
  CHECK((*runs)[0].processors == std::vector<std::int64_t>{1, 2});
  CHECK((*runs)[1].name == "is B");
}

TEST_CASE("speedup runs: tabs, and every column of numbers a series") {
  const auto runs = read_runs("Nodes\tTotal\tPropagate\n32\t10536\t10190\n64\t5611\t5363\n\n");
  REQUIRE(runs);
  REQUIRE(runs->size() == 2);
  CHECK((*runs)[0].name == "Total");
  CHECK((*runs)[1].name == "Propagate");
  CHECK((*runs)[1].seconds == std::vector<double>{10190, 5363});
}

TEST_CASE("speedup runs: errors name their place") {
  struct Row {
    const char* text;
    const char* where;
  };
  const Row rows[] = {
      {"", "runs.csv"},
      {"a,b\n1,2\n", "runs.csv"},
      {"processors,seconds\n0,2\n", "runs.csv:2: processors"},
      {"processors,seconds\n1,2\n2,x\n", "runs.csv:3: seconds"},
      {"processors,seconds\n1,2\n2,-1\n", "runs.csv:3: seconds"},
      {"processors,seconds\n1,2\n2\n", "runs.csv:3"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto runs = read_runs(row.text);
    REQUIRE_FALSE(runs);
    CAPTURE(runs.error().text());
    CHECK(runs.error().where.starts_with(row.where));
  }
}

TEST_CASE("speedup runs: steps that most algorithms do not expect are counted") {
  // ft: 88 -> 50 -> 20 s on 1, 2, 4: from 2 to 4 the work shrinks, 100 to 80. is: from 4 to 2 in the
  // file, so out of order; grows from 2 to 4; 4 comes twice; begins at 2.
  const auto runs = read_runs(
      "kernel,processes,seconds\nft,1,88\nft,2,50\nft,4,20\n"
      "is,4,3\nis,2,2\nis,4,3.5\n");
  REQUIRE(runs);
  const auto oddities = oddities_of(*runs).list();
  std::vector<std::pair<std::string, std::int64_t>> found;
  for (const Oddity& oddity : oddities) found.emplace_back(oddity.what, oddity.count);
  CHECK(found == std::vector<std::pair<std::string, std::int64_t>>{
                     {"steps to more processors on which the time grows (of 3 steps)", 1},
                     {"steps to more processors on which the work shrinks (of 3 steps)", 1},
                     {"runs on a number of processors that was there already", 1},
                     {"series that do not begin at 1 processor", 1},
                     {"series whose rows are not in order of processors", 1}});
}

TEST_CASE("extrap: a series per region and other parameters, a run per repetition") {
  const std::string text =
      "PARAMETER p\nPARAMETER n\n\nPOINTS ( 32 5000 )\nPOINTS ( 64 5000 ) ( 64 6000 )\n\n"
      "METRIC time\n\nREGION   main()\nDATA 406.5 405.5\nDATA 300 0\nDATA 350\n"
      "REGION solve\nDATA 5\n";
  CHECK(looks_like_extrap(text));
  const auto runs = read_extrap(LineReader(open_text(text), "e.txt"));
  REQUIRE(runs);
  REQUIRE(runs->size() == 3);
  CHECK((*runs)[0].name == "main() n=5000");
  CHECK((*runs)[0].processors == std::vector<std::int64_t>{32, 32, 64});
  CHECK((*runs)[0].seconds == std::vector<double>{406.5, 405.5, 300});
  CHECK((*runs)[0].without_time == 1);
  CHECK((*runs)[1].name == "main() n=6000");
  CHECK((*runs)[2].name == "solve n=5000");
  const auto wrong = [](const char* line) {
    return read_extrap(LineReader(open_text(std::string("PARAMETER p\nPOINTS 1\n") + line), "e"))
        .error()
        .text();
  };
  CHECK(wrong("DATA 5\nDATA 6\n") == "e:4: found more rows of DATA than the 1 POINTS");
  CHECK(wrong("DATA -1\n") == "e:3: found '-1', expected a number of 0 or more");
  CHECK(wrong("DATA 0\n") == "e:3: found no DATA, expected at least one");
  CHECK(wrong("POINTS ( x )\n") == "e:3: found 'x' under p, expected a whole number of at least 1");
  CHECK(wrong("") == "e:2: found no DATA, expected at least one");
}

TEST_CASE("scaling-blocks: a series per title") {
  const std::string text =
      "# a comment\n\n>>> ne   32 alg SL\n   1  268.90  13.35  1.44\n   2  158.10\n>>> empty\n";
  CHECK(looks_like_scaling_blocks(text));
  const auto runs = read_scaling_blocks(LineReader(open_text(text), "b.txt"));
  REQUIRE(runs);
  REQUIRE(runs->size() == 1);
  CHECK((*runs)[0].name == "ne 32 alg SL");
  CHECK((*runs)[0].seconds == std::vector<double>{268.9, 158.1});
  CHECK(read_scaling_blocks(LineReader(open_text(">>> a\n0 5\n"), "b")).error().where == "b:2");
}

TEST_CASE("speedup runs: distinguished from other tables by the header") {
  CHECK(looks_like_speedup_runs("processors,seconds\n1,2\n"));
  CHECK(looks_like_speedup_runs("# strong scaling\nNodes\tTotal\n32\t10536\n"));
  CHECK_FALSE(looks_like_speedup_runs("node,down,up\nn1,3600,3900\n"));
  CHECK_FALSE(looks_like_speedup_runs("low,high\n1,2\n"));
  CHECK_FALSE(looks_like_speedup_runs("processors,name\n1,abc\n"));
}

}  // namespace holdfast
