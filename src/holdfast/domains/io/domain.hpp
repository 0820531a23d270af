#pragma once

#include "holdfast/contract/domain.hpp"

namespace holdfast::io {

/// Returns the domain `io`: who gets the bandwidth of a file system that several applications share?
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::io
