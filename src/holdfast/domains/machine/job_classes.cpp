#include "holdfast/domains/machine/job_classes.hpp"

#include "holdfast/inputs/job_classes.hpp"

#include <cmath>
#include <utility>

namespace holdfast::machine {
namespace {

JobClass read_class(std::string name, ObjectReader& read, double cores_per_node) {
  JobClass out;
  out.name = std::move(name);
  if (read.has("cores")) {
    if (read.has("nodes")) {
      read.refuse("cores", "found both 'nodes' and 'cores', expected one of them");
    }
    constexpr double kMostCores = 1e15;
    const double cores =
        read.number("cores", {.minimum = 0, .maximum = kMostCores, .above_minimum = true});
    if (read.ok()) out.nodes = static_cast<std::int64_t>(std::ceil(cores / cores_per_node));
  } else {
    out.nodes = read.integer("nodes", at_least(1));
  }
  out.walltime = read.seconds_or("walltime", 0, positive());
  out.input = read.quantity_or("input", Unit::bytes, 0, non_negative());
  out.output = read.quantity_or("output", Unit::bytes, 0, non_negative());
  out.checkpoint = read.quantity("checkpoint", Unit::bytes, non_negative());
  out.recovery = read.optional_quantity("recovery", Unit::bytes, non_negative());
  out.share = read.number_or("share", 0, positive());
  out.running = read.optional_quantity("running", Unit::none, positive());
  return out;
}

}  // namespace

Result<std::vector<JobClass>> read_job_classes(const Value& value, std::string_view where,
                                               const std::filesystem::path& directory,
                                               double cores_per_node) {
  std::vector<JobClass> out;
  HOLDFAST_CHECK(each_job_class(value, where, directory, [&](std::string name, ObjectReader& read) {
    out.push_back(read_class(std::move(name), read, cores_per_node));
  }));
  return out;
}

Value classes_value(std::span<const JobClass> classes) {
  Value out = Value::array();
  for (const JobClass& one : classes) {
    Value object = Value::object({{"name", one.name}, {"nodes", one.nodes}});
    if (one.walltime > 0) object.set("walltime", one.walltime);
    object.set("input", one.input);
    object.set("output", one.output);
    object.set("checkpoint", one.checkpoint);
    if (one.recovery) object.set("recovery", *one.recovery);
    if (one.share > 0) object.set("share", one.share);
    if (one.running) object.set("running", *one.running);
    out.push(std::move(object));
  }
  return out;
}

}  // namespace holdfast::machine
