#pragma once

#include "holdfast/kernel/packing.hpp"
#include "holdfast/report/timeline_view.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast {

/// Returns the largest number of resources that the rows of each lane take at one time, if widths are whole numbers.
[[nodiscard]] std::vector<std::int64_t> most_at_once(const Timeline& timeline,
                                                     const TimelineRoles& roles,
                                                     std::span<const std::uint32_t> lane_of,
                                                     std::size_t lanes);

}  // namespace holdfast
