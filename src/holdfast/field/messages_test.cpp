#include "holdfast/field/messages.hpp"

#include "holdfast/field/lines.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

using namespace holdfast::field;

namespace {

template <class Wanted>
bool is(const std::optional<Event>& event) {
  return event && std::holds_alternative<Wanted>(*event);
}

}  // namespace

TEST_CASE("messages: lines that a program may say") {
  CHECK(is<event::Ready>(read_message("ready")));
  CHECK(is<event::Begun>(read_message(" begin \r")));
  CHECK(std::get<event::Begun>(*read_message("begin asynchronous")).is_asynchronous);
  CHECK(is<event::Written>(read_message("done")));
  CHECK(is<event::SaveFailed>(read_message("failed")));
  CHECK(is<event::Durable>(read_message("durable")));
  const auto progress = read_message("progress 12.5 100");
  REQUIRE(is<event::Progress>(progress));
  CHECK(std::get<event::Progress>(*progress).done == 12.5);
  CHECK(std::get<event::Progress>(*progress).total == 100);
  CHECK(std::get<event::Progress>(*read_message("progress 3")).total == 0);
}

TEST_CASE("messages: other lines are no messages") {
  for (const auto* line :
       {"", "Ready", "done now", "progress", "progress ", "progress x", "progress nan",
        "progress inf", "progress 1e999", "progress 1 2 3", "progress 1 x"}) {
    CAPTURE(line);
    CHECK_FALSE(read_message(line));
  }
}

TEST_CASE("messages: a number after a text") {
  CHECK(number_behind("step: 17 of 20", "step:") == 17);
  CHECK(number_behind("42\n", "") == 42);
  CHECK_FALSE(number_behind("step: no", "step:"));
  CHECK_FALSE(number_behind("no 17", "step"));
}

TEST_CASE("messages: lines are put together from pieces, and long ones dropped") {
  Lines lines(4);
  std::vector<std::string> seen;
  const auto visit = [&](std::string_view line) { seen.emplace_back(line); };
  lines.take("ab", visit);
  lines.take("c\n\nabcde\nde", visit);
  lines.take("f\n", visit);
  CHECK(seen == std::vector<std::string>{"abc", "", "def"});
  CHECK(lines.dropped() == 1);
}
