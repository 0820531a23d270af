#pragma once

#include "holdfast/base/directory_lock.hpp"

namespace holdfast {

/// What a directory of results is locked for.
inline constexpr DirectoryUse kResultsLock{.file = "results.lock",
                                           .doing = "is running this campaign"};

}  // namespace holdfast
