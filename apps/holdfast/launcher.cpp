#include "holdfast/launcher.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace holdfast::cli {

Status check_launcher() {
  // srun sets these variables for a step; mpirun in an allocation sets them too, in addition to its own.
  const char* tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  const bool are_several = tasks != nullptr && std::atoi(tasks) > 1;
  const bool know_each_other =
      std::getenv("PMIX_RANK") != nullptr || std::getenv("OMPI_COMM_WORLD_RANK") != nullptr;
  if (!are_several || know_each_other) return {};
  return fail(ErrorCode::io_failure, "--executor mpi",
              fmt::format("srun started {} processes without PMIx, so they do not know of each "
                          "other; start them with 'srun --mpi=pmix' or with mpirun",
                          tasks));
}

}  // namespace holdfast::cli
