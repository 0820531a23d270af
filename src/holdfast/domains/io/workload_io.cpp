#include "holdfast/domains/io/workload_io.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/domains/io/fields.hpp"

#include <string>

namespace holdfast::io {
namespace {

Result<ApplicationClass> read_class(const Value& value, const std::string& where) {
  ObjectReader read(value, where);
  ApplicationClass out;
  out.name = read.text("name");
  out.cores = read.number("cores", positive());
  out.walltime = read.seconds("walltime", positive());
  out.input = read.quantity_or("input", Unit::bytes, 0, non_negative());
  out.output = read.quantity_or("output", Unit::bytes, 0, non_negative());
  out.checkpoint = read.quantity_or("checkpoint", Unit::bytes, 0, non_negative());
  out.share = read.number("share", positive());
  HOLDFAST_CHECK(read.finish());
  return out;
}

Result<std::vector<ApplicationClass>> read_file_of_classes(const std::filesystem::path& path) {
  HOLDFAST_TRY(source, open_input(path));
  return read_classes(LineReader(std::move(source), path.string()));
}

}  // namespace

Result<WorkloadParameters> read_workload(const Value& parameters,
                                         const std::filesystem::path& directory) {
  WorkloadParameters out;
  ObjectReader read(parameters, "");
  out.reading = read_reading(read);
  const Value* classes = parameters.find("classes");
  if (classes->string() != nullptr) {
    auto found = read_file_of_classes((directory / *classes->string()).lexically_normal());
    if (!found) return fail(of_field("/classes", std::move(found).error()));
    out.classes = std::move(*found);
    read.ignore("classes");
  } else {
    read.each("classes", [&out](const Value& value, const std::string& where) -> Status {
      HOLDFAST_TRY(one, read_class(value, where));
      out.classes.push_back(std::move(one));
      return {};
    });
    if (read.ok() && out.classes.empty()) {
      read.refuse("classes", "found none, expected at least one");
    }
  }
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
