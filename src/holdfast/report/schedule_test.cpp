#include "holdfast/report/schedule.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace holdfast {
namespace {

constexpr TimelineColumn kLaneColumns[] = {{"job", Unit::none, Role::lane},
                                           {"kind", Unit::none, Role::state},
                                           {"start", Unit::seconds, Role::start},
                                           {"end", Unit::seconds, Role::end},
                                           {"lost", Unit::none, Role::lost}};

Timeline two_jobs() {
  Timeline timeline{kLaneColumns};
  timeline.add({timeline.intern("a"), "work", 0.0, 60.0, false});
  timeline.add({timeline.intern("b, \"second\""), "work", 0.0, 90.0, true});
  timeline.add({timeline.intern("a"), "checkpoint", 60.0, 62.5, std::monostate{}});
  return timeline;
}

template <class Writer>
std::string written(Writer writer, std::span<const NamedTimeline> schedules) {
  std::string text;
  const Status status = writer(schedules, [&text](std::string_view part) -> Status {
    text += part;
    return {};
  });
  CHECK(status);
  return text;
}

// A picture without a title.
Status untitled_svg(std::span<const NamedTimeline> schedules, const TextSink& sink) {
  return write_schedule_svg(schedules, {}, sink);
}

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t found = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("schedule csv: one line per row, texts quoted where they must be") {
  const Timeline timeline = two_jobs();
  const NamedTimeline one[] = {{"next-step", &timeline}};
  CHECK(written(write_schedule_csv, one) ==
        "job,kind,start,end,lost\n"
        "a,work,0,60,false\n"
        "\"b, \"\"second\"\"\",work,0,90,true\n"
        "a,checkpoint,60,62.5,\n");
}

TEST_CASE("schedule csv: several schedules are distinguished by a first column") {
  const Timeline timeline = two_jobs();
  const NamedTimeline two[] = {{"x", &timeline}, {"y", &timeline}};
  const std::string text = written(write_schedule_csv, two);
  CHECK(text.starts_with("strategy,job,kind,start,end,lost\nx,a,work,0,60,false\n"));
  CHECK(count(text, "\ny,") == 3);
}

TEST_CASE("schedule trace: a valid document, one thread per lane, times in microseconds") {
  const Timeline timeline = two_jobs();
  const NamedTimeline one[] = {{"next-step", &timeline}};
  const auto document = parse_json(written(write_schedule_trace, one));
  REQUIRE(document);
  const Value* events = document->find("traceEvents");
  REQUIRE(events != nullptr);
  REQUIRE(events->array_items()->size() == 1 + 2 * 2 + 3);
  const Value& last = events->array_items()->back();
  CHECK(*last.find("name")->string() == "checkpoint");
  CHECK(last.find("ts")->number() == 60e6);
  CHECK(last.find("dur")->number() == 2.5e6);
  CHECK(last.find("tid")->number() == 1);
}

TEST_CASE("schedule trace: rows of a lane that overlap get threads of their own") {
  Timeline timeline{kLaneColumns};
  timeline.add({"a", "work", 0.0, 10.0, false});
  timeline.add({"a", "work", 5.0, 15.0, false});
  timeline.add({"a", "work", 10.0, 12.0, false});
  timeline.add({"a", "work", 20.0, 20.0, false});
  const NamedTimeline one[] = {{"x", &timeline}};
  const std::string text = written(write_schedule_trace, one);
  CHECK(count(text, "\"thread_name\"") == 2);
  CHECK(count(text, "\"ph\":\"X\"") == 3);
  CHECK(count(text, "\"ph\":\"i\"") == 1);
}

TEST_CASE("schedule svg: every bar, lane, state and the axis with its unit") {
  const Timeline timeline = two_jobs();
  const NamedTimeline one[] = {{"next-step", &timeline}};
  const std::string text = written(untitled_svg, one);
  CHECK(count(text, "</title></rect>") == 3);
  CHECK(count(text, ">checkpoint</text>") == 1);
  CHECK(count(text, "b, &quot;second&quot;</text>") == 1);
  CHECK(count(text, "time (s)</text>") == 1);
  CHECK(count(text, "next-step</tspan> ends at 1 min 30 s</text>") == 1);
  CHECK(text.ends_with("</svg>\n"));
}

TEST_CASE("schedule svg: a title, a note, long names of lanes shortened beside their bars") {
  Timeline timeline{kLaneColumns};
  timeline.add({"a-node-with-a-name-that-would-not-fit-beside-the-bars", "work", 0.0, 60.0, false});
  const NamedTimeline one[] = {{"x", &timeline}};
  const std::string text = written(
      [](auto schedules, const TextSink& sink) {
        return write_schedule_svg(schedules, {.title = "a < b", .note = "seed 1"}, sink);
      },
      one);
  CHECK(count(text, "<title>a &lt; b</title>") == 1);
  CHECK(count(text, ">a &lt; b</text>") == 1);
  CHECK(count(text, ">seed 1</text>") == 1);
  CHECK(count(text, ">a-node-with-a\u2026ide-the-bars</text>") == 1);
}

TEST_CASE("schedule svg: rates lie on each other below the bars, with their unit") {
  constexpr TimelineColumn kRates[] = {{"application", Unit::none, Role::lane},
                                       {"kind", Unit::none, Role::state},
                                       {"start", Unit::seconds, Role::start},
                                       {"end", Unit::seconds, Role::end},
                                       {"rate", Unit::bytes_per_second, Role::rate}};
  Timeline timeline{kRates};
  timeline.add({"2", "io", 0.0, 5.0, 6e9});
  timeline.add({"10", "io", 0.0, 10.0, 4e9});
  timeline.add({"2", "work", 5.0, 10.0, 0.0});
  const NamedTimeline one[] = {{"x", &timeline}};
  const std::string text = written(untitled_svg, one);
  CHECK(count(text, ">rate (GB/s)</text>") == 1);
  CHECK(count(text, ">rate of each application</text>") == 1);
  CHECK(count(text, ">application</text>") == 0);  // two lanes are lower than their name
  CHECK(count(text, ">2: up to 6 GB/s</title>") == 1);
  CHECK(count(text, ">10: up to 4 GB/s</title>") == 1);
  // Lanes that are numbers come by number: 2 is above 10.
  CHECK(text.find(">2</text>") < text.find(">10</text>"));
  // From 0 to 5 s the band of 2 lies at the bottom, 6/10 of 110 pixels high; from there on 10 does.
  CHECK(count(text, "M96.0 158.0H526.0L526.0 224.0H96.0Z") == 1);
  CHECK(count(text, "M96.0 114.0H526.0L526.0 180.0H956.0L956.0 224.0H526.0L526.0 158.0H96.0Z") ==
        1);
}

TEST_CASE("schedule svg: a count as state has its name") {
  constexpr TimelineColumn kCounted[] = {{"start", Unit::seconds, Role::start},
                                         {"end", Unit::seconds, Role::end},
                                         {"failures", Unit::none, Role::state}};
  Timeline timeline{kCounted};
  timeline.add({0.0, 10.0, std::int64_t{0}});
  timeline.add({10.0, 30.0, std::int64_t{2}});
  const NamedTimeline one[] = {{"x", &timeline}};
  const std::string text = written(untitled_svg, one);
  CHECK(count(text, ">failures: 0</text>") == 1);
  CHECK(count(text, ">failures: 2</text>") == 1);
}

TEST_CASE("schedule svg: what is lost is crossed out, and labels are read on their colour") {
  constexpr TimelineColumn kLabelled[] = {{"job", Unit::none, Role::label},
                                          {"start", Unit::seconds, Role::start},
                                          {"end", Unit::seconds, Role::end},
                                          {"failed", Unit::none, Role::state}};
  Timeline timeline{kLabelled};
  timeline.add({"a", 0.0, 10.0, true});
  timeline.add({"b", 10.0, 20.0, false});
  const NamedTimeline one[] = {{"x", &timeline}};
  const std::string text = written(untitled_svg, one);
  CHECK(count(text, "pointer-events=\"none\"") == 2);  // the bar and the legend
  CHECK(count(text, "fill=\"#000000\">a</text>") == 1);
  CHECK(count(text, "fill=\"#ffffff\">b</text>") == 1);
}

TEST_CASE("schedule svg: time begins at 0, or where the rows begin if that is late") {
  const auto picture = [](double first) {
    Timeline timeline{kLaneColumns};
    timeline.add({"a", "work", first, 100.0, false});
    const NamedTimeline one[] = {{"x", &timeline}};
    return written(untitled_svg, one);
  };
  CHECK(count(picture(10), "width=\"774.00\"") == 1);
  CHECK(count(picture(50), "width=\"860.00\"") == 1);
}

TEST_CASE("schedule svg: when a lane cannot be used is hatched behind its bars") {
  constexpr TimelineColumn kMachines[] = {{"job", Unit::none, Role::label},
                                          {"machine", Unit::none, Role::lane},
                                          {"start", Unit::seconds, Role::start},
                                          {"end", Unit::seconds, Role::end}};
  Timeline timeline{kMachines};
  timeline.add({"a", std::int64_t{2}, 0.0, 60.0});
  timeline.add({"b", std::int64_t{0}, 0.0, 100.0});
  const auto unavailable = [&](std::int64_t machine, const char* state, double start, double end) {
    timeline.add_unavailable({.lane = machine, .state = state, .start = start, .end = end});
  };
  const NamedTimeline one[] = {{"x", &timeline}};
  CHECK(count(written(untitled_svg, one), "<title>schedule</title>") == 1);
  CHECK(count(written(untitled_svg, one), "<pattern") == 0);

  unavailable(1, "off", 0,
              200);  // it has no job, and its lane lies between the others all the same
  unavailable(2, "off", 60, 80);
  unavailable(2, "reclaimed", 80, 80.01);
  unavailable(2, "down", 100, 120);  // beyond what is drawn
  const std::string text = written(untitled_svg, one);
  CHECK(count(text, "<title>schedule; shaded: machine off or reclaimed</title>") == 1);
  CHECK(count(text, ">off</text>") == 1);
  CHECK(count(text, ">job</text>") == 1);  // what is written in the bars
  CHECK(count(text, ">down</text>") == 0);
  // Lanes of 22 pixels below the legend and the title; 100 s are 860 pixels.
  CHECK(count(text,
              "<rect x=\"96.00\" y=\"78.00\" width=\"860.00\" height=\"22.00\" "
              "fill=\"url(#gone)\"><title>off: 0 s to 3 min 20 s</title>") == 1);
  CHECK(count(text, "x=\"612.00\" y=\"100.00\" width=\"172.00\" height=\"22.00\"") == 1);
  CHECK(count(text, "<path fill=\"url(#paused)\"") == 1);
  CHECK(text.find("fill=\"url(#gone)\"><title>") < text.find("<title>b: 0 s to 1 min 40 s"));
}

TEST_CASE("schedule trace: when a lane cannot be used lies on a thread of its own") {
  Timeline timeline = two_jobs();
  timeline.add_unavailable({.lane = "a", .state = "off", .start = 70, .end = 90});
  timeline.add_unavailable({.lane = "c", .state = "off", .start = 0, .end = 90});
  const NamedTimeline one[] = {{"x", &timeline}};
  const std::string text = written(write_schedule_trace, one);
  REQUIRE(parse_json(text));
  CHECK(count(text, R"("thread_name")") == 4);  // a, a without use, the second job's, c without use
  CHECK(count(text, R"("name":"off","pid":1,"tid":2,"ts":70000000,"dur":20000000)") == 1);
  CHECK(count(text, R"("name":"off","pid":1,"tid":4,"ts":0,"dur":90000000)") == 1);
}

TEST_CASE("schedules: when a lane cannot be used is no row of a table") {
  Timeline timeline = two_jobs();
  const auto files = [&timeline] {
    const NamedTimeline one[] = {{"x", &timeline}};
    return std::vector<std::string>{written(write_schedule_csv, one),
                                    to_compact_json(schedule_value(timeline))};
  };
  const std::vector<std::string> before = files();
  timeline.add_unavailable({.lane = "a", .state = "off", .start = 70, .end = 90});
  timeline.add_unavailable({.lane = "c", .state = "off", .start = 0, .end = 90});
  CHECK(files() == before);
}

TEST_CASE("schedule svg: a million rows make a picture that opens") {
  Timeline timeline{kLaneColumns};
  for (int i = 0; i < 1'000'000; ++i) {
    timeline.add({"a", i % 2 == 0 ? "work" : "checkpoint", 1.0 * i, 1.0 * i + 1, false});
  }
  const NamedTimeline one[] = {{"x", &timeline}};
  const std::string text = written(untitled_svg, one);
  CHECK(text.size() < 2'000'000);
  CHECK(count(text, "z") > 1000);  // closed outlines, many to a path
}

TEST_CASE("schedule svg: without lanes the rows are resources, and what has no length is marked") {
  constexpr TimelineColumn kPool[] = {{"job", Unit::none, Role::label},
                                      {"start", Unit::seconds, Role::start},
                                      {"end", Unit::seconds, Role::end},
                                      {"processors", Unit::none, Role::width},
                                      {"failed", Unit::none, Role::state}};
  Timeline timeline{kPool};
  timeline.add({"a", 0.0, 10.0, std::int64_t{3}, true});
  timeline.add({"b", 0.0, 4.0, std::int64_t{1}, false});
  timeline.add({"a", 10.0, 20.0, std::int64_t{3}, false});
  const NamedTimeline one[] = {{"x", &timeline}};
  const std::string text = written(untitled_svg, one);
  // 4 processors of 22 pixels below the legend and the title; a bar keeps a pixel away from the next one.
  CHECK(count(text, "y=\"57.00\" width=\"430.00\" height=\"64.00\"") == 2);
  CHECK(count(text, "y=\"123.00\" width=\"172.00\" height=\"20.00\"") == 1);
  CHECK(count(text, ">processors</text>") == 1);
  CHECK(count(text, ">kept</text>") == 1);
  CHECK(count(text, ">lost</text>") == 1);

  constexpr TimelineColumn kLane[] = {{"kind", Unit::none, Role::state},
                                      {"start", Unit::seconds, Role::start},
                                      {"end", Unit::seconds, Role::end},
                                      {"lost", Unit::none, Role::lost}};
  Timeline single{kLane};
  single.add({"work", 0.0, 10.0, false});
  single.add({"work", 10.0, 10.0, true});
  single.add({"recovery", 10.0, 12.0, false});
  const NamedTimeline other[] = {{"x", &single}};
  const std::string marked = written(untitled_svg, other);
  CHECK(count(marked, "work, lost: 10 s</title></path>") == 1);
}

TEST_CASE("schedule svg: 100,000 rows on 7500 processors are few elements") {
  constexpr TimelineColumn kPool[] = {{"job", Unit::none, Role::label},
                                      {"start", Unit::seconds, Role::start},
                                      {"end", Unit::seconds, Role::end},
                                      {"processors", Unit::none, Role::width}};
  Timeline timeline{kPool};
  for (int i = 0; i < 100'000; ++i) {
    const double start = i / 75;
    timeline.add({timeline.intern(std::to_string(i)), start, start + 1.0 - 0.5 * (i % 2),
                  std::int64_t{100}});
  }
  const NamedTimeline one[] = {{"x", &timeline}};
  const std::string text = written(untitled_svg, one);
  CHECK(text.size() < 10'000'000);
  CHECK(count(text, "\n") < 2000);  // one element a line
}

TEST_CASE("schedules: an empty one is a valid file of each kind") {
  const Timeline timeline{kLaneColumns};
  const NamedTimeline one[] = {{"x", &timeline}};
  CHECK(written(write_schedule_csv, one) == "job,kind,start,end,lost\n");
  CHECK(parse_json(written(write_schedule_trace, one)));
  CHECK(written(untitled_svg, one).ends_with("</svg>\n"));
}

TEST_CASE("schedules: an output that fails stops the writer and is reported") {
  const Timeline timeline = two_jobs();
  const NamedTimeline one[] = {{"x", &timeline}};
  const Status status = write_schedule_csv(one, [](std::string_view) -> Status {
    return fail(ErrorCode::io_failure, "out.csv", "disk full");
  });
  REQUIRE_FALSE(status);
  CHECK(status.error().text() == "out.csv: disk full");
}

TEST_CASE("schedule value: rows as objects, absent cells left out") {
  const Value rows = schedule_value(two_jobs());
  REQUIRE(rows.array_items()->size() == 3);
  CHECK(to_compact_json(rows.array_items()->back()) ==
        R"({"job":"a","kind":"checkpoint","start":60,"end":62.5})");
}

}  // namespace holdfast
