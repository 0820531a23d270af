#pragma once

#include "holdfast/campaign/executors.hpp"
#include "holdfast/campaign/executors/pool.hpp"

#include <cstdint>

namespace holdfast {

/// Runs groups on control.threads threads of this process; the calling thread hands what finishes
/// to the sink, a few milliseconds after it finished.
Status run_local(const Workload& workload, const Control& control, const Sink& sink);
/// The same for a part of the groups.
Status run_groups(const Workload& workload, GroupRange range, const Control& control,
                  const Sink& sink);
[[nodiscard]] Result<std::unique_ptr<Executor>> start_local(const ExecutorSetup& setup);

/// Threads to start where so many were asked for (0: all cores), and no more than there are groups.
[[nodiscard]] unsigned count_threads(unsigned asked, std::uint64_t groups);

}  // namespace holdfast
