#include "holdfast/domains/sketch/instance_io.hpp"

#include "holdfast/base/reader.hpp"

#include <array>

namespace holdfast::sketch {
namespace {

constexpr auto kRows = std::to_array<Field<Instance>>({
    {.name = "work",
     .summary = "failure-free work of the job",
     .member = member<&Instance::work>,
     .unit = Unit::seconds,
     .range = positive(),
     .is_required = true},
    {.name = "save",
     .summary = "time to save its state",
     .member = member<&Instance::save>,
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "mtbf",
     .summary = "mean time between failures",
     .member = member<&Instance::mtbf>,
     .unit = Unit::seconds,
     .range = positive(),
     .written = Written::unless_default},
});

}  // namespace

const Fields<Instance>& fields() {
  static const Fields<Instance> kFields(kRows);
  return kFields;
}

Result<Instance> read_instance(const Value& document) {
  HOLDFAST_CHECK(check_header(document, "sketch-instance"));
  Instance instance;
  ObjectReader read(document, "");
  read.ignore("holdfast");
  fields().read(read, instance);
  if (read.has("failures")) instance.failures = read.numbers("failures", Unit::seconds);
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check(instance));
  return instance;
}

Value to_value(const Instance& instance) {
  Value document = Value::object();
  fields().write(instance, document);
  if (instance.failures) document.set("failures", Value::list(*instance.failures));
  return document;
}

}  // namespace holdfast::sketch
