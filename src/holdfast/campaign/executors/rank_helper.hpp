#pragma once

#include "holdfast/campaign/executors.hpp"
#include "holdfast/campaign/executors/transport.hpp"

namespace holdfast {

/// Does the work of processes 1 and up (ranks.hpp). Errors of the campaign or of a cell go to the leader, which reports them.
/// If this function returns an error, the leader is gone.
[[nodiscard]] Status help(Transport& transport, unsigned threads, const Campaign& campaign,
                          const Control& control);

}  // namespace holdfast
