#include "holdfast/base/text.hpp"
#include "holdfast/report/schedule.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace holdfast {
namespace {

constexpr TimelineColumn kPajeColumns[] = {{"job", Unit::none, Role::label},
                                           {"start", Unit::seconds, Role::start},
                                           {"end", Unit::seconds, Role::end},
                                           {"processors", Unit::none, Role::width},
                                           {"failed", Unit::none, Role::state}};

std::string written(std::span<const NamedTimeline> schedules) {
  std::string text;
  CHECK(write_schedule_paje(schedules, [&text](std::string_view part) -> Status {
    text += part;
    return {};
  }));
  return text;
}

// Reads a trace as its definitions say: every event has the fields of its kind, names what exists,
// and none is earlier than the one before. Returns the events as lists of fields, without times.
std::vector<std::vector<std::string>> checked(const std::string& text) {
  std::map<std::string, std::size_t> fields;
  std::vector<std::vector<std::string>> events;
  std::set<std::string> known = {"0"};
  std::string kind;
  double now = 0;
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty()) continue;
    if (line.starts_with("%EventDef ")) {
      kind = std::string(line.substr(line.rfind(' ') + 1));
      fields[kind] = 0;
    } else if (line.starts_with("% ")) {
      ++fields[kind];
    }
    if (line.starts_with('%')) continue;
    std::vector<std::string> parts;
    bool is_quoted = false;
    bool is_new = true;
    for (const char c : line) {
      if (c == '"') {
        is_quoted = !is_quoted;
        if (is_new) parts.emplace_back();
        is_new = false;
      } else if (c == ' ' && !is_quoted) {
        is_new = true;
      } else {
        if (is_new) parts.emplace_back();
        is_new = false;
        parts.back() += c;
      }
    }
    CAPTURE(std::string(line));
    REQUIRE(fields.contains(parts[0]));
    REQUIRE(parts.size() == fields[parts[0]] + 1);
    const int number = std::stoi(parts[0]);
    if (number <= 4) {
      CHECK(known.insert(parts[1]).second);
      CHECK(known.contains(parts[2]));
      continue;
    }
    const double time = std::stod(parts[1]);
    CHECK(time >= now);
    now = time;
    if (number == 5) {
      CHECK(known.insert(parts[2]).second);
      CHECK(known.contains(parts[4]));
    } else if (number != 6) {
      CHECK(known.contains(parts[3]));
      if (number == 7) CHECK(known.contains(parts[4]));
    }
    events.push_back(std::move(parts));
  }
  return events;
}

}  // namespace

TEST_CASE("schedule paje: states in order of time, idle between, and what is taken") {
  Timeline timeline{kPajeColumns};
  timeline.add({"a", 0.0, 10.0, std::int64_t{3}, true});
  timeline.add({"a \"b\"", 0.0, 4.0, std::int64_t{1}, false});
  timeline.add({"a", 10.0, 12.5, std::int64_t{3}, false});
  timeline.add({"c", 12.0, 12.0, std::int64_t{1}, true});
  const NamedTimeline two[] = {{"lpa", &timeline}, {"batch", &timeline}};
  const std::string text = written(two);
  CHECK(text.starts_with("%EventDef "));
  const auto events = checked(text);
  std::vector<std::string> first;  // what the first schedule's rows do
  std::vector<std::string> taken;
  for (const auto& event : events) {
    if (event[0] == "7" && event[3] == "L0.0") first.push_back(event[1] + " " + event[5]);
    if (event[0] == "8" && event[3] == "S0") taken.push_back(event[1] + " " + event[4]);
  }
  CHECK(first == std::vector<std::string>{"0 ", "0 a", "10 ", "10 a", "12.5 "});
  CHECK(taken == std::vector<std::string>{"0 4", "4 3", "12.5 0"});
  CHECK(text.find("STATE \"lost\"") != std::string::npos);
  CHECK(text.find("STATE \"kept\"") != std::string::npos);
  CHECK(text.find("\n9 12 MARK L0.0 \"lost\"\n") != std::string::npos);
}

TEST_CASE("schedule paje: when a lane cannot be used is a row of its own") {
  constexpr TimelineColumn kMachines[] = {{"machine", Unit::none, Role::lane},
                                          {"start", Unit::seconds, Role::start},
                                          {"end", Unit::seconds, Role::end}};
  Timeline timeline{kMachines};
  timeline.add({std::int64_t{0}, 5.0, 10.0});
  timeline.add({std::int64_t{1}, 5.0, 8.0});
  timeline.add_unavailable({.lane = std::int64_t{0}, .state = "off", .start = 0, .end = 5});
  timeline.add_unavailable({.lane = std::int64_t{0}, .state = "down", .start = 10, .end = 12});
  const NamedTimeline one[] = {{"x", &timeline}};
  const std::string text = written(one);
  std::vector<std::string> absences;
  for (const auto& event : checked(text)) {
    if (event[0] == "7" && event[3] == "L0.1") absences.push_back(event[1] + " " + event[4]);
  }
  CHECK(absences == std::vector<std::string>{"0 idle", "0 U0", "5 idle", "10 U1", "12 idle"});
  CHECK(text.find("L S0 \"0, unavailable\"") != std::string::npos);
  CHECK(text.find("4 U0 STATE \"off\"") != std::string::npos);
}

TEST_CASE("schedule paje: an empty schedule is a valid trace") {
  const Timeline timeline{kPajeColumns};
  const NamedTimeline one[] = {{"x", &timeline}};
  CHECK(checked(written(one)).size() == 2);  // the container comes and goes
}

}  // namespace holdfast
