#include "holdfast/domains/cosched/document_parts.hpp"

#include "holdfast/base/name_index.hpp"
#include "holdfast/domains/cosched/fields.hpp"
#include "holdfast/models/failures/mtbf.hpp"
#include "holdfast/models/speedup/speedup_io.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace holdfast::cosched {
namespace {

Result<Profile> read_profile(const Value& object, const std::string& where, double fraction) {
  const Value* model = object.find("model");
  const std::string* name = model == nullptr ? nullptr : model->string();
  if (name == nullptr || *name != "mlog") {
    HOLDFAST_TRY(speedup, read_speedup(object, where));
    return Profile{std::move(speedup)};
  }
  ObjectReader read(object, where);
  read.ignore("model");
  const MLogProfile profile{read.number_or("sequential_fraction", fraction, between(0, 1))};
  HOLDFAST_CHECK(read.finish());
  return Profile{profile};
}

}  // namespace

double read_platform(ObjectReader& read, Instance& instance) {
  for (const std::string_view ignored : {"reference", "command", "guard"}) read.ignore(ignored);
  platform_fields().read(read, instance);
  read_platform_mtbf(read, instance.processors, instance.mtbf);
  return read.number_or("sequential_fraction", MLogProfile{}.sequential_fraction, between(0, 1));
}

Task read_task(ObjectReader& read, std::size_t index, double fraction) {
  Task task;
  for (const std::string_view ignored : {"command", "guard", "directory"}) read.ignore(ignored);
  task.id = read.text_or("id", fmt::format("{}", index));
  task.data = read.number("data", {.minimum = 1, .above_minimum = true});
  task.profile = MLogProfile{fraction};
  read.with("speedup", [&](const Value& value, const std::string& place) -> Status {
    HOLDFAST_TRY(profile, read_profile(value, place, fraction));
    task.profile = std::move(profile);
    return {};
  });
  return task;
}

Status check_ids(const Instance& instance) {
  const auto& tasks = instance.tasks;
  const NameIndex ids(tasks.size(), [&](std::size_t i) -> std::string_view { return tasks[i].id; });
  return ids.check_different("/tasks");
}

}  // namespace holdfast::cosched
