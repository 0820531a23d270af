#pragma once

#include "holdfast/base/error.hpp"

namespace holdfast::cli {

/// That this process may take part in a run of MPI. Where srun started several processes and gave
/// them no PMIx, they cannot find each other, and the MPI library says so at length: io_failure.
[[nodiscard]] Status check_launcher();

}  // namespace holdfast::cli
