#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast {

/// The SHA-256 (FIPS 180-4) of bytes that arrive in pieces. The digest of a file is the one that `sha256sum` prints.
class Sha256 {
 public:
  /// The 32 bytes of a digest.
  using Digest = std::array<std::uint8_t, 32>;

  /// Adds the next bytes.
  void update(std::string_view bytes);
  /// Returns the digest of all bytes so far. The object cannot be used afterwards.
  [[nodiscard]] Digest finish();

 private:
  void compress(const std::uint8_t* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> block_{};
  std::size_t filled_ = 0;
  std::uint64_t length_ = 0;
};

/// Returns the SHA-256 of a text.
[[nodiscard]] Sha256::Digest sha256(std::string_view bytes);
/// Returns the SHA-256 of a text as 64 hexadecimal digits.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);
/// Returns the SHA-256 of a text in base64, as policies of web pages write it.
[[nodiscard]] std::string sha256_base64(std::string_view bytes);

}  // namespace holdfast
