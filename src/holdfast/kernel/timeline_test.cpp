#include "holdfast/kernel/timeline.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

using namespace holdfast;

namespace {
constexpr std::array<TimelineColumn, 3> kColumns = {{
    {.name = "kind", .unit = Unit::none, .role = Role::state},
    {.name = "start", .unit = Unit::seconds, .role = Role::start},
    {.name = "lost", .unit = Unit::none, .role = Role::lost},
}};
}  // namespace

TEST_CASE("timeline: rows keep what was put in, texts are kept once") {
  Timeline timeline(kColumns);
  for (int i = 0; i < 3; ++i) {
    const std::string kind = i == 1 ? "work" : "checkpoint";  // does not outlive the loop
    timeline.add({timeline.intern(kind), static_cast<double>(i), i == 1});
  }
  REQUIRE(timeline.rows() == 3);
  CHECK(std::get<std::string_view>(timeline.row(1)[0]) == "work");
  CHECK(std::get<std::string_view>(timeline.row(0)[0]).data() ==
        std::get<std::string_view>(timeline.row(2)[0]).data());
  CHECK(std::get<bool>(timeline.row(1)[2]));
}

TEST_CASE("timeline: texts survive a move") {
  Timeline first(kColumns);
  first.add({first.intern("x"), 1.0, false});
  const Timeline second = std::move(first);
  CHECK(std::get<std::string_view>(second.row(0)[0]) == "x");
}

TEST_CASE("timeline: sorting by start keeps the order of equal starts, empty starts last") {
  Timeline timeline(kColumns);
  timeline.add({"never", std::monostate{}, false});
  timeline.add({"late", std::int64_t{5}, false});
  timeline.add({"first", 1.0, false});
  timeline.add({"second", std::int64_t{1}, false});
  timeline.sort_by_start();
  std::string order;
  for (std::size_t i = 0; i < timeline.rows(); ++i) {
    order += std::string(std::get<std::string_view>(timeline.row(i)[0])) + " ";
  }
  CHECK(order == "first second late never ");
}

TEST_CASE("timeline: without a start column sorting does nothing") {
  Timeline timeline(std::span<const TimelineColumn>(kColumns).first(1));
  timeline.add({"b"});
  timeline.add({"a"});
  timeline.sort_by_start();
  CHECK(std::get<std::string_view>(timeline.row(0)[0]) == "b");
  CHECK(Timeline().rows() == 0);
}
