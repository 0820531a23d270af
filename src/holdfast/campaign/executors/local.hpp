#pragma once

#include "holdfast/campaign/executors.hpp"
#include "holdfast/campaign/executors/pool.hpp"

#include <cstdint>

namespace holdfast {

/// Runs groups on control.threads threads of this process. The calling thread hands finished cells to the sink within a few
/// milliseconds.
Status run_local(const Workload& workload, const Control& control, const Sink& sink);
/// Runs some of the groups in the same way.
Status run_groups(const Workload& workload, GroupRange range, const Control& control,
                  const Sink& sink);
[[nodiscard]] Result<std::unique_ptr<Executor>> start_local(const ExecutorSetup& setup);

/// Returns the number of threads to start: the number asked for (0: all cores), but not more than there are groups.
[[nodiscard]] unsigned count_threads(unsigned asked, std::uint64_t groups);

}  // namespace holdfast
