#pragma once

#include "holdfast/base/error.hpp"

namespace holdfast::cli {

/// Checks that this process can take part in a run of MPI. If srun started several processes without PMIx, they cannot find
/// each other: the error is io_failure, and replaces the long message of the MPI library.
[[nodiscard]] Status check_launcher();

}  // namespace holdfast::cli
