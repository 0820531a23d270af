#include "holdfast/campaign/executors.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/campaign/executors/local.hpp"
#include "holdfast/campaign/executors/mpi_plugin.hpp"
#include "holdfast/campaign/executors/slurm.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace holdfast {
namespace {

constexpr auto kExecutors = std::to_array<ExecutorEntry>({
    {.name = "local", .summary = "threads of this process", .start = start_local},
    {.name = "mpi", .summary = "processes started by mpirun or srun", .start = start_mpi},
    {.name = "slurm",
     .summary = "a job array of slices and a job that merges them",
     .start = start_slurm},
});

}  // namespace

Status Executor::help(const Campaign& /*campaign*/, const Control& /*control*/) {
  return {};  // a leading process does not help
}

std::span<const ExecutorEntry> executors() {
  return kExecutors;
}

Result<const ExecutorEntry*> find_executor(std::string_view name) {
  std::vector<std::string_view> names;
  for (const ExecutorEntry& entry : kExecutors) {
    if (entry.name == name) return &entry;
    names.push_back(entry.name);
  }
  return fail(ErrorCode::usage, "/executor",
              fmt::format("unknown executor {}; {}", in_quotes(name), suggestion(name, names)));
}

}  // namespace holdfast
