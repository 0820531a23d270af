#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"
#include "holdfast/domains/io/record.hpp"
#include "holdfast/domains/io/recorded_phases.hpp"

#include <string>
#include <vector>

namespace holdfast::arbiter {

/// Returns a sentence for each option of the server that had an effect in this window that the simulator does not model, and so
/// may explain a difference between the measured and the predicted values.
/// @param policy  the server's own strategy
[[nodiscard]] std::vector<std::string> remarks_on(const io::Record& record,
                                                  const io::RecordedWindow& window,
                                                  const bandwidth::Strategy& policy);

}  // namespace holdfast::arbiter
