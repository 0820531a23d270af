#pragma once

#include "holdfast/campaign/executors.hpp"

namespace holdfast {

/// Runs groups on control.threads threads of this process; the calling thread hands what finishes
/// to the sink, a few milliseconds after it finished.
Status run_local(const Workload& workload, const Control& control, const Sink& sink);

}  // namespace holdfast
