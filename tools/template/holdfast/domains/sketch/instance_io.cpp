#include "holdfast/domains/sketch/instance_io.hpp"

#include "holdfast/base/reader.hpp"

#include <array>

namespace holdfast::sketch {
namespace {

// No ranges here: check() knows them, and says them with the value found.
constexpr auto kFields = std::to_array<Parameter>({
    {.name = "work", .summary = "failure-free work of the job", .unit = Unit::seconds},
    {.name = "save", .summary = "time to save its state", .unit = Unit::seconds, .fallback = "0"},
    {.name = "mtbf", .summary = "mean time between failures", .unit = Unit::seconds},
});

}  // namespace

std::span<const Parameter> fields() {
  return kFields;
}

Result<Instance> read_instance(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "sketch-instance"));
  Instance instance;
  ObjectReader read(document, "");
  read.ignore("holdfast");
  instance.work = read.seconds("work");
  instance.save = read.seconds_or("save", 0);
  if (read.has("failures")) instance.failures = read.numbers("failures", Unit::seconds);
  instance.mtbf = instance.failures ? read.seconds_or("mtbf", 0) : read.seconds("mtbf");
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check(instance));
  return instance;
}

Value to_value(const Instance& instance) {
  Value document = Value::object();
  document.set("work", instance.work);
  document.set("save", instance.save);
  if (instance.mtbf > 0) document.set("mtbf", instance.mtbf);
  if (instance.failures) document.set("failures", Value::list(*instance.failures));
  return document;
}

}  // namespace holdfast::sketch
