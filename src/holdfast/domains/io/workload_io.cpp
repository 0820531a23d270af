#include "holdfast/domains/io/workload_io.hpp"

#include "holdfast/base/file.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/domains/io/reading_io.hpp"

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
  read.ignore("holdfast");
  out.reading = read_reading(read);
  const Value* classes = parameters.find("classes");
  if (classes->string() != nullptr) {
    HOLDFAST_TRY(found, read_file_of_classes((directory / *classes->string()).lexically_normal()));
    out.classes = std::move(found);
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
  const Machine machine = machine_of(read.number_or("machine", 0, between(0, 10)));
  out.machine.nodes = read.number_or("nodes", machine.nodes, positive());
  out.machine.cores_per_node = read.number_or("cores_per_node", machine.cores_per_node, positive());
  out.machine.node_bandwidth = read.quantity_or("node_bandwidth", Unit::bytes_per_second,
                                                machine.node_bandwidth, positive());
  out.machine.bandwidth =
      read.quantity_or("bandwidth", Unit::bytes_per_second, machine.bandwidth, positive());
  out.windows = read.integer_or("windows", out.windows, between(1, 1e6));
  out.by_gap = read.choice_or("longest", kLongest, 0) == 1;
  out.shortest_phase = read.seconds_or("shortest_phase", out.shortest_phase, non_negative());
  out.volume_scale = read.number_or("volume_scale", 1, positive());
  const std::size_t author = read.choice_or("profile", kProfiles, 0);
  out.final_output = read.choice_or("apex_output", kOutputs, author) == 0;
  out.full_history = read.choice_or("history", kHistories, 0) == 1;
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
  Value document = Value::object({{"classes", std::move(classes)},
                                  {"nodes", p.machine.nodes},
                                  {"cores_per_node", p.machine.cores_per_node},
                                  {"node_bandwidth", p.machine.node_bandwidth},
                                  {"bandwidth", p.machine.bandwidth},
                                  {"windows", p.windows},
                                  {"longest", kLongest[p.by_gap ? 1 : 0]},
                                  {"shortest_phase", p.shortest_phase},
                                  {"volume_scale", p.volume_scale},
                                  {"apex_output", kOutputs[p.final_output ? 0 : 1]},
                                  {"history", kHistories[p.full_history ? 1 : 0]}});
  set_reading(document, p.reading);
  return document;
}

}  // namespace holdfast::io
