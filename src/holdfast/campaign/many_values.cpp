#include "holdfast/campaign/many_values.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace holdfast {
namespace {

constexpr std::array kProbabilities = {0.10, 0.25, 0.50, 0.75, 0.90};
constexpr unsigned kBits = 16;
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

/// Returns numbers in the order of the values.
std::uint64_t key_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

double value_of_key(std::uint64_t key) {
  return std::bit_cast<double>((key & kSign) != 0 ? key & ~kSign : ~key);
}

/// A value that is looked for.
struct Sought {
  std::uint64_t rank = 0;    ///< among those that begin with the known bits
  std::uint64_t prefix = 0;  ///< the known bits
};

}  // namespace

std::optional<Summary> summarize_many(
    std::size_t count, const std::function<std::optional<double>(std::size_t)>& value_of) {
  Moments moments;
  for (std::size_t i = 0; i < count; ++i) {
    if (const auto value = value_of(i)) moments.add(*value);
  }
  if (moments.count() == 0) return std::nullopt;
  const auto last = static_cast<std::uint64_t>(moments.count() - 1);
  std::array<Sought, 2 * kProbabilities.size()> sought;  // the two between which a quantile lies
  const auto position_of = [&](std::size_t i) {
    return static_cast<double>(last) * kProbabilities[i];
  };
  for (std::size_t i = 0; i < kProbabilities.size(); ++i) {
    sought[2 * i].rank = static_cast<std::uint64_t>(std::floor(position_of(i)));
    sought[2 * i + 1].rank = std::min(sought[2 * i].rank + 1, last);
  }
  for (unsigned known = 0; known < 64; known += kBits) {
    std::map<std::uint64_t, std::vector<std::uint64_t>> counts;
    for (const Sought& one : sought) counts[one.prefix].resize(std::size_t{1} << kBits);
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = value_of(i);
      if (!value) continue;
      const std::uint64_t key = key_of(*value) >> (64 - kBits - known);
      const auto found = counts.find(key >> kBits);
      if (found != counts.end()) ++found->second[key & ((1U << kBits) - 1)];
    }
    for (Sought& one : sought) {
      const std::vector<std::uint64_t>& of = counts.at(one.prefix);
      std::uint64_t next = 0;
      while (one.rank >= of[next]) one.rank -= of[next++];
      one.prefix = one.prefix << kBits | next;
    }
  }
  std::array<double, kProbabilities.size()> out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double below = value_of_key(sought[2 * i].prefix);
    const double part = position_of(i) - std::floor(position_of(i));
    out[i] = below + part * (value_of_key(sought[2 * i + 1].prefix) - below);
  }
  return Summary{.count = moments.count(),
                 .mean = moments.mean(),
                 .standard_error = moments.standard_error(),
                 .minimum = moments.minimum(),
                 .p10 = out[0],
                 .p25 = out[1],
                 .median = out[2],
                 .p75 = out[3],
                 .p90 = out[4],
                 .maximum = moments.maximum()};
}

}  // namespace holdfast
