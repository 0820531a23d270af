#pragma once

#include "holdfast/campaign/executors.hpp"
#include "holdfast/campaign/executors/transport.hpp"

namespace holdfast {

/// What the processes from 1 on do: see ranks.hpp. Errors of the campaign or of a cell go to the leader,
/// who reports them; an error here means that the leader is gone.
[[nodiscard]] Status help(Transport& transport, unsigned threads, const Campaign& campaign,
                          const Control& control);

}  // namespace holdfast
