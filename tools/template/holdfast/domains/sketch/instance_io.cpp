#include "holdfast/domains/sketch/instance_io.hpp"

#include <array>

namespace holdfast::sketch {

constexpr auto kFieldRows = std::to_array<Field<Instance>>({
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
     .range = positive()},
    {.name = "failures",
     .summary = "how many are drawn",
     .member = member<&Instance::failures>,
     .range = between(0, 1e6)},
});

const Fields<Instance>& fields() {
  return fields_of<kFieldRows>();
}

Result<Instance> read_instance(const Value& document) {
  Instance instance;
  ObjectReader read(document, "");
  fields().read(read, instance);
  if (read.has("dates")) instance.dates = read.numbers("dates", Unit::seconds, non_negative());
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check(instance));
  return instance;
}

Value to_value(const Instance& instance) {
  Value document = Value::object();
  fields().write(instance, document);
  if (instance.dates) document.set("dates", Value::list(*instance.dates));
  return document;
}

}  // namespace holdfast::sketch
