#include "holdfast/campaign/many_values.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

using namespace holdfast;

namespace {

/// All numbers of a summary.
std::array<double, 9> told(const Summary& one) {
  return {one.mean,    one.standard_error.value_or(-1),
          one.minimum, one.p10,
          one.p25,     one.median,
          one.p75,     one.p90,
          one.maximum};
}

}  // namespace

TEST_CASE("many values: their summary is that of values that are kept, to the last bit") {
  CHECK_FALSE(summarize_many(3, [](std::size_t) { return std::nullopt; }));
  CHECK(rc::check([](const std::vector<std::pair<std::uint8_t, int>>& drawn) {
    std::vector<std::optional<double>> values;
    std::vector<double> there;
    for (const auto& [kind, number] : drawn) {
      values.emplace_back();
      if (kind % 8 == 0) continue;
      values.back() = kind % 8 == 1   ? number
                      : kind % 8 == 2 ? std::ldexp(number, number % 900)
                      : kind % 8 == 3 ? 7.0
                                      : std::abs(number) / 3.0;
      there.push_back(*values.back());
    }
    const auto kept = summarize(there);
    const auto many = summarize_many(values.size(), [&](std::size_t i) { return values[i]; });
    RC_ASSERT(kept.has_value() == many.has_value());
    if (!kept) return;
    RC_ASSERT(kept->count == many->count);
    RC_ASSERT(told(*kept) == told(*many));
  }));
}
