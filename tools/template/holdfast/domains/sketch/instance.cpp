#include "holdfast/domains/sketch/instance.hpp"

#include "holdfast/domains/sketch/instance_io.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast::sketch {

Status check(const Instance& instance) {
  HOLDFAST_CHECK(fields().check(instance));
  if (!instance.dates) return {};
  const auto early = std::ranges::is_sorted_until(*instance.dates);
  if (early == instance.dates->end()) return {};
  return fail(ErrorCode::bad_value, fmt::format("/dates/{}", early - instance.dates->begin()),
              fmt::format("found {}, expected a date not before the one ahead of it", *early));
}

}  // namespace holdfast::sketch
