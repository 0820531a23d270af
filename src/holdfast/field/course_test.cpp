#include "holdfast/field/history.hpp"

#include <doctest/doctest.h>

#include <string>
#include <variant>
#include <vector>

namespace holdfast::field {
namespace {

Value line(double clock, Value entry) {
  entry.set("clock", clock);
  return entry;
}

std::vector<std::string> told(const Timeline& timeline) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < timeline.rows(); ++i) {
    const auto row = timeline.row(i);
    std::string text(std::get<std::string_view>(row[0]));
    for (const std::size_t c : {std::size_t{1}, std::size_t{2}})
      text += " " + std::to_string(static_cast<int>(std::get<double>(row[c])));
    if (std::get<bool>(row[3])) text += " lost";
    out.push_back(text);
  }
  return out;
}

}  // namespace

TEST_CASE(
    "course: work up to the last checkpoint is kept, what came after is lost with the program") {
  Journal journal;
  journal.entries = {
      line(0, Value::object({{"kind", "launch"}, {"pid", 1}, {"start", 1}})),
      line(5, Value::object({{"kind", "ready"}, {"seconds", 5}})),
      line(27, Value::object({{"kind", "checkpoint"}, {"ok", true}, {"work", 20}, {"seconds", 2}})),
      line(40,
           Value::object({{"kind", "checkpoint"}, {"ok", false}, {"work", 10}, {"seconds", 3}})),
      line(60, Value::object({{"kind", "failure"}, {"signal", 9}, {"lost", 30}, {"ran", 55}})),
      line(70, Value::object({{"kind", "launch"}, {"pid", 2}, {"start", 2}})),
      line(90, Value::object({{"kind", "finish"}, {"code", 0}, {"work", 20}}))};
  CHECK(told(history_of(journal).course.timeline()) ==
        std::vector<std::string>{"recovery 0 5", "work 5 25", "checkpoint 25 27", "work 27 37 lost",
                                 "checkpoint 37 40", "work 40 60 lost", "downtime 60 70",
                                 "work 70 90"});
}

TEST_CASE(
    "course: a job without an entry has no course, and one that runs works until the last entry") {
  CHECK(told(Course().timeline()).empty());
  Journal journal;
  journal.entries = {line(0, Value::object({{"kind", "launch"}, {"pid", 1}, {"start", 1}})),
                     line(7, Value::object({{"kind", "progress"}, {"done", 1}, {"total", 9}}))};
  CHECK(told(history_of(journal).course.timeline()) == std::vector<std::string>{"work 0 7"});
}

}  // namespace holdfast::field
