#pragma once

#include "holdfast/contract/verb.hpp"

#include <span>

namespace holdfast {

/// Returns the verbs that are about the program itself and about whole campaigns and jobs, in the order of help: init, run, guard
/// and report, which write files or run programs, then reproduce, verify, describe, cite and completion. Their requests need a
/// host.
[[nodiscard]] std::span<const Verb> program_verbs();

/// Returns the verb `simulate` of every domain. Its requests need a host and a domain.
[[nodiscard]] const Verb& simulate_verb();

}  // namespace holdfast
