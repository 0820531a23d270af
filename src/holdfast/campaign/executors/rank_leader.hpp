#pragma once

#include "holdfast/campaign/executors.hpp"
#include "holdfast/campaign/executors/transport.hpp"

namespace holdfast {

/// What process 0 does: see ranks.hpp.
[[nodiscard]] Status lead(Transport& transport, unsigned threads, const Workload& workload,
                          const Control& control, const Sink& sink);
/// Sends the others home before anything began.
void dismiss(Transport& transport);

}  // namespace holdfast
