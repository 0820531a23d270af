#pragma once

#include "holdfast/base/directory_lock.hpp"

namespace holdfast {

/// The purpose of a lock on a directory of results.
inline constexpr DirectoryUse kResultsLock{.file = "results.lock",
                                           .doing = "is running this campaign"};

}  // namespace holdfast
