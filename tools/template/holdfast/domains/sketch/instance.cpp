#include "holdfast/domains/sketch/instance.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace holdfast::sketch {
namespace {

Status refuse(std::string where, double found, const char* expected) {
  return fail(ErrorCode::bad_value, std::move(where),
              fmt::format("found {}, expected {}", found, expected));
}

}  // namespace

// Written so that NaN fails.
Status check(const Instance& instance) {
  if (!instance.failures && !(instance.mtbf > 0)) {
    return refuse("/mtbf", instance.mtbf, "a number greater than 0");
  }
  if (!instance.failures) return {};
  double last = 0;
  for (std::size_t i = 0; i < instance.failures->size(); ++i) {
    const double date = (*instance.failures)[i];
    if (!(date >= last) || !std::isfinite(date)) {
      return refuse(fmt::format("/failures/{}", i), date, "a date not before the one ahead of it");
    }
    last = date;
  }
  return {};
}

}  // namespace holdfast::sketch
