#include "holdfast/base/sort_numbers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace holdfast {
namespace {

constexpr std::size_t kMany = 1 << 15;  // with fewer, comparing them is as fast
constexpr unsigned kBits = 11;
constexpr std::size_t kDigits = (64 + kBits - 1) / kBits;
constexpr std::size_t kValues = std::size_t{1} << kBits;

// Returns a number whose order, without sign, is that of the doubles.
std::uint64_t key_of(double number) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

std::size_t digit_of(double number, std::size_t digit) {
  return (key_of(number) >> (kBits * digit)) % kValues;
}

}  // namespace

void sort_numbers(std::vector<double>& numbers) {
  if (numbers.size() < kMany) return std::sort(numbers.begin(), numbers.end());
  std::vector<std::array<std::size_t, kValues>> counts(kDigits);
  for (const double number : numbers) {
    for (std::size_t digit = 0; digit < kDigits; ++digit) ++counts[digit][digit_of(number, digit)];
  }
  std::vector<double> other(numbers.size());
  for (std::size_t digit = 0; digit < kDigits; ++digit) {
    auto& places = counts[digit];
    if (places[digit_of(numbers.front(), digit)] == numbers.size()) continue;  // all have the same
    std::size_t place = 0;
    for (std::size_t& count : places) place += std::exchange(count, place);
    for (const double number : numbers) other[places[digit_of(number, digit)]++] = number;
    numbers.swap(other);
  }
}

}  // namespace holdfast
