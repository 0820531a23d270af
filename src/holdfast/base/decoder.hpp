#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace holdfast {

/// A decompressor of frames (gzip members, zstd frames, xz and bzip2 streams), several of which may follow each other.
class Decoder {
 public:
  /// What one call of step() did.
  struct Step {
    std::size_t consumed = 0;  ///< bytes of input
    std::size_t produced = 0;  ///< bytes of output
    bool frame_ended = false;
    /// Message of the error if the data cannot be decompressed; otherwise empty.
    std::string problem = {};
  };
  Decoder() = default;
  virtual ~Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  /// Decompresses a part of `in` into `out`. Throws std::bad_alloc if there is no memory for it.
  virtual Step step(std::string_view in, std::span<char> out) = 0;
  /// Returns the name of the compression in messages.
  [[nodiscard]] virtual std::string_view format() const = 0;
  /// Returns the program that decompresses such a file on a command line.
  [[nodiscard]] virtual std::string_view program() const = 0;
};

/// The number of bytes that decoder_for() compares at most.
inline constexpr std::size_t kLongestMagic = 5;

/// Returns the decoder for data that begins with these bytes; null if the data is not compressed.
[[nodiscard]] std::unique_ptr<Decoder> decoder_for(std::string_view first);

}  // namespace holdfast
