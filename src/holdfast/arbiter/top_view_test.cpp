#include "holdfast/arbiter/top_view.hpp"

#include "holdfast/base/text.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace holdfast;
using namespace holdfast::arbiter;

namespace {

std::string user_of(std::uint32_t uid) {
  return uid == 1000 ? "eva" : "somebody-with-a-long-name";
}

Round sample() {
  return {.totals = {.bandwidth = 62e6,
                     .granted = 58.04e6,
                     .connections = 12,
                     .pending = 3,
                     .decisions = 20'000,
                     .epoch = 2,
                     .policy = "fcfs"},
          .applications = {{.handle = 1,
                            .uid = 1000,
                            .nodes = 4,
                            .name = "4711",
                            .stage = Stage::write,
                            .rate = 58'040'000,
                            .share = 0.936,
                            .moved = 1'073'741'824,
                            .age = 100,
                            .delay = 5,
                            .yield = 0.95,
                            .longest_wait = 12.3},
                           {.handle = 2,
                            .uid = 1000,
                            .name = "late",
                            .stage = Stage::wait,
                            .age = 1000,
                            .delay = 250,
                            .yield = 0.75,
                            .longest_wait = 7500}}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string_view line : split(text, '\n')) out.emplace_back(line);
  REQUIRE(out.back().empty());
  out.pop_back();
  return out;
}

std::size_t columns_in(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(
      line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) >> 6U) != 2; }));
}

}  // namespace

TEST_CASE("bytes and durations are short and never wrong by a unit") {
  CHECK(short_bytes(0) == "0B");
  CHECK(short_bytes(999) == "999B");
  CHECK(short_bytes(999.7) == "1.00kB");
  CHECK(short_bytes(62e6) == "62.0MB");
  CHECK(short_bytes(1073741824) == "1.07GB");
  CHECK(short_bytes(99.96e6) == "100MB");
  CHECK(short_bytes(999.6e6) == "1.00GB");
  CHECK(short_bytes(1.8e19) == ">9999P");
  CHECK(short_duration(0) == "0.0s");
  CHECK(short_duration(12.34) == "12.3s");
  CHECK(short_duration(250) == "4m10s");
  CHECK(short_duration(7500) == "2h05m");
  CHECK(short_duration(273600) == "3d04h");
  CHECK(short_duration(1e10) == "115741d");
  for (double x = 1e-3; x < 1e19; x *= 1.01) {
    CHECK(short_bytes(x).size() <= 6);
    CHECK(short_duration(std::min(x, 1e10)).size() <= 7);
  }
}

TEST_CASE("the worst yield comes first, under a header of the whole") {
  const auto lines = lines_of(top_text(sample(), {}, user_of));
  REQUIRE(lines.size() == 6);
  CHECK(lines[0] == "58.0MB/s in use of 62.0MB/s, 3 pending, 12 connections, epoch 2");
  CHECK(lines[1] == "fcfs, 20 000 decisions, by yield");
  CHECK(lines[2].empty());
  CHECK(lines[3] ==
        "job             user     nodes state rate/s share  moved   delay yield  waited");
  CHECK(lines[4] ==
        "late            eva          - wait      0B    0%     0B   4m10s 0.750   2h05m");
  CHECK(lines[5] ==
        "4711            eva          4 write 58.0MB   94% 1.07GB    5.0s 0.950   12.3s");
}

TEST_CASE("each order puts first what is looked for") {
  const auto first = [](TopOrder order) {
    return lines_of(top_text(sample(), {.order = order}, user_of))[4].substr(0, 4);
  };
  CHECK(first(TopOrder::yield) == "late");
  CHECK(first(TopOrder::rate) == "4711");
  CHECK(first(TopOrder::moved) == "4711");
  CHECK(first(TopOrder::delay) == "late");
  CHECK(first(TopOrder::job) == "4711");
}

TEST_CASE("whatever a job is called, a line has at most 80 columns and moves no cursor") {
  Round round = sample();
  round.totals.policy = std::string(64, 'p');
  round.totals.connections = 1'000'000'000;
  round.applications[0].name = "\x1b[2J\n\x07 evil name that is long";
  round.applications[0].uid = 4'000'000'000;
  round.applications[0].nodes = 4'000'000'000;
  round.applications[0].moved = ~std::uint64_t{0};
  round.applications[0].rate = ~std::uint64_t{0};
  round.applications[0].delay = 1e10;
  round.applications[1].name =
      "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
      "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9";
  const std::string text = top_text(round, {.decisions_per_second = 1e9}, user_of);
  const auto lines = lines_of(text);
  REQUIRE(lines.size() == 6);
  for (const std::string& line : lines) CHECK(columns_in(line) <= 80);
  for (const char c : text) CHECK((c == '\n' || static_cast<unsigned char>(c) >= 0x20));
  CHECK(find_not_utf8(text) == std::string::npos);
  CHECK(text.find("\\x1b[2J\\x0a") != std::string::npos);
}

TEST_CASE("a narrow terminal loses columns, never the job, its rate and its yield") {
  for (const std::size_t width : {28U, 40U, 60U, 79U, 80U, 200U}) {
    CAPTURE(width);
    const std::string text = top_text(sample(), {.width = width}, user_of);
    for (const std::string_view line : split(text, '\n'))
      CHECK(line.size() <= std::min<std::size_t>(width, 80));
    const auto lines = split(text, '\n');
    CHECK(lines[3].starts_with("job "));
    CHECK(lines[3].find("rate/s") != std::string_view::npos);
    CHECK(lines[3].find("yield") != std::string_view::npos);
    CHECK((lines[3].find("nodes") != std::string_view::npos) == (width >= 78));
  }
}

TEST_CASE("a terminal that is too small says what it does not show") {
  Round round = sample();
  round.applications.resize(30, round.applications[0]);
  const auto lines = lines_of(top_text(round, {.lines = 24}, user_of));
  CHECK(lines.size() == 24);
  CHECK(lines.back() == "and 11 more");
  CHECK(lines_of(top_text(round, {.lines = 34}, user_of)).size() == 34);
  CHECK(lines_of(top_text(round, {.lines = 3}, user_of)).back() == "and 30 more");
}

TEST_CASE("a round is a document too") {
  const Value document = top_document(sample(), {}, user_of);
  CHECK(document.at("/bandwidth")->number() == 62e6);
  CHECK(document.at("/epoch")->number() == 2);
  CHECK(*document.at("/applications/0/job")->string() == "late");
  CHECK(*document.at("/applications/0/state")->string() == "wait");
  CHECK(document.at("/applications/1/yield")->number() == 0.95);
  CHECK(document.at("/applications/1/longest_wait")->number() == 12.3);
}

TEST_CASE("rounds are put together from frames, in pieces of any size") {
  std::string bytes = encode(Welcome{.epoch = 5}, 1);
  bytes += encode(state_of(sample().applications[0]), 2);
  bytes += encode(state_of(sample().applications[1]), 3);
  bytes += encode(state_of(sample().totals), 4);
  RoundReader reader;
  std::size_t rounds = 0;
  for (const char byte : bytes) {
    reader.take({&byte, 1});
    const auto round = reader.next();
    REQUIRE(round);
    if (!*round) continue;
    ++rounds;
    CHECK((*round)->totals.epoch == 5);
    CHECK((*round)->totals.bandwidth == 62e6);
    REQUIRE((*round)->applications.size() == 2);
    CHECK((*round)->applications[1].name == "late");
  }
  CHECK(rounds == 1);
  reader.take(encode(Refusal{.code = FaultCode::shutting_down, .text = "the arbiter ends"}, 5));
  CHECK(reader.next().error().message == "the arbiter refuses: the arbiter ends");
  RoundReader other;
  other.take("HTTP/1.1 400 Bad Request");
  CHECK(other.next().error().message.find("no arbiter answers there") == 0);
}
