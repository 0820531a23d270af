#pragma once

#include "holdfast/answers/shown.hpp"
#include "holdfast/campaign/simulate.hpp"
#include "holdfast/contract/domain.hpp"
#include "holdfast/report/schedule.hpp"

#include <cstddef>
#include <optional>

namespace holdfast {

/// Returns the answer of `simulate`: the verdict, tables of the metrics, and every statistic as data.
[[nodiscard]] Shown shown_of(const Domain& domain, Simulation simulation,
                             std::optional<std::size_t> baseline);

/// Returns the title above a picture of its schedules.
[[nodiscard]] PictureTitle title_of(const Domain& domain, const Simulation& simulation);

}  // namespace holdfast
