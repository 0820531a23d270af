#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/text_sink.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace holdfast {

/// How a file is packed. Readers find out from its content, writers from the name that was asked for.
enum class Packing : std::uint8_t { none, gzip, zstd };

/// Returns gzip for a name that ends in `.gz`, zstd for `.zst`, and none for any other.
[[nodiscard]] Packing packing_of(const std::filesystem::path& name);

/// Packs a text that comes in parts and hands on the bytes. The same text gives the same bytes, without a date or a name.
class PackedSink {
 public:
  PackedSink(Packing packing, TextSink sink);
  ~PackedSink();
  PackedSink(PackedSink&&) noexcept;
  PackedSink& operator=(PackedSink&&) noexcept;

  /// Packs the next part.
  [[nodiscard]] Status write(std::string_view part);
  /// Hands on what the packer still holds. Without it the file is truncated.
  [[nodiscard]] Status finish();

  class Encoder;

 private:
  TextSink sink_;
  std::unique_ptr<Encoder> encoder_;  ///< null: not packed
};

}  // namespace holdfast
