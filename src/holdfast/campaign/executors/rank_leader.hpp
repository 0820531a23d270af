#pragma once

#include "holdfast/campaign/executors.hpp"
#include "holdfast/campaign/executors/transport.hpp"

namespace holdfast {

/// Does the work of process 0 (ranks.hpp).
[[nodiscard]] Status lead(Transport& transport, unsigned threads, const Workload& workload,
                          const Control& control, const Sink& sink);
/// Ends the other processes before anything has begun.
void dismiss(Transport& transport);

}  // namespace holdfast
