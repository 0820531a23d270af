#include "holdfast/contract/field.hpp"

#include "holdfast/contract/metric_table.hpp"
#include "holdfast/contract/workspace.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>

using namespace holdfast;

namespace {

enum class Order : std::uint8_t { shortest, longest };
constexpr auto kOrders = std::to_array<std::string_view>({"shortest", "longest"});

struct Ends {
  bool closes = false;
};
struct Job {
  double work = 0;
  std::int64_t processors = 4;
  Order order = Order::longest;
  std::optional<double> limit = {};
  std::vector<double> window = {};
  std::string name = {};
  Ends ends = {};
  double rate = 0.5;
};

constexpr auto kRows = std::to_array<Field<Job>>({
    {.name = "work",
     .summary = "failure-free work",
     .member = member<&Job::work>,
     .unit = Unit::seconds,
     .range = positive(),
     .is_required = true},
    {.name = "processors",
     .summary = "of the job",
     .member = member<&Job::processors>,
     .range = between(1, 100)},
    {.name = "order", .summary = "what goes first", .member = choice<&Job::order, kOrders>},
    {.name = "limit", .summary = "none", .member = member<&Job::limit>, .unit = Unit::seconds},
    {.name = "window",
     .summary = "begin,end",
     .member = member<&Job::window>,
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "name", .summary = "of the job", .member = member<&Job::name>},
    {.name = "closes", .summary = "a flag inside", .member = member<&Job::ends, &Ends::closes>},
    {.name = "rate",
     .summary = "left out where it is the usual one",
     .member = member<&Job::rate>,
     .range = between(0, 1),
     .written = Written::unless_default},
    {.name = "by_hand", .summary = "what the domain reads", .unit = Unit::bytes},
});

const Fields<Job>& fields() {
  return fields_of<kRows>();
}

Result<Job> read(std::string_view json) {
  const Value document = parse_json(json).value();
  Job job;
  ObjectReader reader(document, "");
  fields().read(reader, job);
  HOLDFAST_CHECK(reader.finish());
  return job;
}

}  // namespace

TEST_CASE("fields: options say kind, unit, range and the struct's own default") {
  const auto rows = fields().parameters();
  REQUIRE(rows.size() == kRows.size());
  const std::array<Kind, 9> kinds = {Kind::number, Kind::integer, Kind::choice,
                                     Kind::number, Kind::numbers, Kind::text,
                                     Kind::flag,   Kind::number,  Kind::number};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(rows[i].name);
    CHECK(rows[i].kind == kinds[i]);
  }
  CHECK(rows[0].fallback.empty());  // required
  CHECK(rows[1].fallback == "4");
  CHECK(rows[2].fallback == "longest");
  CHECK(rows[2].choices.size() == 2);
  CHECK(rows[3].fallback.empty());  // an optional without value
  CHECK(rows[6].fallback.empty());  // a flag
  CHECK(rows[7].fallback == "0.5");
  CHECK(rows[8].unit == Unit::bytes);
}

TEST_CASE("fields: a document is read into the struct, and written back as it was") {
  const auto job = read(
      R"({"work": "2h", "order": "shortest", "limit": "1d", "window": [0, "1h"], "name": "a", "closes": true, "rate": 1})");
  REQUIRE(job);
  CHECK(job->work == 7200);
  CHECK(job->processors == 4);
  CHECK(job->order == Order::shortest);
  CHECK(job->limit == 86400);
  CHECK(job->window == std::vector<double>{0, 3600});
  CHECK(job->ends.closes);
  Value document = Value::object();
  fields().write(*job, document);
  CHECK(to_compact_json(document) ==
        R"({"work":7200,"processors":4,"order":"shortest","limit":86400,)"
        R"("window":[0,3600],"name":"a","closes":true,"rate":1})");
  // Usual, unset and empty values are not written.
  Value least = Value::object();
  fields().write(read(R"({"work": 1})").value(), least);
  CHECK(to_compact_json(least) == R"({"work":1,"processors":4,"order":"longest"})");
}

TEST_CASE("fields: option, document and a struct made by hand are refused in the same words") {
  const std::string message = "found 0, expected a whole number from 1 to 100";
  const auto by_document = read(R"({"work": 1, "processors": 0})");
  REQUIRE_FALSE(by_document);
  CHECK(by_document.error().text() == "/processors: " + message);
  const auto by_option = parse_parameter(fields().parameters()[1], "0", "--processors");
  REQUIRE_FALSE(by_option);
  CHECK(by_option.error().where == "--processors");
  Job job{.work = 1, .processors = 0};
  const auto by_hand = fields().check(job);
  REQUIRE_FALSE(by_hand);
  CHECK(by_hand.error().text() == "/processors: " + message);
  job = {.work = 1, .window = {3, -1}};
  CHECK(fields().check(job).error().where == "/window/1");
  job = {.work = std::numeric_limits<double>::quiet_NaN()};
  CHECK(fields().check(job).error().text() == "/work: found nan, expected a number");
  job = {.work = 1, .window = {0, std::numeric_limits<double>::quiet_NaN()}};
  CHECK(fields().check(job).error().where == "/window");
  job = {.work = 1};
  CHECK(fields().check(job));
}

TEST_CASE("fields: a required one that is missing is named, and an unknown one suggested") {
  CHECK(read(R"({"processors": 2})").error().where == "/work");
  const auto unknown = read(R"({"work": 1, "procesors": 2})");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message.find("processors") != std::string::npos);
}

TEST_CASE("metric tables: values from members and functions, and back") {
  struct Run {
    double end = 0;
    std::int64_t count = 0;
    std::optional<std::int64_t> last;
  };
  static constexpr auto kTable = std::to_array<MetricRow<Run>>({
      {{"end", Unit::seconds, Better::lower, "of it"}, member<&Run::end>},
      {{"count", Unit::none, Better::neither, "of them"}, member<&Run::count>},
      {{"last", Unit::none, Better::neither, "where there is one"}, member<&Run::last>},
      {{"half", Unit::seconds, Better::lower, "of it"},
       [](const Run& run) { return std::optional<double>(run.end / 2); }},
  });
  CHECK(metrics_of<Run>(kTable)[3].name == "half");
  const auto values = values_of<Run>(kTable, {.end = 5, .count = 3, .last = {}});
  CHECK(values == std::vector<std::optional<double>>{5, 3, std::nullopt, 2.5});
  const Run back = metrics_from<Run>(kTable, values);
  CHECK(back.end == 5);
  CHECK(back.count == 3);
  CHECK_FALSE(back.last);
}

TEST_CASE(
    "slots: a value is made once for its key, again for another, and never kept where it failed") {
  CacheSlot<std::string, int> slot;
  int made = 0;
  const auto make = [&made] {
    ++made;
    return std::string("value");
  };
  CHECK(slot.get(1, make) == "value");
  CHECK(slot.get(1, make) == "value");
  CHECK(made == 1);
  slot.get(2, make);
  CHECK(made == 2);
  const auto failed = slot.get(3, []() -> Result<std::unique_ptr<std::string>> {
    return fail(ErrorCode::infeasible, "", "no");
  });
  CHECK_FALSE(failed);
  CHECK_FALSE(slot.holds(3));
  slot.get(2, make);
  CHECK(made == 3);
}

TEST_CASE("workspace: one object per type, and the stop it was made with") {
  struct A {
    int value = 7;
  };
  struct B {
    int value = 8;
  };
  Workspace workspace;
  workspace.of<A>().value = 1;
  CHECK(workspace.of<B>().value == 8);
  CHECK(workspace.of<A>().value == 1);
  CHECK_FALSE(workspace.stop().wanted());
  std::atomic<bool> flag = false;
  const Workspace stoppable{Stop(&flag)};
  CHECK_FALSE(stoppable.stop().wanted());
  flag = true;
  CHECK(stoppable.stop().wanted());
}
