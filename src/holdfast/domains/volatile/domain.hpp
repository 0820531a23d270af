#pragma once

#include "holdfast/contract/domain.hpp"

/// The folder and the command are called `volatile`; that word is taken in C++, so the namespace is
/// volatile_workers.
namespace holdfast::volatile_workers {

/// Returns the binding of this domain to the contract.
[[nodiscard]] const Domain& domain();

}  // namespace holdfast::volatile_workers
