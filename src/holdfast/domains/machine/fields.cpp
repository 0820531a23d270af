#include "holdfast/domains/machine/fields.hpp"

#include "holdfast/contract/parameter_list.hpp"
#include "holdfast/inputs/failures.hpp"

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
     .summary = "of the machine",
     .member = member<&Instance::nodes>,
     .range = between(1, static_cast<double>(kMostNodes)),
     .is_required = true},
    {.name = "bandwidth",
     .summary = "of the file system; default: as much as anybody wants",
     .member = member<&Instance::bandwidth>,
     .unit = Unit::bytes_per_second,
     .range = positive(),
     .fallback = "-"},
    {.name = "node_bandwidth",
     .summary = "what a node can move; default: as much as the file system",
     .member = member<&Instance::node_bandwidth>,
     .unit = Unit::bytes_per_second,
     .range = positive(),
     .fallback = "-"},
    {.name = "downtime",
     .summary = "from a failure to the start of the recovery",
     .member = member<&Instance::downtime>,
     .unit = Unit::seconds,
     .range = non_negative()},
    {.name = "on_failure",
     .summary = "the job keeps its nodes, or goes back to the head of the queue",
     .member = choice<&Instance::on_failure, kOnFailures>,
     .written = Written::unless_default},
    {.name = "repair",
     .summary = "requeue: how long a failed node is away",
     .member = member<&Instance::repair>,
     .unit = Unit::seconds,
     .range = non_negative(),
     .written = Written::unless_default},
    {.name = "scheduler",
     .summary = "who starts when nodes are free",
     .member = choice<&Instance::scheduler, kSchedulers>},
    {.name = "walltime",
     .summary = "what becomes of a job that runs past its estimate",
     .member = choice<&Instance::walltime, kWalltimes>,
     .written = Written::unless_default},
    {.name = "horizon",
     .summary = "when the run ends; default: when all jobs have ended",
     .member = member<&Instance::horizon>,
     .unit = Unit::seconds,
     .range = positive(),
     .fallback = "-"},
    {.name = "warmup",
     .summary = "what is before is not measured",
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
     .summary = "drawn jobs: their work is that of their class times U[1 - jitter, 1 + jitter]",
     .member = member<&Instance::jitter>,
     .range = {.minimum = 0, .maximum = 1, .below_maximum = true},
     .written = Written::unless_default},
});

constexpr auto kOtherRows = std::to_array<Parameter>({
    {.name = "classes",
     .summary = "classes of jobs (CSV): jobs are drawn by their shares, or as --mix says",
     .kind = Kind::file},
    {.name = "cores_per_node",
     .summary = "classes that are given in cores: of a node",
     .range = positive(),
     .fallback = "16"},
    {.name = "mix",
     .summary = "how many endless jobs of each class run: EAP=12,LAP=4",
     .kind = Kind::text},
    {.name = "jobs", .summary = "log of jobs", .kind = Kind::file, .pointer = "/jobs/file"},
    {.name = "jobs_format",
     .summary = "read the log as this in place of what it looks like",
     .kind = Kind::text,
     .pointer = "/jobs/format"},
    {.name = "compress",
     .summary = "logged jobs come this many times as fast",
     .range = positive(),
     .fallback = "1",
     .pointer = "/jobs/compress"},
    {.name = "checkpoint_per_node",
     .summary = "logged jobs: what a node writes in a checkpoint",
     .unit = Unit::bytes,
     .range = non_negative(),
     .fallback = "0",
     .pointer = "/jobs/checkpoint_per_node"},
    {.name = "input_per_node",
     .summary = "logged jobs: what a node reads at the start",
     .unit = Unit::bytes,
     .range = non_negative(),
     .fallback = "0",
     .pointer = "/jobs/input_per_node"},
    {.name = "output_per_node",
     .summary = "logged jobs: what a node writes at the end",
     .unit = Unit::bytes,
     .range = non_negative(),
     .fallback = "0",
     .pointer = "/jobs/output_per_node"},
    {.name = "cores",
     .summary = "logged jobs: processors of the log on one node",
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
      one_list({instance_fields().parameters(), kOtherRows, failure_options(FailingUnit::node)});
  return kAll;
}

}  // namespace holdfast::machine
