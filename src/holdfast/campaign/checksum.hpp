#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace holdfast {

/// A checksum that detects damage but not forgery: each input bit changes about half of the output bits.
class Checksum {
 public:
  explicit Checksum(std::uint64_t start = 0x9e3779b97f4a7c15) : sum_(start) {}

  Checksum& number(std::uint64_t word) {
    sum_ = mixed(sum_ ^ word);
    return *this;
  }
  /// Adds a real number. The sign of zero does not count, because SQLite does not store it.
  Checksum& real(double value) { return number(std::bit_cast<std::uint64_t>(value + 0.0)); }
  Checksum& text(std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
      number(word);
    }
    return number(bytes.size());
  }
  [[nodiscard]] std::uint64_t value() const { return sum_; }

 private:
  /// Mixes a word by the last steps of SplitMix64; the constant makes zeros change the sum.
  static std::uint64_t mixed(std::uint64_t word) {
    word += 0x9e3779b97f4a7c15;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
  }

  std::uint64_t sum_;
};

}  // namespace holdfast
