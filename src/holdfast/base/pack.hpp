#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/text_sink.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace holdfast {

/// The compression of a file. Readers detect it from the content; writers take it from the file name.
enum class Packing : std::uint8_t { none, gzip, zstd, xz, bzip2 };

/// Returns the compression for the ending of a name: `.gz`, `.zst`, `.xz` or `.bz2`; none for any other.
[[nodiscard]] Packing packing_of(const std::filesystem::path& name);
/// Returns the name without the ending of a compression, if it has one.
[[nodiscard]] std::filesystem::path unpacked_name(const std::filesystem::path& name);

/// A compressor of a text that arrives in parts; it hands on the bytes. The same text always gives the same bytes; no date and
/// no name is stored.
class PackedSink {
 public:
  /// Starts a file whose bytes go to `sink`.
  PackedSink(Packing packing, TextSink sink);
  ~PackedSink();
  PackedSink(PackedSink&&) noexcept;
  PackedSink& operator=(PackedSink&&) noexcept;

  /// Compresses the next part.
  [[nodiscard]] Status write(std::string_view part);
  /// Hands on the rest. Without this call the file is truncated.
  [[nodiscard]] Status finish();

  /// The compressor of one format, defined in pack.cpp.
  class Encoder;

 private:
  TextSink sink_;
  std::unique_ptr<Encoder> encoder_;  ///< null: not compressed
};

}  // namespace holdfast
