#include "holdfast/report/stacked.hpp"

#include "holdfast/report/schedule.hpp"

#include <doctest/doctest.h>

#include <string>

namespace holdfast {
namespace {

constexpr TimelineColumn kStackColumns[] = {{"task", Unit::none, Role::stack},
                                            {"start", Unit::seconds, Role::start},
                                            {"end", Unit::seconds, Role::end},
                                            {"processors", Unit::none, Role::width},
                                            {"faulty", Unit::none, Role::mark}};

// Task a has 4 processors until it ends at 10; b has 2, fails at 5, and has 6 from 10 on.
Timeline two_tasks() {
  Timeline timeline{kStackColumns};
  timeline.add({"a", 0.0, 10.0, std::int64_t{4}, false});
  timeline.add({"b", 0.0, 5.0, std::int64_t{2}, false});
  timeline.add({"b", 5.0, 10.0, std::int64_t{2}, true});
  timeline.add({"b", 10.0, 20.0, std::int64_t{6}, false});
  return timeline;
}

StackedBands bands_of(const Timeline& timeline, double resolution) {
  const TimelineRoles roles = find_roles(timeline);
  return stack_up(timeline, roles, lay_out(timeline, roles), resolution);
}

}  // namespace

TEST_CASE("stacked: a step where a band moves, none where it goes on, a mark in its middle") {
  const StackedBands bands = bands_of(two_tasks(), 0);
  REQUIRE(bands.lanes.size() == 2);
  REQUIRE(bands.lanes[0].size() == 2);  // 0 to 4, then nothing
  CHECK(bands.lanes[0][0].high == 4);
  CHECK(bands.lanes[0][1].time == 10);
  CHECK(bands.lanes[0][1].high == bands.lanes[0][1].low);
  REQUIRE(bands.lanes[1].size() == 3);  // 4 to 6, 0 to 6, nothing
  CHECK(bands.lanes[1][0].low == 4);
  CHECK(bands.lanes[1][0].high == 6);
  CHECK(bands.lanes[1][1].time == 10);
  CHECK(bands.lanes[1][1].low == 0);
  CHECK(bands.lanes[1][1].high == 6);
  REQUIRE(bands.marks.size() == 1);
  CHECK(bands.marks[0].time == 5);
  CHECK(bands.marks[0].height == 5);
  CHECK(bands.highest == 6);
}

TEST_CASE("stacked: changes nearer than the resolution are one step") {
  CHECK(bands_of(two_tasks(), 15).lanes[1].size() == 2);
}

TEST_CASE("stacked: the picture has a band per task, a mark per failure and one in the legend") {
  const Timeline timeline = two_tasks();
  const NamedTimeline one[] = {{"x", &timeline}};
  std::string text;
  REQUIRE(write_schedule_svg(one, {}, [&text](std::string_view part) -> Status {
    text += part;
    return {};
  }));
  const auto count = [&text](std::string_view what) {
    std::size_t found = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
  };
  CHECK(count("</title></path>") == 2);
  CHECK(count("l8 8m0 -8l-8 8") == 4);  // each with its edge
  CHECK(count(">processors</text>") == 1);
  CHECK(count(">processors of each task</text>") == 1);
}

}  // namespace holdfast
