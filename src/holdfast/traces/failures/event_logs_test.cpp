#include "holdfast/traces/failures/failure_log.hpp"
#include "holdfast/traces/formats.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace holdfast;

namespace {

Result<FailureLog> read_events(const std::string& text, std::string_view format) {
  HOLDFAST_TRY(trace, open_trace(open_text(text), "log"));
  CHECK(trace.format->name == format);
  REQUIRE(trace.format->as<FailureLog>() != nullptr);
  return trace.format->as<FailureLog>()->read(std::move(trace.lines), std::nullopt);
}

}  // namespace

TEST_CASE("labelled-log: an alert is a failure of its node, other lines are left out") {
  const auto log = read_events(
      "- 1117838570 2005.06.03 R02 2005-06-03-15.42.50 R02 RAS KERNEL INFO x\n"
      "KERNDTLB 1117842440 2005.06.03 R23 2005-06-03-16.47.20 R23 RAS KERNEL FATAL y\n"
      "broken\nAPPREAD 1117869876 2005.06.04 R27 2005-06-04-00.24.36 R27 RAS APP FATAL z\n",
      "labelled-log");
  REQUIRE(log);
  REQUIRE(log->outages.size() == 2);
  CHECK(log->nodes[0].name == "R23");
  CHECK(log->outages.at(0).down == 1117842440);
  CHECK(log->is_dated);
  CHECK(log->oddities.list().size() >= 2);
}

TEST_CASE("fault-events: an end belongs to the fault of the same cause, else to any of the node") {
  const auto event = [](const char* node, double day, const char* type, const char* cause) {
    return std::string(R"({"node_id": ")") + node + R"(", "event_time": )" + std::to_string(day) +
           R"(, "event_type": "fault_)" + type + R"(", "fault_type": {"Desc": ")" + cause +
           R"("}})";
  };
  const auto log =
      read_events("[" + event("a", 1, "start", "x") + "," + event("a", 2, "start", "y") + "," +
                      event("a", 3, "end", "y") + "," + event("a", 4, "end", "z") + "," +
                      event("b", 5, "end", "x") + "," + event("c", 6, "start", "x") + "]",
                  "fault-events");
  REQUIRE(log);
  REQUIRE(log->outages.size() == 3);
  CHECK(log->outages.at(0).up == 4 * 86400.0);
  CHECK(log->outages.at(1).down == 2 * 86400.0);
  CHECK(log->outages.at(1).up == 3 * 86400.0);
  CHECK(std::isinf(log->outages.at(2).up));
  CHECK_FALSE(log->is_dated);
  CHECK(read_events(
            "[" + event("a", 1, "start", "x") + R"(, {"node_id": 3, "event_type": "fault_end"}])",
            "fault-events")
            .error()
            .text() ==
        "log: object 2: event_time: found '', expected seconds or a date such as "
        "2024-03-01T10:00");
}
