#include "holdfast/domains/machine/fields.hpp"

#include "holdfast/contract/parameter_list.hpp"
#include "holdfast/inputs/failures.hpp"
#include "holdfast/inputs/table_options.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace holdfast::machine {
namespace {

constexpr auto kOnFailures = std::to_array<std::string_view>({"respawn", "requeue"});
constexpr auto kSchedulers = std::to_array<std::string_view>({"fcfs", "easy", "first-fit"});
constexpr auto kWalltimes = std::to_array<std::string_view>({"extend", "kill"});

constexpr auto kInstanceRows = std::to_array<Field<Instance>>({
    {.name = "nodes",
     .summary = "nodes of the machine",
     .member = member<&Instance::nodes>,
     .range = between(1, static_cast<double>(kMostNodes)),
     .is_required = true},
    {.name = "bandwidth",
     .summary = "bandwidth of the file system; default: unlimited",
     .member = member<&Instance::bandwidth>,
     .unit = Unit::bytes_per_second,
     .range = positive(),
     .fallback = "-"},
    {.name = "node_bandwidth",
     .summary = "bandwidth of a node; default: that of the file system",
     .member = member<&Instance::node_bandwidth>,
     .unit = Unit::bytes_per_second,
     .range = positive(),
     .fallback = "-"},
    {.name = "downtime",
     .summary = "time from a failure to the start of the recovery",
     .member = member<&Instance::downtime>,
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "on_failure",
     .summary = "after a failure the job keeps its nodes, or goes back to the head of the queue",
     .member = choice<&Instance::on_failure, kOnFailures>,
     .written = Written::unless_default},
    {.name = "repair",
     .summary = "requeue: time for which a failed node is out of service",
     .member = member<&Instance::repair>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .written = Written::unless_default},
    {.name = "scheduler",
     .summary = "which job starts when nodes are free",
     .member = choice<&Instance::scheduler, kSchedulers>},
    {.name = "walltime",
     .summary = "what happens to a job that runs longer than its estimate",
     .member = choice<&Instance::walltime, kWalltimes>,
     .written = Written::unless_default},
    {.name = "horizon",
     .summary = "time at which the run ends; default: when all jobs have ended",
     .member = member<&Instance::horizon>,
     .unit = Unit::seconds,
     .range = positive(),
     .fallback = "-"},
    {.name = "warmup",
     .summary = "time at the start that is not measured",
     .member = member<&Instance::warmup>,
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "platform_age",
     .summary = "age of the nodes when the run starts",
     .member = member<&Instance::platform_age>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .written = Written::unless_default},
    {.name = "jitter",
     .summary = "drawn jobs: their work is that of the class times U[1 - jitter, 1 + jitter]",
     .member = member<&Instance::jitter>,
     .range = {.minimum = 0, .maximum = 1, .below_maximum = true},
     .written = Written::unless_default},
});

constexpr auto kOtherRows = std::to_array<Parameter>({
    {.name = "classes",
     .summary =
         "classes of jobs (CSV); jobs are drawn by the shares of the classes, or --mix gives them",
     .kind = Kind::file},
    {.name = "cores_per_node",
     .summary = "cores of a node, for classes that are given in cores",
     .range = positive(),
     .fallback = "16"},
    {.name = "mix",
     .summary = "number of endless jobs of each class: EAP=12,LAP=4",
     .kind = Kind::text},
    {.name = "jobs",
     .summary = "log of jobs",
     .kind = Kind::file,
     .pointer = "/jobs/file",
     .reads = "jobs"},
    {.name = "jobs_format",
     .summary = "another name of --jobs-read-as",
     .kind = Kind::text,
     .pointer = "/jobs/format"},
    {.name = "compress",
     .summary = "factor by which logged jobs arrive faster",
     .range = positive(),
     .fallback = "1",
     .pointer = "/jobs/compress"},
    {.name = "checkpoint_per_node",
     .summary = "logged jobs: bytes that a node writes in a checkpoint",
     .unit = Unit::bytes,
     .range = non_negative(),
     .fallback = "0",
     .pointer = "/jobs/checkpoint_per_node"},
    {.name = "input_per_node",
     .summary = "logged jobs: bytes that a node reads at the start",
     .unit = Unit::bytes,
     .range = non_negative(),
     .fallback = "0",
     .pointer = "/jobs/input_per_node"},
    {.name = "output_per_node",
     .summary = "logged jobs: bytes that a node writes at the end",
     .unit = Unit::bytes,
     .range = non_negative(),
     .fallback = "0",
     .pointer = "/jobs/output_per_node"},
    {.name = "cores",
     .summary = "logged jobs: number of processors of the log that make up one node",
     .range = positive(),
     .fallback = "1",
     .pointer = "/jobs/cores_per_node"},
});

}  // namespace

const Fields<Instance>& instance_fields() {
  return fields_of<kInstanceRows>();
}

std::span<const Parameter> fields() {
  static const std::vector<Parameter> kAll =
      one_list({instance_fields().parameters(), kOtherRows, table_options("jobs_", "/jobs"),
                failure_options(FailingUnit::node)});
  return kAll;
}

}  // namespace holdfast::machine
