#pragma once

#include "holdfast/contract/domain.hpp"

/// The folder and the command are called `volatile`. That word is reserved in C++, so the namespace is volatile_workers.
namespace holdfast::volatile_workers {

/// Returns the domain `volatile`: which of the machines that come and go should work now?
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::volatile_workers
