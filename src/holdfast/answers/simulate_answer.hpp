#pragma once

#include "holdfast/answers/answer_text.hpp"
#include "holdfast/campaign/simulate.hpp"
#include "holdfast/contract/domain.hpp"

#include <cstddef>
#include <optional>

namespace holdfast {

/// Returns the answer of `simulate`: the verdict, tables of the metrics, every statistic as data, and the schedules of the first scenario.
[[nodiscard]] Answer answer_of(const Domain& domain, Simulation simulation,
                               std::optional<std::size_t> baseline);

}  // namespace holdfast
