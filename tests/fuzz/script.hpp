#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace holdfast::fuzz {

/// Reads small numbers off an input; 0 behind its end.
class Script {
 public:
  /// @param usual  the unit of usual numbers
  Script(std::string_view bytes, std::uint64_t usual) : bytes_(bytes), usual_(usual) {}
  [[nodiscard]] bool is_over() const { return at_ >= bytes_.size(); }
  unsigned byte() { return is_over() ? 0 : static_cast<unsigned char>(bytes_[at_++]); }
  /// Returns a small number, a usual one, a large one or one of the two largest.
  std::uint64_t number() {
    const unsigned kind = byte();
    const std::uint64_t value = byte() | (std::uint64_t{byte()} << 8U);
    if (kind % 4 == 0) return value % 8;
    if (kind % 4 == 1) return value * usual_;
    if (kind % 4 == 2) return value << 40U;
    return std::numeric_limits<std::uint64_t>::max() - value % 2;
  }

 private:
  std::string_view bytes_;
  std::uint64_t usual_;
  std::size_t at_ = 0;
};

}  // namespace holdfast::fuzz
