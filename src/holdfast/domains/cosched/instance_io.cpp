#include "holdfast/domains/cosched/instance_io.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/domains/cosched/document_parts.hpp"
#include "holdfast/domains/cosched/fields.hpp"
#include "holdfast/models/failures/mtbf.hpp"
#include "holdfast/models/speedup/speedup_io.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace holdfast::cosched {
namespace {

void read_scenario(ObjectReader& read, Instance& instance) {
  if (read.has("failures")) instance.failures.emplace();
  read.each_or_none("failures", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(failure, read_pair(value, where, "[time, processor]", Unit::seconds,
                                    non_negative(), non_negative()));
    instance.failures->push_back({failure.first, failure.second});
    return {};
  });
  read.each_or_none("allocations", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(allocation, read_integers(value, where, non_negative()));
    instance.given.push_back(std::move(allocation));
    return {};
  });
}

Value profile_value(const Profile& profile) {
  if (const auto* mlog = std::get_if<MLogProfile>(&profile)) {
    return Value::object({{"model", "mlog"}, {"sequential_fraction", mlog->sequential_fraction}});
  }
  return to_value(std::get<Speedup>(profile));
}

// Without failures there are no checkpoints either, and the fields of both are left out.
template <class S>
void leave_out_failures(const S& described, Value& document) {
  if (!described.fault_free) return;
  for (const std::string_view name : {"mtbf", "downtime", "checkpoint_unit_cost"}) {
    document.erase(name);
  }
}

}  // namespace

bool describes_generator(const Value& parameters) {
  const Value* tasks = parameters.find("tasks");
  return tasks == nullptr || tasks->array_items() == nullptr;
}

Result<Instance> read_instance(const Value& document) {
  Instance instance;
  ObjectReader read(document, "");
  const double fraction = read_platform(read, instance);
  read.each("tasks", [&](const Value& value, const std::string& where) -> Status {
    ObjectReader one(value, where);
    instance.tasks.push_back(read_task(one, instance.tasks.size(), fraction));
    return one.finish();
  });
  read_scenario(read, instance);
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check_ids(instance));
  HOLDFAST_CHECK(check(instance));
  return instance;
}

Result<GeneratorParameters> read_generator(const Value& parameters) {
  GeneratorParameters out;
  ObjectReader read(parameters, "");
  generator_fields().read(read, out);
  read_platform_mtbf(read, out.processors, out.mtbf);
  if (auto status = check_checkpoint_cost(out.checkpoint_unit_cost, out.fault_free);
      read.ok() && !status) {
    read.refuse(std::move(status).error());
  }
  if (read.ok() && out.maximum_data < out.minimum_data) {
    read.refuse("maximum_data", fmt::format("found {}, expected at least minimum_data, {}",
                                            out.maximum_data, out.minimum_data));
  }
  if (read.ok() && out.processors < 2 * out.tasks) {
    read.refuse("processors",
                fmt::format("found {}, expected at least {}: a pair for each of {} tasks",
                            out.processors, 2 * out.tasks, out.tasks));
  }
  HOLDFAST_CHECK(read.finish());
  return out;
}

Value to_value(const Instance& instance) {
  Value document = Value::object();
  platform_fields().write(instance, document);
  leave_out_failures(instance, document);
  Value tasks = Value::array();
  for (const Task& task : instance.tasks) {
    tasks.push(Value::object(
        {{"id", task.id}, {"data", task.data}, {"speedup", profile_value(task.profile)}}));
  }
  document.set("tasks", std::move(tasks));
  if (instance.failures) {
    Value failures = Value::array();
    for (const Failure& failure : *instance.failures) {
      failures.push(Value(Value::Array{failure.time, failure.processor}));
    }
    document.set("failures", std::move(failures));
  }
  if (!instance.given.empty()) {
    Value allocations = Value::array();
    for (const auto& allocation : instance.given) allocations.push(Value::list(allocation));
    document.set("allocations", std::move(allocations));
  }
  return document;
}

Value to_value(const GeneratorParameters& parameters) {
  Value document = Value::object();
  generator_fields().write(parameters, document);
  leave_out_failures(parameters, document);
  return document;
}

}  // namespace holdfast::cosched
