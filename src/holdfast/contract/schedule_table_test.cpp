#include "holdfast/contract/schedule_table.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace holdfast;

namespace {

enum class Why : std::uint8_t { start, failure };
constexpr auto kWhy = std::to_array<std::string_view>({"start", "failure"});

struct ScheduleRow {
  std::string_view task;
  double start = 0;
  std::optional<double> end;
  std::int64_t processors = 0;
  Why why = Why::start;
  bool lost = false;
};

constexpr auto kColumns = std::to_array<ScheduleColumn<ScheduleRow>>({
    {{"task", Unit::none, Role::lane}, member<&ScheduleRow::task>},
    {{"start", Unit::seconds, Role::start}, member<&ScheduleRow::start>},
    {{"end", Unit::seconds, Role::end}, member<&ScheduleRow::end>},
    {{"processors", Unit::none, Role::width}, member<&ScheduleRow::processors>},
    {{"why", Unit::none, Role::state}, choice<&ScheduleRow::why, kWhy>},
    {{"lost", Unit::none, Role::lost}, member<&ScheduleRow::lost>},
});
constexpr std::span<const ScheduleColumn<ScheduleRow>> kScheduleColumns = kColumns;

}  // namespace

TEST_CASE("schedule table: rows come back from their timeline, texts kept by it") {
  Timeline timeline(columns_of(kScheduleColumns));
  {
    const std::string gone = "t1";
    add_row(timeline, kScheduleColumns,
            {.task = gone,
             .start = 1.5,
             .end = 2.5,
             .processors = 8,
             .why = Why::failure,
             .lost = true});
  }
  add_row(timeline, kScheduleColumns,
          {.task = "t2", .start = 3, .end = std::nullopt, .processors = 2});
  CHECK(std::get<std::string_view>(timeline.row(0)[4]) == "failure");
  CHECK(std::holds_alternative<std::monostate>(timeline.row(1)[2]));

  const std::vector<ScheduleRow> rows = rows_from(kScheduleColumns, timeline).value();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].task == "t1");
  CHECK(rows[0].end == 2.5);
  CHECK(rows[0].processors == 8);
  CHECK(rows[0].why == Why::failure);
  CHECK(rows[0].lost);
  CHECK(rows[1].start == 3);
  CHECK(!rows[1].end);
  CHECK(rows[1].why == Why::start);
}

TEST_CASE("schedule table: a timeline of something else is refused") {
  Timeline narrow(columns_of(kScheduleColumns.first(2)));
  CHECK(rows_from(kScheduleColumns, narrow).error().message == "found 2 columns, expected 6");

  Timeline other(columns_of(kScheduleColumns));
  other.add({"t1", 0.0, 1.0, 2.5, "start", false});
  CHECK(rows_from(kScheduleColumns, other).error().text() ==
        "row 1 of the schedule: the cell of column \"processors\" is of another type");
  Timeline unknown(columns_of(kScheduleColumns));
  unknown.add({"t1", 0.0, 1.0, std::int64_t{2}, "tea", false});
  CHECK(!rows_from(kScheduleColumns, unknown));
}
