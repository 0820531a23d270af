#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::io {

/// Who gets the bandwidth of a file system that several applications share?
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::io
