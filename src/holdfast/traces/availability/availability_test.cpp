#include "holdfast/traces/availability/availability.hpp"

#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

using namespace holdfast;

namespace {

Result<AvailabilityRecord> read_availability(const char* format, const std::string& text,
                                             AvailabilityReading reading = {}) {
  HOLDFAST_TRY(trace, open_trace(open_text(text), "file", format));
  return trace.format->as<AvailabilityRecord>()->read(std::move(trace.lines), reading);
}

using States = std::vector<StateInterval>;
constexpr auto kUp = WorkerState::up;
constexpr auto kDown = WorkerState::down;
constexpr auto kReclaimed = WorkerState::reclaimed;

double share_up(const AvailabilityRecord& record) {
  double up = 0, watched = 0;
  for (const WorkerHistory& worker : record.workers) {
    for (const StateInterval& interval : worker.intervals) {
      watched += interval.end - interval.start;
      up += interval.state == kUp ? interval.end - interval.start : 0;
    }
  }
  return up / watched;
}

double median_stay(const AvailabilityRecord& record, WorkerState state) {
  std::vector<double> lengths;
  for (const WorkerHistory& worker : record.workers) {
    for (const StateInterval& interval : worker.intervals) {
      if (interval.state == state) lengths.push_back(interval.end - interval.start);
    }
  }
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

}  // namespace

TEST_CASE("avt: intervals that touch are joined, empty ones left out, the rest is unavailable") {
  const auto record =
      read_availability("avt", "h1 3 10 20 20 30 40 40\nh2 0\nh3 1 0 50\n", {kReclaimed});
  REQUIRE(record);
  CHECK(record->from == 0);
  CHECK(record->to == 50);
  CHECK(record->workers[0].intervals ==
        States{{0, 10, kReclaimed}, {10, 30, kUp}, {30, 50, kReclaimed}});
  CHECK(record->workers[1].intervals == States{{0, 50, kReclaimed}});
  CHECK(record->oddities.list().size() == 2);
}

TEST_CASE("fta: blanks or tabs, key by id and not by name, NULL lasts to the end") {
  const auto record =
      read_availability("fta",
                        "event_id component_id node_id node_name event_type event_start_time "
                        "event_stop_time\n1 0 1 10.100 1 \t 100 200\n"
                        "2 0 10 10.100 1 150 NULL\n3 0 1 10.100 0 200 300\n");
  REQUIRE(record);
  REQUIRE(record->workers.size() == 2);
  CHECK(record->workers[0].intervals == States{{100, 200, kUp}, {200, 300, kDown}});
  CHECK(record->workers[1].intervals == States{{150, 300, kUp}});
}

TEST_CASE("fta: what no event of a node covers was not watched, neither up nor down") {
  // Node 1 came at 0, node 2 at 500, which nobody watched from 600 to 700; node 3 has no event that takes time.
  const auto record =
      read_availability("fta",
                        "component_id node_id event_type event_start_time event_stop_time\n"
                        "0 1 1 0 900\n0 1 0 900 1000\n0 2 0 700 800\n0 2 1 500 600\n"
                        "0 3 1 100 100\n0 2 1 850 820\n");
  REQUIRE(record);
  CHECK(record->workers[0].intervals == States{{0, 900, kUp}, {900, 1000, kDown}});
  CHECK(record->workers[1].intervals == States{{500, 600, kUp}, {700, 800, kDown}});
  CHECK(record->workers[2].intervals.empty());
  const auto& odd = record->oddities.list();
  REQUIRE(odd.size() == 4);
  CHECK(odd[0].what == "workers that were never up");
  CHECK(odd[1].what == "workers that were not observed all the time");
  CHECK(odd[1].count == 2);
  CHECK(odd[2].what == "intervals of length 0");
  CHECK(odd[3].what == "events that end before they start");
}

TEST_CASE("fta: a table of one type of event leaves the other one out") {
  const std::string header = "component_id node_id event_type event_start_time event_stop_time\n";
  const auto ups = read_availability("fta", header + "0 1 1 0 10\n0 1 1 20 30\n0 2 1 5 40\n");
  REQUIRE(ups);
  CHECK(ups->workers[0].intervals ==
        States{{0, 10, kUp}, {10, 20, kDown}, {20, 30, kUp}, {30, 40, kDown}});
  CHECK(ups->workers[1].intervals == States{{0, 5, kDown}, {5, 40, kUp}});
  const auto downs = read_availability("fta", header + "0 1 0 0 10\n0 1 0 20 30\n0 2 0 5 40\n");
  REQUIRE(downs);
  CHECK(downs->workers[0].intervals ==
        States{{0, 10, kDown}, {10, 20, kUp}, {20, 30, kDown}, {30, 40, kUp}});
  CHECK(downs->workers[1].intervals == States{{0, 5, kUp}, {5, 40, kDown}});
}

TEST_CASE("fta: intervals of length 0 are left out and counted, up or not") {
  const auto record =
      read_availability("fta",
                        "# component_id node_id event_type event_start_time event_stop_time\n"
                        "0 1 1 100 200\n0 1 0 200 200\n0 1 1 200 300\n0 1 1 300 300\n");
  REQUIRE(record);
  CHECK(record->workers[0].intervals == States{{100, 300, kUp}});
  REQUIRE(record->oddities.list().size() == 1);
  CHECK(record->oddities.list()[0].count == 2);
}

TEST_CASE("availability: what is written reads back the same, what has no place is counted") {
  const auto first = read_availability("states", "a uurd\nb ddud\n");
  REQUIRE(first);
  std::string text;
  const TextSink sink = [&](std::string_view part) -> Status {
    text += part;
    return {};
  };
  const auto all = write_state_events(*first, sink);
  REQUIRE(all);
  CHECK(all->list().empty());
  const auto again = read_availability("state-events", text);
  REQUIRE(again);
  for (const std::size_t worker : {0U, 1U}) {
    CHECK(again->workers[worker].intervals == first->workers[worker].intervals);
  }
  text.clear();
  const auto two_states = write_avt(*first, sink);
  REQUIRE(two_states);
  CHECK(text == "a 1 0 2\nb 1 2 3\n");
  REQUIRE(two_states->list().size() == 2);
  CHECK(two_states->list()[0].what == "intervals in which a worker was reclaimed");
  CHECK(two_states->list()[1].what == "ends of the record at which no worker was up");
  CHECK(two_states->list()[1].count == 1);  // at 4 both were down
}

TEST_CASE("state events: gaps in which nobody watched are written and read again") {
  AvailabilityRecord record{.format = "fta", .from = 0, .to = 50, .workers = {}, .oddities = {}};
  record.workers = {{"a", {{10, 20, kUp}, {30, 40, kDown}}}, {"b", {}}, {"c", {{0, 50, kUp}}}};
  std::string text;
  const auto lost = write_state_events(record, [&](std::string_view part) -> Status {
    text += part;
    return {};
  });
  REQUIRE(lost);
  CHECK(lost->list().empty());
  CHECK(text ==
        "# until: 50\nworker,time,state\na,10,up\na,20,unwatched\na,30,down\na,40,unwatched\n"
        "b,0,unwatched\nc,0,up\n");
  const auto again = read_availability("state-events", text);
  REQUIRE(again);
  CHECK(again->from == 0);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(again->workers[i].intervals == record.workers[i].intervals);
  }
}

TEST_CASE("state events: workers of one name stay apart when they are written") {
  const auto hosts = read_availability("avt", "h 1 0 5\nh 1 5 9\nh 0\n");
  REQUIRE(hosts);
  std::string text;
  const auto lost = write_state_events(*hosts, [&](std::string_view part) -> Status {
    text += part;
    return {};
  });
  REQUIRE(lost);
  REQUIRE(lost->list().size() == 1);
  CHECK(lost->list()[0].count == 2);
  const auto again = read_availability("state-events", text);
  REQUIRE(again);
  REQUIRE(again->workers.size() == 3);
  CHECK(again->workers[1].name == "h#2");
  CHECK(again->workers[1].intervals == hosts->workers[1].intervals);
}

TEST_CASE("states and state events say three states") {
  const auto letters = read_availability("states", "# slot: 2s\na uurd\n");
  REQUIRE(letters);
  CHECK(letters->workers[0].intervals == States{{0, 4, kUp}, {4, 6, kReclaimed}, {6, 8, kDown}});
  const auto events =
      read_availability("state-events", "# until: 9\nworker,time,state\na,4,down\na,1,up\n");
  REQUIRE(events);
  CHECK(events->workers[0].intervals == States{{1, 4, kUp}, {4, 9, kDown}});
  CHECK(events->oddities.list().size() == 1);
}

TEST_CASE("availability: what cannot be read is refused with its line") {
  CHECK(read_availability("avt", "h 2 1 2\n").error().where == "file:1");
  // Half an interval: three words, of which two were once read as the ends of one.
  CHECK(read_availability("avt", "h 0.5 1\n").error().where == "file:1");
  CHECK(read_availability("avt", "h 1 nan 2\n").error().where == "file:1");
  CHECK(read_availability("avt", "h 1 1 inf\n").error().where == "file:1");
  CHECK(read_availability("avt", "h 4294967295 1 2\n").error().where == "file:1");
  CHECK(read_availability("avt", "h 1 5 2\n").error().message.find("'5 2'") != std::string::npos);
  CHECK(read_availability("avt", "h 0\n").error().message.find("no time") != std::string::npos);
  CHECK(read_availability("states", "a uur\nb ur\n").error().where == "file:2");
  CHECK(read_availability("states", "# slot: 2\na uur\n# slot: 1\nb urr\n").error().where ==
        "file:3");
  CHECK(read_availability("state-events", "worker,time,state\na,0,gone\n").error().message ==
        "found 'gone', expected up, reclaimed, down or unwatched");
  CHECK(read_availability("fta", "component_id node_id event_type event_start_time\n")
            .error()
            .where == "file");
  const auto endless =
      read_availability("fta",
                        "component_id node_id event_type event_start_time event_stop_time\n"
                        "0 0 1 5 inf\n");
  CHECK(endless.error().where == "file:2: event_stop_time");
}

TEST_CASE("availability: the recorded files hold what their page says") {
  const char* folder = std::getenv("HOLDFAST_DATA");
  const std::filesystem::path data =
      std::filesystem::path(folder == nullptr ? "../shared/data" : folder) / "failures";
  if (!std::filesystem::exists(data / "microsoft-desktops.avt.gz")) {
    MESSAGE("skipped: no recorded availability below HOLDFAST_DATA");
    return;
  }
  const auto desktops = read_availability(data / "microsoft-desktops.avt.gz");
  REQUIRE(desktops);
  CHECK(desktops->format == "avt");
  CHECK(desktops->workers.size() == 20000);
  CHECK(desktops->to == 3024000);
  const auto g5k = read_availability(data / "fta-g5k-event_trace.tab.gz");
  REQUIRE(g5k);
  CHECK(g5k->format == "fta");
  CHECK(g5k->workers.size() == 726);  // pairs of node_id and component_id
  CHECK(share_up(*g5k) == doctest::Approx(0.82).epsilon(0.005));
  CHECK(median_stay(*g5k, kUp) == 25370);
  const auto lanl = read_availability(data / "fta-lanl05-event_trace.tab.gz");
  REQUIRE(lanl);
  CHECK(share_up(*lanl) == doctest::Approx(0.996).epsilon(0.0005));
}
