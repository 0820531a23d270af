#include "holdfast/domains/io/workload_io.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/domains/io/fields.hpp"
#include "holdfast/inputs/job_classes.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace holdfast::io {
namespace {

ApplicationClass read_class(std::string name, ObjectReader& read) {
  ApplicationClass out;
  out.name = std::move(name);
  out.cores = read.number("cores", positive());
  out.walltime = read.seconds("walltime", positive());
  out.input = read.quantity_or("input", Unit::bytes, 0, non_negative());
  out.output = read.quantity_or("output", Unit::bytes, 0, non_negative());
  out.checkpoint = read.quantity_or("checkpoint", Unit::bytes, 0, non_negative());
  out.share = read.number("share", positive());
  // What `machine` reads of the same file.
  for (const std::string_view other : {"recovery", "running"}) read.ignore(other);
  return out;
}

}  // namespace

Result<WorkloadParameters> read_workload(const Value& parameters,
                                         const std::filesystem::path& directory) {
  WorkloadParameters out;
  ObjectReader read(parameters, "");
  out.reading = read_reading(read);
  HOLDFAST_CHECK(each_job_class(*parameters.find("classes"), "/classes", directory,
                                [&out](std::string name, ObjectReader& one) {
                                  out.classes.push_back(read_class(std::move(name), one));
                                }));
  read.ignore("classes");
  out.machine = machine_of(read.number_or("machine", 0, kMachineSteps));
  out.skips_output = follows_author(read);
  workload_fields().read(read, out);
  HOLDFAST_CHECK(read.finish());
  return out;
}

Value to_value(const WorkloadParameters& p) {
  Value classes = Value::array();
  for (const ApplicationClass& one : p.classes) {
    classes.push(Value::object({{"name", one.name},
                                {"cores", one.cores},
                                {"walltime", one.walltime},
                                {"input", one.input},
                                {"output", one.output},
                                {"checkpoint", one.checkpoint},
                                {"share", one.share}}));
  }
  Value document = Value::object({{"classes", std::move(classes)}});
  workload_fields().write(p, document);
  write_reading(p.reading, document);
  return document;
}

}  // namespace holdfast::io
