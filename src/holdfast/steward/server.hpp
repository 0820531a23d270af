#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/contract/verb.hpp"
#include "holdfast/steward/core.hpp"
#include "holdfast/steward/look.hpp"
#include "holdfast/steward/options.hpp"

#include <string>
#include <vector>

namespace holdfast::steward {

/// Returns what a steward is given by its options in a Slurm that looks like this. Errors name the field.
[[nodiscard]] Result<Charge> charge_of(const Options& given, const Look& look);

/// Returns what is said at the beginning: who is cared for, by which policy, and whether anything is changed.
[[nodiscard]] std::vector<std::string> first_screen(const std::string& cluster,
                                                    const Charge& charge, const Look& look,
                                                    const Said& said, const Options& options);

/// Returns an action in words: "would place job 17 on n03: job 17 arrived".
[[nodiscard]] std::string in_words(const Action& action, Switch how, bool acts);

/// Looks at Slurm, decides and acts, until it is asked to stop.
[[nodiscard]] Status serve(const Options& options, const Request& request);

}  // namespace holdfast::steward
