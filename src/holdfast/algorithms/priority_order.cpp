#include "holdfast/algorithms/priority_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <numeric>
#include <utility>

namespace holdfast {
namespace {

// Below this length a comparison sort is faster.
constexpr std::size_t kFewForDigits = 2048;
constexpr int kDigitBits = 11;
constexpr int kDigits = 6;  // 6 * 11 >= 64
constexpr std::size_t kBuckets = std::size_t{1} << kDigitBits;

struct Entry {
  std::uint64_t key;
  std::uint32_t position;
};

// Returns bits that ascend when the number descends; -0 and 0 are one key.
std::uint64_t descending_bits(double key) {
  const auto bits = std::bit_cast<std::uint64_t>(key + 0.0);
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return (bits & sign) != 0 ? bits : ~(bits | sign);
}

std::size_t digit(std::uint64_t key, int k) {
  return (key >> (k * kDigitBits)) % kBuckets;
}

std::vector<std::uint32_t> order_by_digits(std::span<const double> keys) {
  std::vector<Entry> entries(keys.size()), sorted(keys.size());
  std::array<std::array<std::uint32_t, kBuckets>, kDigits> counts{};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t key = descending_bits(keys[i]);
    entries[i] = {key, static_cast<std::uint32_t>(i)};
    for (int k = 0; k < kDigits; ++k) ++counts[static_cast<std::size_t>(k)][digit(key, k)];
  }
  for (int k = 0; k < kDigits; ++k) {
    auto& count = counts[static_cast<std::size_t>(k)];
    if (count[digit(entries.front().key, k)] == keys.size()) continue;  // all digits are equal
    std::uint32_t before = 0;
    for (auto& c : count) before += std::exchange(c, before);
    for (const Entry& entry : entries) sorted[count[digit(entry.key, k)]++] = entry;
    entries.swap(sorted);
  }
  std::vector<std::uint32_t> out(keys.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = entries[i].position;
  return out;
}

}  // namespace

std::vector<std::uint32_t> priority_order_by_comparison(std::span<const double> keys) {
  std::vector<std::uint32_t> out(keys.size());
  std::iota(out.begin(), out.end(), 0U);
  std::ranges::sort(out, [&](std::uint32_t a, std::uint32_t b) {
    return keys[a] != keys[b] ? keys[a] > keys[b] : a < b;
  });
  return out;
}

std::vector<std::uint32_t> priority_order(std::span<const double> keys) {
  assert(keys.size() < std::numeric_limits<std::uint32_t>::max());
  if (std::ranges::is_sorted(keys, std::ranges::greater{})) {
    std::vector<std::uint32_t> out(keys.size());
    std::iota(out.begin(), out.end(), 0U);
    return out;
  }
  return keys.size() < kFewForDigits ? priority_order_by_comparison(keys) : order_by_digits(keys);
}

}  // namespace holdfast
