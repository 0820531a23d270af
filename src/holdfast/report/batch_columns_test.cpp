#include "holdfast/report/schedule.hpp"

#include <doctest/doctest.h>

#include <string>

namespace holdfast {
namespace {

constexpr TimelineColumn kBatchColumns[] = {
    {"job", Unit::none, Role::label},         {"machine", Unit::none, Role::lane},
    {"cores", Unit::none, Role::width},       {"start", Unit::seconds, Role::start},
    {"end", Unit::seconds, Role::end},        {"outcome", Unit::none, Role::state},
    {"release", Unit::seconds, Role::release}};

std::string written(const Timeline& timeline) {
  std::string text;
  const NamedTimeline one[] = {{"x", &timeline}};
  CHECK(write_schedule_csv(one, [&text](std::string_view part) -> Status {
    text += part;
    return {};
  }));
  return text;
}

}  // namespace

TEST_CASE("schedule csv: a batch system's jobs are also those of Batsim") {
  // Two machines of which the fullest uses 4 cores: cores 0 to 3 and 4 to 7.
  Timeline timeline{kBatchColumns};
  const auto add = [&](std::string_view job, std::int64_t machine, std::int64_t cores, double start,
                       TimelineCell end, std::string_view outcome, double release) {
    timeline.add({job, machine, cores, start, end, outcome, release});
  };
  add("a", 0, 3, 10.0, 20.0, "killed", 5.0);
  add("b", 0, 1, 10.0, 30.0, "completed", 10.0);
  add("a", 1, 3, 26.0, 36.0, "completed", 5.0);
  add("c", 0, 2, 31.0, std::monostate{}, "running", 30.0);
  add("d", 1, 1, 36.0, 39.0, "saved", 36.0);
  add("d", 1, 1, 40.0, 45.0, "running", 36.0);  // until the window's end
  CHECK(
      written(timeline) ==
      "job,machine,cores,start,end,outcome,release,job_id,workload_name,profile,submission_time,"
      "requested_number_of_resources,requested_time,success,final_state,starting_time,"
      "execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources,"
      "consumed_energy,metadata\n"
      // waits 5 s, runs 10 s: stretch 1.5
      "a,0,3,10,20,killed,5,a,w0,a,5,3,,0,COMPLETED_KILLED,10,10,20,5,15,1.5,0-2,-1,\n"
      "b,0,1,10,30,completed,10,b,w0,b,10,1,,1,COMPLETED_SUCCESSFULLY,10,20,30,0,20,1,3,-1,\n"
      // submitted again when it was killed, at 20
      "a,1,3,26,36,completed,5,a#1,w0,a,20,3,,1,COMPLETED_SUCCESSFULLY,26,10,36,6,16,1.6,4-6,-1,\n"
      "c,0,2,31,,running,30,c,w0,c,30,2,,,RUNNING,31,,,1,,,0-1,,\n"
      "d,1,1,36,39,saved,36,d,w0,d,36,1,,0,COMPLETED_KILLED,36,3,39,0,3,1,4,-1,\n"
      "d,1,1,40,45,running,36,d#1,w0,d,39,1,,,RUNNING,40,,,1,,,4,,\n");
}

TEST_CASE("schedule csv: a machine without jobs has no resources, off or not") {
  Timeline timeline{kBatchColumns};
  timeline.add({"a", std::int64_t{1}, std::int64_t{2}, 0.0, 10.0, "completed", 0.0});
  timeline.add({"b", std::int64_t{3}, std::int64_t{2}, 0.0, 10.0, "completed", 0.0});
  const std::string before = written(timeline);
  for (const std::int64_t machine : {0, 2, 3}) {
    timeline.add_unavailable({.lane = machine, .state = "off", .start = 10, .end = 20});
  }
  CHECK(written(timeline) == before);
}

TEST_CASE("schedule csv: other schedules keep their own columns") {
  constexpr TimelineColumn kOthers[] = {{"job", Unit::none, Role::label},
                                        {"start", Unit::seconds, Role::start}};
  CHECK(written(Timeline{kOthers}) == "job,start\n");
}

}  // namespace holdfast
